/** Why something was refused, for the person who asked, with the way out. */

import { ApiError, explain } from "../../kit/api.ts";
import type { Who } from "./server.ts";
import type { Table } from "./types.ts";

/** What the server says to programs, hint and all, and what a person at the table understands. */
const WORDS: readonly [said: RegExp, told: string][] = [
  [/^active session exists.*/, "A session is running already: end it first"],
  [/^no active session.*/, "No session is running: start one first"],
  [/^campaign name is required/, "Give the campaign a name"],
  [/^display name is required/, "Give the participant a name"],
  [/^actor name is required/, "Give the actor a name"],
  [/^campaign not found/, "This campaign is not there any more"],
  [/^(outcome of roll \d+) is already applied.*/, "The $1 is applied already"],
  [/^only the GM may ([^:]*).*/, "Only the GM may $1"],
  [/^participant `([^`]+)` must show its token.*/, "Speaking as $1 needs the token of that seat"],
  [/^participant `([^`]+)` does not control actor `([^`]+)`.*/, "$1 does not play $2"],
];

/** What to say of anything that was thrown. `table` gives names to the ids in it. */
export function tell(error: unknown, who: Who = {}, table?: Table): string {
  const said = sentence(named(explain(error), table));
  if (!(error instanceof ApiError) || error.status !== 403) return said;
  return `${said} ${advice(said, who)}`;
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

/** People know each other by name. */
function named(text: string, table: Table | undefined): string {
  if (!table) return text;
  const names = new Map<string, string>([
    ...table.participants.map(({ id, display_name }) => [id, display_name] as const),
    ...table.actors.map(({ id, name }) => [id, name] as const),
    ...table.sessions.map(({ id, name }) => [id, name] as const),
  ]);
  return text.replace(/`([a-z]+_[a-z2-7]+)`/g, (whole, id: string) => {
    const name = names.get(id);
    return name ? `\`${name}\`` : whole;
  });
}
