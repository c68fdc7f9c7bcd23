import { Screen } from "../../shared/screen";

export function ConflictPage({ id }: { id: string; merge: boolean }) {
  return (
    <Screen name={id}>
      <header className="bar">
        <h1>{id}</h1>
      </header>
    </Screen>
  );
}
