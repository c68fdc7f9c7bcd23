import { createRootRoute, createRoute, createRouter, Link, redirect } from "@tanstack/react-router";
import { BrainsPage, type BrainsSearch } from "../features/brains/page";
import { ConflictPage } from "../features/conflict/page";
import { InboxPage, type Show } from "../features/inbox/page";
import { ReviewPage } from "../features/review/page";
import { Failure } from "../shared/failure";
import { texts } from "../texts";
import { App } from "./app";
import { Screen } from "../shared/screen";

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
    return <ConflictPage key={unit} id={unit} merge={merge === true} />;
  },
});

const review = createRoute({ getParentRoute: () => root, path: "/review", component: ReviewPage });

const brains = createRoute({
  getParentRoute: () => root,
  path: "/brains",
  validateSearch: (search: Record<string, unknown>): BrainsSearch => ({
    brain: word(search.brain),
    topic: word(search.topic),
    unit: word(search.unit),
    query: word(search.query),
  }),
  component: function Brains() {
    return <BrainsPage search={brains.useSearch()} />;
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

export const router = createRouter({ routeTree: root.addChildren([start, inbox, conflict, review, brains]) });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
