import { platform } from "../platform";
import { Dialog } from "../shared/dialog";
import { useKeyList } from "../shared/keyboard";
import { cap, listing } from "../shared/keys";
import { texts } from "../texts";

/** Every key that acts now, and the switch for single letters. */
export function KeyList({ close }: { close: () => void }) {
  const { scopes, singles, setSingles } = useKeyList();
  const shown = listing(scopes);
  return (
    <Dialog title={texts.keys.title} close={close}>
      <div className="key-list">
        {shown.map((scope) => (
          <section key={scope.name}>
            <h3>{scope.name}</h3>
            <dl>
              {scope.bindings.map((binding) => (
                <div key={binding.keys.join(" ")}>
                  <dt>
                    {binding.keys.map((key) => (
                      <kbd key={key} className="key">
                        {cap(key, platform.mac)}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{binding.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="check">
        <input type="checkbox" checked={singles} onChange={(event) => setSingles(event.target.checked)} />
        <span>
          {texts.keys.singles}
          <span className="meta">{texts.keys.singlesHint}</span>
        </span>
      </label>
    </Dialog>
  );
}
