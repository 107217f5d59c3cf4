/** The last few things that happened, over the sky, for a moment. */

import { h } from "../../kit/dom.ts";
import { actor, describe } from "../state/describe.ts";
import type { Change } from "../state/types.ts";
import type { World } from "../state/world.ts";

const STAY_MS = 9_000;
const MOST = 5;

export class Ticker {
  readonly element = h("ol", {
    className: "ticker",
    role: "log",
    "aria-label": "What happens",
    "aria-live": "polite",
  });

  add(change: Change, own: boolean, world: World): void {
    const line = h(
      "li",
      { "data-via": change.via },
      h("strong", {}, actor(change, own)),
      ` ${describe(change, world)}`,
    );
    this.element.append(line);
    while (this.element.children.length > MOST) this.element.firstElementChild?.remove();
    setTimeout(() => line.remove(), STAY_MS);
  }
}
