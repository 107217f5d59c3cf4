/**
 * Conserve mode (`?conserve=true`): a session that is open in another tab is not opened in this one.
 *
 * Every tab of a session is known to a worker that they share, so that one with the parameter finds also those without it. Where
 * there is no such worker the tabs call each other over a channel; where there is neither, the page loads as usual.
 */

import { freshId } from "../../kit/id.ts";
import type { FromWorker, ToWorker } from "./conserve-worker.ts";
import { showElsewhere } from "./elsewhere.ts";
import type { Place } from "./place.ts";

/** A worker that does not answer by then does not work. */
const WORKER_MS = 2_000;
const CHANNEL_MS = 300;

/** How this tab speaks with the others. */
interface Others {
  /** Whether another tab lives. */
  ask(): Promise<boolean>;
  /** Has the other tab show the notification, whose click leads there. */
  alert(): void;
  /** Lets the others know this tab, from now on. */
  register(): void;
}

/** Gives "elsewhere" when another tab has the session; this one then says so and does nothing else. */
export async function conserve(place: Place, isAsked: boolean): Promise<"here" | "elsewhere"> {
  const others = reach(place);
  if (isAsked && others && (await others.ask())) {
    showElsewhere(place.session, () => others.alert());
    return "elsewhere";
  }
  others?.register();
  return "here";
}

function reach(place: Place): Others | undefined {
  const name = `ui ${place.base} ${place.session}`;
  try {
    if ("SharedWorker" in globalThis) return overWorker(name, place.session);
    if ("BroadcastChannel" in globalThis) return overChannel(name, place.session);
  } catch {
    // A browser may have them and forbid them.
  }
  return undefined;
}

function overWorker(name: string, session: string): Others {
  const worker = new SharedWorker(new URL("./conserve-worker.ts", import.meta.url), {
    type: "module",
    name,
  });
  const { port } = worker;
  const say = (message: ToWorker) => port.postMessage(message);
  let answered: ((count: number) => void) | undefined;
  port.onmessage = ({ data }) => {
    const message = data as FromWorker;
    if (message.kind === "others") answered?.(message.count);
    if (message.kind === "ping") say({ kind: "alive" });
    if (message.kind === "alert") notify(session);
  };
  return {
    ask: () =>
      new Promise((done) => {
        answered = (count) => done(count > 0);
        worker.onerror = () => done(false);
        setTimeout(() => done(false), WORKER_MS);
        say({ kind: "ask" });
      }),
    alert: () => say({ kind: "alert" }),
    register() {
      const here = () => say({ kind: "here", lock: "locks" in navigator ? lock : undefined });
      const lock = `${name} ${freshId()}`;
      // Held until the tab is gone, however it goes.
      void navigator.locks?.request(lock, () => new Promise(() => undefined));
      here();
      addEventListener("pagehide", () => say({ kind: "bye" }));
      addEventListener("pageshow", ({ persisted }) => {
        if (persisted) here();
      });
    },
  };
}

function overChannel(name: string, session: string): Others {
  const channel = new BroadcastChannel(name);
  return {
    ask: () =>
      new Promise((done) => {
        channel.onmessage = ({ data }) => {
          if (data === "here") done(true);
        };
        setTimeout(() => done(false), CHANNEL_MS);
        channel.postMessage("who");
      }),
    alert: () => channel.postMessage("alert"),
    register() {
      channel.onmessage = ({ data }) => {
        if (data === "who") channel.postMessage("here");
        if (data === "alert") notify(session);
      };
    },
  };
}

/**
 * The desktop notification. It is shown by the tab that has the session, since a click can bring only that tab to the front
 * which the notification belongs to.
 */
function notify(session: string): void {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  try {
    const text = `Session ${session} is already active in another tab.`;
    const notification = new Notification(text, { tag: `ui ${session}` });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // Some systems allow notifications by service workers only.
  }
}
