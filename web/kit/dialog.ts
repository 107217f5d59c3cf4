/** Questions that stop everything else until they are answered. Escape and a click outside mean no. */

import { h } from "./dom.ts";

/** Asks before something that cannot be undone; gives whether the person said yes. */
export async function confirmed(question: string, detail: string, yes: string): Promise<boolean> {
  const answer = await show(
    question,
    h("p", {}, detail),
    h("button", { className: "button", value: "no", autofocus: true }, "Keep"),
    h("button", { className: "button danger", value: "yes" }, yes),
  );
  return answer === "yes";
}

/** Asks before something that changes a lot; `content` says what. */
export async function agreed(
  question: string,
  content: HTMLElement,
  yes: string,
): Promise<boolean> {
  const answer = await show(
    question,
    content,
    h("button", { className: "button", value: "no", autofocus: true }, "Cancel"),
    h("button", { className: "button primary", value: "yes" }, yes),
  );
  return answer === "yes";
}

/** Asks for a text; gives it, or `null`. */
export async function asked(question: string, value: string, yes: string): Promise<string | null> {
  const input = h("input", { value, autocomplete: "off", autofocus: true, "aria-label": question });
  input.addEventListener("focus", () => input.select());
  const answer = await show(
    question,
    input,
    // First in the form, so that it is what the enter key presses.
    h("button", { className: "button primary", value: "yes" }, yes),
    h("button", { className: "button", value: "no" }, "Cancel"),
  );
  return answer === "yes" ? input.value : null;
}

function show(question: string, content: HTMLElement, ...buttons: HTMLElement[]): Promise<string> {
  const dialog = h(
    "dialog",
    { className: "card dialog" },
    h(
      "form",
      { method: "dialog" },
      h("h2", {}, question),
      content,
      h("div", { className: "row" }, ...buttons),
    ),
  );
  dialog.setAttribute("aria-label", question);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close("no");
  });
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}
