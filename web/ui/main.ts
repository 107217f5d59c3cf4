/** The page of a session. */

import { startApp } from "./app.ts";
import { apiOf, type UiApp } from "./page/api.ts";
import { conserve } from "./page/conserve.ts";
import { placeOf } from "./page/place.ts";
import { followTheme, loadComponents } from "./page/shoelace.ts";

declare global {
  interface Window {
    uiApp?: UiApp;
  }
}

followTheme(document.documentElement);
void start();

async function start(): Promise<void> {
  const place = placeOf(document, location.pathname);
  const element = document.querySelector<HTMLElement>("[ui-app]") ?? document.body;
  const isConserving = new URLSearchParams(location.search).get("conserve") === "true";
  if ((await conserve(place, isConserving)) === "elsewhere") return;
  const tags = [...document.querySelectorAll("*")].map(({ localName }) => localName);
  void loadComponents(tags.filter((name) => name.includes("-")));
  window.uiApp = apiOf(startApp(element, place));
}
