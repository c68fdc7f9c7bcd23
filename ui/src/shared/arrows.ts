/** The place next to `from` in an endless row of `count`, by an arrow; nothing by another key. From nowhere (-1) it is the first, or the last backwards. */
export function beside(key: string, from: number, count: number): number | undefined {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  return step && (Math.max(from, step < 0 ? 0 : -1) + step + count) % count;
}
