import { Screen, SearchField } from "../../shared/screen";
import { texts } from "../../texts";

export function InboxPage() {
  return (
    <Screen name={texts.app.inbox}>
      <header className="bar">
        <h1>{texts.app.inbox}</h1>
        <div className="right">
          <SearchField />
        </div>
      </header>
    </Screen>
  );
}
