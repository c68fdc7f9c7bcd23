import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { queries } from "../api/queries";
import type { Counts } from "../api/types";
import { platform } from "../platform";
import { Boundary } from "../shared/failure";
import { Icon, Logo, Mark } from "../shared/icons";
import { useKeys } from "../shared/keyboard";
import { useLate } from "../shared/later";
import { clock } from "../shared/time";
import { clearLine, useUndo } from "../shared/undo";
import { texts } from "../texts";
import { KeyList } from "./key-list";
import { type PlaceEntry, places, settingsPlace, waiting } from "./places";
import { leave } from "./session";

/** The window: places on the left, the screen on the right. */
export function Shell({ up }: { up: boolean }) {
  const at = useRouterState({ select: (state) => state.location.pathname });
  const navigate = useNavigate();
  const undo = useUndo();
  const [keyList, setKeyList] = useState(false);
  const { data: state } = useQuery({ ...queries.state(), staleTime: Infinity });
  const gone = useLate(!up, 1_000);
  const n = state ? waiting(state.counts) : 0;

  // What a screen told is told there.
  const search = useRouterState({ select: (state) => JSON.stringify((state.location.search as { show?: string }).show ?? "") });
  useEffect(() => clearLine(), [at, search]);

  useEffect(() => {
    document.title = texts.app.title(n);
  }, [n]);

  useKeys(texts.keys.anywhere, [
    ...places.map((place, i) => ({
      keys: [`Mod+${i + 1}`],
      does: texts.keys.goTo(place.name),
      run: () => void navigate({ to: place.to }),
    })),
    { keys: ["Mod+,"], does: texts.keys.goTo(settingsPlace.name), run: () => void navigate({ to: settingsPlace.to }) },
    { keys: ["/"], does: texts.keys.search, run: focusSearch },
    { keys: ["u"], does: texts.keys.undo, run: () => void undo() },
    { keys: ["?"], does: texts.keys.all, run: () => setKeyList(true) },
  ]);

  return (
    <div className="app">
      <a className="skip" href="#main">
        {texts.app.skip}
      </a>
      <nav className="side" aria-label={texts.app.places}>
        <div className="brand">
          <Logo />
          <span>{texts.app.name}</span>
        </div>
        <div className="nav">
          {places.map((place, i) => (
            <PlaceLink key={place.to} place={place} cap={String(i + 1)} at={at} counts={state?.counts} />
          ))}
        </div>
        <div className="foot">
          <div className="nav">
            <PlaceLink place={settingsPlace} cap="," at={at} counts={undefined} />
          </div>
          <p className="serving">
            <b>
              <Mark of={gone ? "stale" : "fresh"} />
              <span>{gone ? texts.app.notAnswering : state ? texts.app.serving(state.connections) : texts.app.loading}</span>
            </b>
            {state && !gone && (
              <span>{state.wrote_at ? texts.app.testWrite(clock(state.wrote_at)) : texts.app.noTestWrite}</span>
            )}
          </p>
          {platform.signsOut && (
            <button type="button" className="btn quiet sign-out" title={texts.app.signOut} onClick={leave}>
              <Icon name="leave" />
              <span className="l">{texts.app.signOut}</span>
            </button>
          )}
        </div>
      </nav>
      <div className="stage">
        <p className={gone ? "gone-line" : "vh"} role="status">
          {gone && (
            <>
              {texts.app.gone}{" "}
              {platform.desktop ? (
                texts.app.restart
              ) : (
                <>
                  {texts.app.start[0]} <code>{texts.app.start[1]}</code>.
                </>
              )}
            </>
          )}
        </p>
        <Boundary of={at}>
          <Outlet />
        </Boundary>
      </div>
      {keyList && <KeyList close={() => setKeyList(false)} />}
    </div>
  );
}

/** A place of the window, with what waits in it. `cap` is its key. */
function PlaceLink({ place, cap, at, counts }: { place: PlaceEntry; cap: string; at: string; counts: Counts | undefined }) {
  const here = place.under.some((path) => at === path || at.startsWith(`${path}/`));
  const count = counts && place.count?.(counts);
  return (
    <Link
      to={place.to}
      title={`${place.name} (${platform.mac ? "⌘" : "Ctrl "}${cap})`}
      aria-current={here ? "page" : undefined}
      activeProps={{ "aria-current": "page" }}
    >
      <Icon name={place.icon} />
      <span className="l">{place.name}</span>
      {count !== undefined && count.n > 0 && (
        <span className={count.alarm ? "n alarm" : "n"}>
          {count.n.toLocaleString("en-GB")}
          <span className="vh">{count.says}</span>
        </span>
      )}
    </Link>
  );
}

/** Each screen marks its own search field; the one in sight gets the focus. */
function focusSearch() {
  const field = document.querySelector<HTMLInputElement>("input[data-search]");
  field?.focus();
  field?.select();
}
