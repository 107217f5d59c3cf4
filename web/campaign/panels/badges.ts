/** Small marks: who is a person and who an AI, what role someone has. */

import { h } from "../../kit/dom.ts";
import type { Participant } from "../state/types.ts";

export function badge(text: string, kind: string, title = ""): HTMLElement {
  return h("span", { className: "badge", "data-kind": kind, title: title || null }, text);
}

export function aiBadge(title = "An AI did this"): HTMLElement {
  return badge("AI", "ai", title);
}

export function controllerBadge({ controller }: Participant): HTMLElement {
  return controller === "AI"
    ? badge("AI", "ai", "Played by an AI")
    : badge("Human", "human", "Played by a person");
}
