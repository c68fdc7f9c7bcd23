import { Screen } from "../../shared/screen";
import { texts } from "../../texts";

export type BrainsSearch = { brain?: string; topic?: string; unit?: string; query?: string };
export function BrainsPage(_: { search: BrainsSearch }) {
  return (
    <Screen name={texts.app.brains}>
      <header className="bar">
        <h1>{texts.app.brains}</h1>
      </header>
    </Screen>
  );
}
