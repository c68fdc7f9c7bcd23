/** Storage that may be refused (private windows, full disks): then things last as long as the page. */
export function storage(open: () => Storage) {
  const page = new Map<string, string>();
  const kept = (): Storage | undefined => {
    try {
      return open();
    } catch {
      return undefined;
    }
  };
  return {
    get: (name: string): string | undefined => page.get(name) ?? kept()?.getItem(name) ?? undefined,
    /** What is kept under a prefix, by its name without it. */
    names: (prefix: string): string[] =>
      [...new Set([...page.keys(), ...Object.keys(kept() ?? {})])].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
    set(name: string, value: string | undefined) {
      if (value === undefined) page.delete(name);
      else page.set(name, value);
      try {
        if (value === undefined) kept()?.removeItem(name);
        else kept()?.setItem(name, value);
      } catch {
        // Too large for the store: the page's own copy stands.
      }
    },
  };
}
