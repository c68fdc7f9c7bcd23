import { Screen } from "../../shared/screen";
import { texts } from "../../texts";


export function ReviewPage() {
  return (
    <Screen name={texts.app.review}>
      <header className="bar">
        <h1>{texts.app.review}</h1>
      </header>
    </Screen>
  );
}
