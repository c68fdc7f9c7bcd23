import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { platform } from "../platform";
import { acts, type Binding, cap, chord, find, type Place, type Scope } from "./keys";

const SINGLES_OFF = "single-letters-off";

/** The one registry of keys. */
class Registry {
  private scopes: Scope[] = [];
  private listeners = new Set<() => void>();
  private off = platform.recall(SINGLES_OFF) === "yes";

  open(scope: Scope, beneath: boolean): () => void {
    this.scopes = beneath ? [scope, ...this.scopes] : [...this.scopes, scope];
    this.tell();
    return () => {
      this.scopes = this.scopes.filter((s) => s !== scope);
      this.tell();
    };
  }

  hear(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return;
    const name = chord(event, platform.mac);
    if (!acts(name, placeOf(event), !this.off)) return;
    const hit = find(this.scopes, name);
    if (!hit) return;
    event.preventDefault();
    hit.run();
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

/**
 * Makes keys act while the component stands. `name` heads them in the list of keys. `beneath`: every other scope goes
 * before it, in whatever order they were opened (a part opens before the whole that holds it).
 */
export function useKeys(name: string, bindings: readonly Binding[], { modal = false, beneath = false } = {}): void {
  const registry = useRegistry();
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
    return registry.open(scope, beneath);
  }, [registry, name, modal, beneath]);
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
  if (!singles && /^.$/u.test(of)) return null;
  return (
    <kbd className="key" aria-hidden="true">
      {cap(of, platform.mac)}
    </kbd>
  );
}

function placeOf(event: KeyboardEvent): Place {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return "elsewhere";
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return "text";
  if (target instanceof HTMLInputElement) return /^(checkbox|radio|button)$/.test(target.type) ? "control" : "text";
  return target.closest("button, a[href], summary, [role=radio], [role=tab], [role=menuitem], [role=treeitem], [role=switch]")
    ? "control"
    : "elsewhere";
}
