/** What the parts of the page share. */

import type { IndexBuild } from "./state/build.ts";
import type { Live } from "./state/live.ts";
import type { Place } from "./state/place.ts";
import type { Touched } from "./state/types.ts";

/** One document on show, or the overview. */
export interface View {
  readonly element: HTMLElement;
  /** The same document, at another place in it. */
  go(place: Place): void;
  /** These were touched; `undefined` means that anything may have been. */
  touched(touched: Touched | undefined): void;
  /** The project or its lists are others now. */
  state?(): void;
  close(): void;
}

export interface Desk {
  readonly live: Live;
  readonly index: IndexBuild;
}

/** What the tab of the browser says. */
export function entitle(desk: Desk, name: string): void {
  const project = desk.live.project?.name;
  document.title = [name, project, "Specs"].filter(Boolean).join(" · ");
}
