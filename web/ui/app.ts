/** The app in its element: the root object as a view, the connection it lives from, and what is said when it does not. */

import { parsePath } from "./state/path.ts";
import { Socket } from "./state/socket.ts";
import { Store } from "./state/store.ts";
import { messagesOf, type Failure } from "./state/wire.ts";
import { addressesOf, type Place } from "./page/place.ts";
import { Notice, Waiting } from "./page/notice.ts";
import { loadComponents } from "./page/shoelace.ts";
import type { Spec } from "./render/compile.ts";
import type { Stage } from "./render/stage.ts";
import { View } from "./render/view.ts";
import { Viewdefs } from "./render/viewdefs.ts";

/** When nothing has come by then, the person is told what is waited for. */
const SLOW_MS = 2_000;
const ROOT: Spec = { family: "view", detail: "", path: parsePath(""), written: "" };

/** Renders the session into `element` and keeps it alive. */
export function startApp(element: HTMLElement, place: Place): Stage {
  const addresses = addressesOf(place, location.origin);
  const notice = new Notice();
  const waiting = new Waiting(element);
  const viewdefs = new Viewdefs();
  let haveChanged = false;

  const store = new Store((batch) => socket.send(batch), {
    viewdefs(text) {
      for (const { tags } of viewdefs.take(text)) {
        haveChanged = true;
        // While the variables are asked for, the components can come.
        void loadComponents(tags);
      }
    },
    failure: (failure) => fail(failure, waiting, notice),
    offline: () => notice.insist(),
  });
  const stage: Stage = {
    store,
    viewdefs,
    views: new Set(),
    values: new WeakMap(),
    isMoving: false,
    load: loadComponents,
  };
  showRoot(element, stage, waiting);

  const socket = new Socket(addresses.socket, addresses.page, {
    open() {
      notice.live();
      store.connected();
    },
    frame(text) {
      haveChanged = false;
      store.apply(messagesOf(text));
      // Views that are touched have looked again already; the others show a definition that is another now.
      if (haveChanged) refreshAll(stage);
    },
    trouble(kind) {
      store.disconnected();
      notice.trouble(kind, place.session);
    },
  });
  setTimeout(() => {
    if (waiting.isShown) waiting.say(whatIsMissing(stage));
  }, SLOW_MS);
  return stage;
}

function showRoot(element: HTMLElement, stage: Stage, waiting: Waiting): void {
  const host = document.createElement("div");
  element.append(host);
  const root = new View(stage, "app", { element: host, extras: [], follows: false }, ROOT, "");
  root.onShown = () => waiting.remove();
  root.attach({ variable: stage.store.root });
  // A form of the project that says nothing else goes nowhere: the session would be left with its page.
  element.addEventListener("submit", (event) => {
    if (!(event.target as HTMLFormElement).hasAttribute("action")) event.preventDefault();
  });
}

function refreshAll(stage: Stage): void {
  for (const view of [...stage.views]) view.refresh();
  stage.store.settle();
}

function fail(failure: Failure, waiting: Waiting, notice: Notice): void {
  if (waiting.isShown) waiting.fail(`${failure.code}: ${failure.description}`);
  else notice.failure(failure);
}

function whatIsMissing({ store }: Stage): string {
  if (!store.isOnline) return "Waiting for the server…";
  const { type } = store.root;
  if (type === "") return "Waiting for the app: nothing is shown yet.";
  return `Waiting for a view definition: ${type}.DEFAULT`;
}
