/** The focus is never lost: where what had it goes, or can have it no more, what held it has it next. */

/** Whether the focus could be there. */
function can(at: HTMLElement): boolean {
  return at.isConnected && !at.matches(":disabled, [inert], [inert] *, [hidden], [hidden] *");
}

/**
 * Watches over the focus of a page. What it lost is made good in the next frame, so a screen that has a better place for
 * it comes first; else the nearest part that held it has it, else the place itself. What a person leaves stays left.
 */
export function keepFocus(page: Document): void {
  let held: { at: HTMLElement; around: HTMLElement[] } | undefined;
  let asked = false;
  const lost = () => page.activeElement === null || page.activeElement === page.body;
  page.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const around: HTMLElement[] = [];
    for (let up = target.parentElement; up; up = up.parentElement) around.push(up);
    held = { at: target, around };
  });
  const look = () => {
    asked = false;
    if (!held || !lost() || can(held.at)) return;
    const next = [...held.around, ...page.querySelectorAll("main")].find((part) => part.hasAttribute("tabindex") && can(part));
    next?.focus({ preventScroll: true });
  };
  new MutationObserver(() => {
    if (asked || !held || !lost()) return;
    asked = true;
    requestAnimationFrame(look);
  }).observe(page.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled", "hidden", "inert"] });
}
