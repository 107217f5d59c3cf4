/** Marks for what just changed, and a page that does not move under the reader when it does. */

const STAY_MS = 3_000;
const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>();

/** Marks an element for a moment. */
export function flash(element: HTMLElement): void {
  clearTimeout(timers.get(element));
  element.dataset["fresh"] = "";
  timers.set(
    element,
    setTimeout(() => delete element.dataset["fresh"], STAY_MS),
  );
}

/** Makes a change while the first of `anchors` that can be seen stays where it is on the screen. */
export function keepPlace(anchors: () => Iterable<HTMLElement>, change: () => void): void {
  const top = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  const seen = [...anchors()].find((each) => each.getBoundingClientRect().bottom > top);
  // At the top of a document there is nothing above that could push it.
  if (!seen || scrollY === 0) return change();
  const before = seen.getBoundingClientRect().top;
  change();
  const key = seen.dataset["key"];
  const again = seen.isConnected
    ? seen
    : [...anchors()].find((each) => key !== undefined && each.dataset["key"] === key);
  if (!again) return;
  const moved = again.getBoundingClientRect().top - before;
  if (moved !== 0) scrollBy({ top: moved, behavior: "instant" });
}

/** Brings an element to where it is read, below the bar, and marks it. */
export function bring(element: HTMLElement): void {
  element.scrollIntoView({ block: "start" });
  flash(element);
}
