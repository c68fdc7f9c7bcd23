/** The keys of a screen: pure parts. A key is named as the reader sees it: "k", "?", "ArrowDown", "Mod+Enter", "[". */

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** The name of a key press. Shift counts only where it does not already make another character. */
export function chord(press: KeyPress, mac: boolean): string {
  const mod = mac ? press.metaKey : press.ctrlKey;
  const other = mac ? press.ctrlKey : press.metaKey;
  const printable = [...press.key].length === 1;
  const name = printable ? press.key.toLowerCase() : press.key;
  return (
    (mod ? "Mod+" : "") +
    (other ? "Other+" : "") +
    (press.altKey ? "Alt+" : "") +
    (press.shiftKey && (!printable || /[a-z]/i.test(press.key)) ? "Shift+" : "") +
    name
  );
}

/** Where the focus is when a key comes. */
export type Place = "text" | "control" | "elsewhere";

const SINGLE = /^.$/u;

/**
 * Whether a key acts there. In a text field only keys with a modifier and Escape act; a control keeps Enter, space and
 * arrows for itself; single characters can be switched off.
 */
export function acts(name: string, place: Place, singles: boolean): boolean {
  const single = SINGLE.test(name) || /^Shift\+.$/u.test(name);
  if (place === "text") return name.startsWith("Mod+") || name === "Escape";
  if (single && !singles) return false;
  if (place === "control") return !["Enter", " ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"].includes(name);
  return true;
}

export interface Binding {
  /** The first one is the one shown. */
  keys: readonly string[];
  does: string;
  run: () => void;
  /** Acts only while true. Absent: always. */
  when?: boolean;
  /** Moves only, so a key that is held down goes on. All else acts once a press. */
  moves?: boolean;
  /** Not listed: a second way to something that is listed. */
  hidden?: boolean;
}

export interface Scope {
  name: string;
  /** A dialog: while it is open, the scopes beneath it are silent. */
  modal: boolean;
  bindings: readonly Binding[];
}

/** The innermost live scope's binding for a key: scopes opened later stand above earlier ones. */
export function find(scopes: readonly Scope[], name: string): Binding | undefined {
  for (let i = scopes.length - 1; i >= 0; i--) {
    const scope = scopes[i] as Scope;
    const hit = scope.bindings.find((b) => b.keys.includes(name) && b.when !== false);
    if (hit) return hit;
    if (scope.modal) return undefined;
  }
  return undefined;
}

/** What comes of a press of a key that a binding has: a key held down moves on, but acts only when it is pressed. */
export function heeds(binding: Pick<Binding, "moves">, repeat: boolean): boolean {
  return !repeat || binding.moves === true;
}

/** The keys of a screen as they act now, innermost scope first: each key once, with what it would do. */
export function listing(scopes: readonly Scope[]): { name: string; bindings: Binding[] }[] {
  const taken = new Set<string>();
  return scopes
    .filter((scope) => !scope.modal)
    .toReversed()
    .map(({ name, bindings }) => ({
      name,
      bindings: bindings
        .filter((binding) => binding.when !== false)
        .flatMap((binding) => {
          const keys = binding.keys.filter((key) => !taken.has(key));
          for (const key of keys) taken.add(key);
          return binding.hidden || keys.length === 0 ? [] : [{ ...binding, keys }];
        }),
    }))
    .filter((scope) => scope.bindings.length > 0);
}

const CAPS: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Enter: "↵",
  Escape: "Esc",
  Shift: "⇧",
  " ": "Space",
};

/** How a key is printed on a key cap. */
export function cap(name: string, mac: boolean): string {
  const parts = name === "+" ? ["+"] : name.split("+");
  const shown = parts.map((part) => {
    if (part === "Mod") return mac ? "⌘" : "Ctrl";
    const known = CAPS[part];
    if (known) return known;
    return part.length === 1 ? part.toUpperCase() : part;
  });
  return shown.join(mac || shown.length === 1 ? "" : " ");
}
