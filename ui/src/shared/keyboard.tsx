import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { platform } from "../platform";
import { acts, type Binding, cap, chord, find, heeds, type Place, type Scope } from "./keys";

const SINGLES_OFF = "single-letters-off";

/** The one registry of keys. */
class Registry {
  private scopes: Scope[] = [];
  private orders = new WeakMap<Scope, number>();
  private listeners = new Set<() => void>();
  private off = platform.recall(SINGLES_OFF) === "yes";

  /** A whole is drawn before its parts, so numbers given while drawing tell which scope stands above which. */
  next = 0;

  open(scope: Scope, order: number): () => void {
    this.orders.set(scope, order);
    this.scopes = [...this.scopes, scope].sort((a, b) => (this.orders.get(a) ?? 0) - (this.orders.get(b) ?? 0));
    this.tell();
    return () => {
      this.scopes = this.scopes.filter((s) => s !== scope);
      this.tell();
    };
  }

  hear(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return;
    const name = chord(event, platform.mac);
    // A button that has the focus is pressed once too, however long Enter is held.
    if (event.repeat && name === "Enter" && placeOf(event) === "control") return event.preventDefault();
    if (!acts(name, placeOf(event), !this.off)) return;
    const hit = find(this.scopes, name);
    if (!hit) return;
    event.preventDefault();
    if (heeds(hit, event.repeat)) hit.run();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  list = (): readonly Scope[] => this.scopes;
  singles = (): boolean => !this.off;
  setSingles(on: boolean): void {
    this.off = !on;
    platform.remember(SINGLES_OFF, on ? undefined : "yes");
    this.tell();
  }
  private tell() {
    for (const listener of this.listeners) listener();
  }
}

const Keys = createContext<Registry | undefined>(undefined);

/** Hears the keys of all that stands in it: `useKeys` says what they do. */
export function KeyboardProvider({ children }: { children: ReactNode }) {
  const registry = useMemo(() => new Registry(), []);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => registry.hear(event);
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, [registry]);
  return <Keys value={registry}>{children}</Keys>;
}

function useRegistry(): Registry {
  const registry = useContext(Keys);
  if (!registry) throw new Error("KeyboardProvider is missing");
  return registry;
}

/** Makes keys act while the component stands. A part's keys go before those of the whole that holds it. `name` heads them in the list of keys. */
export function useKeys(name: string, bindings: readonly Binding[], { modal = false } = {}): void {
  const registry = useRegistry();
  const order = useRef<number>(undefined);
  order.current ??= registry.next++;
  const latest = useRef(bindings);
  useEffect(() => {
    latest.current = bindings;
  });
  useEffect(() => {
    const scope: Scope = {
      name,
      modal,
      get bindings() {
        return latest.current;
      },
    };
    return registry.open(scope, order.current ?? 0);
  }, [registry, name, modal]);
}

/** All keys that act now, innermost scope first, and whether single letters do. */
export function useKeyList(): { scopes: readonly Scope[]; singles: boolean; setSingles: (on: boolean) => void } {
  const registry = useRegistry();
  const scopes = useSyncExternalStore(registry.subscribe, registry.list);
  const singles = useSyncExternalStore(registry.subscribe, registry.singles);
  return { scopes, singles, setSingles: (on) => registry.setSingles(on) };
}

/** A key cap. With single letters off, caps of single letters are not shown. */
export function Key({ of }: { of: string }) {
  const { singles } = useKeyList();
  if (isOff(of, singles)) return null;
  return (
    <kbd className="key" aria-hidden="true">
      {cap(of, platform.mac)}
    </kbd>
  );
}

/** Whether a key does nothing now: one of a single letter, while those are off. */
const isOff = (key: string, singles: boolean): boolean => !singles && /^.$/u.test(key);

/** A control's title: what it does, with its key while that does it. */
export function useKeyTitle(): (does: string, key: string) => string {
  const { singles } = useKeyList();
  return (does, key) => (isOff(key, singles) ? does : `${does} (${cap(key, platform.mac)})`);
}

function placeOf(event: KeyboardEvent): Place {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return "elsewhere";
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return "text";
  if (target instanceof HTMLInputElement) return /^(checkbox|radio|button)$/.test(target.type) ? "control" : "text";
  // What scrolls by keyboard keeps the keys that scroll it.
  if (target.matches("[role=region][tabindex='0']")) return "control";
  return target.closest("button, a[href], summary, [role=radio], [role=tab], [role=menuitem], [role=treeitem], [role=switch]")
    ? "control"
    : "elsewhere";
}
