/**
 * Runs tasks one after another, as they were asked for: of two requests on their way at once either may land last, so what
 * was asked for last would not always be what stands. A task that fails holds up none of those after it.
 */
export function inOrder(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const now = last.then(task, task);
    last = now;
    return now;
  };
}
