/** The page that stands in for the app when another tab has the session. */

import { h } from "../../kit/dom.ts";

const CLOSE_MS = 300;

/** Shows it, and has `alert` called as soon as a notification may be shown. */
export function showElsewhere(session: string, alert: () => void): void {
  const word = h("p", {}, `Session ${session} is shown in another tab of this browser.`);
  const close = h("a", { href: "#" }, "Close this page");
  close.addEventListener("click", (event) => {
    event.preventDefault();
    window.close();
    // A tab that the person opened themselves may be one that no script can close.
    setTimeout(
      () => (word.textContent = "The browser leaves that to you: this tab can be closed."),
      CLOSE_MS,
    );
  });
  const here = new URL(location.href);
  here.searchParams.delete("conserve");
  document.title = "Session is already open";
  document.body.replaceChildren(
    h(
      "main",
      { className: "ui-elsewhere" },
      h("h1", {}, "Session is already open"),
      word,
      h("p", {}, close),
      h("p", {}, h("a", { href: here.href }, "Open it here as well")),
    ),
  );
  void mayNotify().then((may) => may && alert());
}

async function mayNotify(): Promise<boolean> {
  if (!("Notification" in globalThis)) return false;
  if (Notification.permission !== "default") return Notification.permission === "granted";
  try {
    return (await Notification.requestPermission()) === "granted";
  } catch {
    return false;
  }
}
