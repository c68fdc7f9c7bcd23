import { createRootRoute, createRoute, createRouter, Link, redirect } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import type { AgentsSearch } from "../features/agents/page";
import type { BrainsSearch } from "../features/brains/page";
import { InboxPage, type Show } from "../features/inbox/page";
import { Failure } from "../shared/failure";
import { fetched } from "../shared/fetched";
import { Loading } from "../shared/later";
import { Screen } from "../shared/screen";
import { texts } from "../texts";
import { App } from "./app";

// The Inbox is there at once; the other screens come while it is looked at.
const screens = {
  conflict: () => import("../features/conflict/page"),
  review: () => import("../features/review/page"),
  brains: () => import("../features/brains/page"),
  agents: () => import("../features/agents/page"),
  settings: () => import("../features/settings/page"),
};
const ConflictPage = lazy(async () => ({ default: (await fetched(screens.conflict)).ConflictPage }));
const ReviewPage = lazy(async () => ({ default: (await fetched(screens.review)).ReviewPage }));
const BrainsPage = lazy(async () => ({ default: (await fetched(screens.brains)).BrainsPage }));
const AgentsPage = lazy(async () => ({ default: (await fetched(screens.agents)).AgentsPage }));
const SettingsPage = lazy(async () => ({ default: (await fetched(screens.settings)).SettingsPage }));

/** Fetches the screens that were not opened yet, so that opening one waits for nothing. */
export function fetchScreens(): void {
  for (const fetch of Object.values(screens)) fetch().catch(() => undefined);
}

function Coming({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Loading />}>{children}</Suspense>;
}

const root = createRootRoute({ component: App, notFoundComponent: NotFound, errorComponent: ({ error }) => <Failure error={error} /> });

const SHOWS: readonly Show[] = ["conflict", "proposal", "freshness"];

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/inbox" });
  },
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  validateSearch: (search: Record<string, unknown>): { show?: Show } => {
    const show = SHOWS.find((value) => value === search.show);
    return show ? { show } : {};
  },
  component: function Inbox() {
    return <InboxPage show={inbox.useSearch().show ?? "all"} />;
  },
});

const conflict = createRoute({
  getParentRoute: () => root,
  path: "/conflict/$unit",
  validateSearch: (search: Record<string, unknown>): { merge?: boolean } => (search.merge === true ? { merge: true } : {}),
  component: function Conflict() {
    const { unit } = conflict.useParams();
    const { merge } = conflict.useSearch();
    return (
      <Coming>
        <ConflictPage key={unit} id={unit} merge={merge === true} />
      </Coming>
    );
  },
});

const review = createRoute({
  getParentRoute: () => root,
  path: "/review",
  component: function Review() {
    return (
      <Coming>
        <ReviewPage />
      </Coming>
    );
  },
});

const brains = createRoute({
  getParentRoute: () => root,
  path: "/brains",
  validateSearch: (search: Record<string, unknown>): BrainsSearch => ({
    brain: word(search.brain),
    topic: word(search.topic),
    unit: word(search.unit),
    query: word(search.query),
    ...(search.write === true ? { write: true } : {}),
  }),
  component: function Brains() {
    const search = brains.useSearch();
    return (
      <Coming>
        <BrainsPage search={search} />
      </Coming>
    );
  },
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: function Settings() {
    return (
      <Coming>
        <SettingsPage />
      </Coming>
    );
  },
});

const agents = createRoute({
  getParentRoute: () => root,
  path: "/agents",
  validateSearch: (search: Record<string, unknown>): AgentsSearch => {
    const [client, connection] = [word(search.client), word(search.connection)];
    const more = search.more === "hand" || search.more === "web" ? search.more : undefined;
    return {
      ...(client === undefined ? {} : { client }),
      ...(connection === undefined ? {} : { connection }),
      ...(more === undefined ? {} : { more }),
      ...(search.view === "grants" ? { view: "grants" as const } : {}),
    };
  },
  component: function Agents() {
    const search = agents.useSearch();
    return (
      <Coming>
        <AgentsPage search={search} />
      </Coming>
    );
  },
});

function word(value: unknown): string | undefined {
  // The router reads a number or a truth value out of an address where it can; here each is a word.
  return value === undefined || value === null || typeof value === "object" ? undefined : String(value);
}

function NotFound() {
  return (
    <Screen name={texts.app.notFound}>
      <div className="none">
        <h1>{texts.app.notFound}</h1>
        <p className="btns">
          <Link className="btn" to="/inbox">
            {texts.app.toInbox}
          </Link>
        </p>
      </div>
    </Screen>
  );
}

export const router = createRouter({ routeTree: root.addChildren([start, inbox, conflict, review, brains, agents, settings]) });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
