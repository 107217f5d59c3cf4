/** `scrollOnOutput`: an element that stays at its end while it grows, as long as the reader has not scrolled away from there. */

const NEAR = 8;
const followed = new WeakSet<Element>();

export function follow(element: Element): void {
  if (followed.has(element)) return;
  followed.add(element);
  let isAtEnd = true;
  const toEnd = () => {
    if (isAtEnd) element.scrollTop = element.scrollHeight;
  };
  element.addEventListener("scroll", () => {
    isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - NEAR;
  });
  const all = { childList: true, subtree: true, characterData: true, attributes: true };
  new MutationObserver(toEnd).observe(element, all);
  requestAnimationFrame(toEnd);
}
