/** Ids of elements. Those we make up (`ui-1`, `ui-2`, …) can be told from those that authors write. */

let last = 0;

/** Gives the element an id unless it has one. */
export function ensureId(element: Element): string {
  if (element.id === "") element.id = `ui-${++last}`;
  return element.id;
}

export function isMadeUp(id: string): boolean {
  return id === "" || /^ui-\d+$/.test(id);
}
