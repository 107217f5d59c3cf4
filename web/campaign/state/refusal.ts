/** Why something was refused, for the person who asked, with the way out. */

import { ApiError, explain } from "../../kit/api.ts";
import type { Who } from "./server.ts";

/** What the server says in its words, and what a person at the table understands. */
const WORDS: readonly [said: RegExp, told: string][] = [
  [/^active session exists/, "A session is running already: end it first"],
  [/^campaign name is required/, "Give the campaign a name"],
  [/^display name is required/, "Give the participant a name"],
  [/^actor name is required/, "Give the actor a name"],
  [/^campaign not found/, "This campaign is not there any more"],
  [/^(outcome of roll \d+) is already applied/, "The $1 is applied already"],
];

export function tell(error: unknown, who: Who = {}): string {
  const said = sentence(explain(error));
  if (!(error instanceof ApiError) || error.status !== 403) return said;
  return `${said} ${advice(explain(error), who)}`;
}

/** The way past a locked door depends on which door it is and who stands before it. */
function advice(said: string, who: Who): string {
  if (/token/.test(said)) return "Open your invitation link, or paste the token under “You are”.";
  if (who.participant === undefined) {
    return "Choose who you are at the top: a GM may do this, or the player whose actor it is.";
  }
  return "Ask the GM, or let whoever plays this actor do it.";
}

/** As a sentence: the server's messages are lower case and end nowhere. */
export function sentence(text: string): string {
  for (const [pattern, told] of WORDS) {
    if (pattern.test(text)) return `${text.replace(pattern, told)}.`;
  }
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
