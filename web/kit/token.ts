/** Asking for the server's token, shown when it answered 401. */

import { setToken } from "./api.ts";
import { h } from "./dom.ts";

/** A form that remembers the token and then calls `done`. */
export function tokenForm(done: () => void): HTMLFormElement {
  const input = h("input", {
    type: "password",
    id: "token",
    required: true,
    autocomplete: "current-password",
    placeholder: "the value of TANDEM_TOKEN",
  });
  const form = h(
    "form",
    { className: "notice token-form" },
    h("label", { htmlFor: "token" }, "This server wants its token"),
    h("div", { className: "row" }, input, h("button", { className: "button primary" }, "Continue")),
    h("p", { className: "hint" }, "Whoever started the server set it. It stays in this tab."),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    setToken(input.value.trim());
    done();
  });
  return form;
}
