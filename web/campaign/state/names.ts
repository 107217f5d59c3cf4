/** Names for ids, and words for the values of the wire. */

import type { Entry, Outcome, Participant, RollPayload, Table } from "./types.ts";

export function actorName(table: Table | undefined, id: unknown): string {
  return table?.actors.find((actor) => actor.id === id)?.name ?? "someone";
}

export function participantOf(table: Table | undefined, id: unknown): Participant | undefined {
  return table?.participants.find((participant) => participant.id === id);
}

export function sessionName(table: Table | undefined, id: unknown): string {
  const index = table?.sessions.findIndex((session) => session.id === id) ?? -1;
  return table?.sessions[index]?.name || (index < 0 ? "the session" : `Session ${index + 1}`);
}

/** Who plays an actor. */
export function controllerName(table: Table | undefined, controller: unknown): string {
  if (controller === null || controller === undefined) return "Nobody";
  if (controller === "GM") return "The GM";
  return participantOf(table, controller)?.display_name ?? "Someone";
}

/** Whose doing an entry is. */
export function doerOf(entry: Entry, table: Table | undefined): string {
  const { kind, id, name } = entry.actor;
  if (name) return name;
  const known = participantOf(table, id)?.display_name;
  if (known) return known;
  return { PARTICIPANT: "A participant", GM: "The GM", SYSTEM: "The table" }[kind];
}

/** Whether an AI did it: a participant that one plays, or a tool call. */
export function isByAi(entry: Entry, table: Table | undefined): boolean {
  return entry.invocation_id !== "" || participantOf(table, entry.actor.id)?.controller === "AI";
}

export const GM_MODES = { HUMAN: "Human GM", AI: "AI GM", HYBRID: "Human and AI GM" };

/** `AGILITY` as people write it. */
export function title(word: string): string {
  const text = word.toLowerCase().replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `+2`, `−1`, `+0`: with a sign and a real minus. */
export function signed(value: number): string {
  return value < 0 ? `−${-value}` : `+${value}`;
}

/** What colours an outcome. */
export type Tone = "hope" | "fear" | "crit" | "plain";

export function toneOf(outcome: Outcome | undefined): Tone {
  if (outcome === undefined) return "plain";
  if (outcome === "CRITICAL_SUCCESS") return "crit";
  return outcome.endsWith("HOPE") ? "hope" : "fear";
}

/** The other half: whether it worked, where that was asked. */
export function verdictOf(outcome: Outcome | undefined): "success" | "failure" | "none" {
  if (outcome === "CRITICAL_SUCCESS" || outcome?.startsWith("SUCCESS")) return "success";
  return outcome?.startsWith("FAILURE") ? "failure" : "none";
}

export function isRoll(entry: Entry): entry is Entry & { payload: RollPayload & Entry["payload"] } {
  return entry.type === "roll.resolved";
}

/** `2d20+1d6+3`, from what was rolled. */
export function notationOf(roll: RollPayload): string {
  const pools = (roll.dice ?? []).map(({ sides, results }) => `${results.length}d${sides}`);
  const bonus = roll.modifier ? signed(roll.modifier) : "";
  return pools.join(" + ") + (bonus && ` ${bonus}`);
}
