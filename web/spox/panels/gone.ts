/** What stands in for a document that is not there. */

import type { ApiError } from "../../kit/api.ts";
import { h } from "../../kit/dom.ts";
import { hashOf } from "../state/place.ts";
import { tell } from "../state/words.ts";
import { line } from "../../kit/text/draw.ts";

export function missing(view: "spec" | "change", id: string, error: ApiError): HTMLElement {
  const { said, hint } = tell(error);
  const near = error.refusal?.suggestions ?? [];
  return h(
    "div",
    { className: "notice bad missing", role: "status" },
    h("h1", { tabIndex: -1 }, error.status === 404 ? `There is no ${view} “${id}”` : `“${id}”`),
    h("p", {}, ...line(`${said} ${hint}`.trim())),
    near.length > 0 &&
      h(
        "p",
        {},
        "Near to it: ",
        ...near.flatMap((other, n) => [
          n > 0 ? ", " : "",
          h("a", { href: hashOf({ view, id: other }) }, other),
        ]),
      ),
    h(
      "p",
      {},
      "It comes back by itself when its file does. ",
      h("a", { href: hashOf({ view: "overview" }) }, "To the overview"),
    ),
  );
}
