/** Every entry of the record as a sentence for people. */

import {
  actorName,
  controllerName,
  isRoll,
  notationOf,
  sessionName,
  signed,
  title,
  toneOf,
  verdictOf,
} from "./names.ts";
import type { Entry, RollPayload, Sheet, Table, Vitals } from "./types.ts";

/** What happened; `table` gives names to ids. */
export function sentenceOf(entry: Entry, table: Table | undefined): string {
  if (isRoll(entry)) return rolled(entry.payload, table);
  const of = entry.payload;
  const text = (key: string) => String(of[key] ?? "");
  switch (entry.type) {
    case "campaign.created":
      return `The campaign “${text("name")}” begins`;
    case "campaign.forked":
      return `A new path splits off at entry ${text("seq")} of another campaign`;
    case "participant.joined":
      return `${text("display_name")} joins as ${of["role"] === "GM" ? "GM" : "player"}`;
    case "participant.token_issued":
      return `${controllerName(table, of["participant_id"])} was given a token for the seat`;
    case "actor.created":
      return `${text("name")} enters the story${of["kind"] === "NPC" ? " (NPC)" : ""}`;
    case "actor.control_set":
      return `${controllerName(table, of["controller"])} now plays ${actorName(table, of["actor_id"])}`;
    case "actor.sheet_set":
      return sheetSet(of, table);
    case "actor.state_set":
      return vitalsSet(of, table);
    case "gm.fear_set":
      return `Fear ${Number(of["fear"]) < Number(of["before"]) ? "falls" : "rises"} from ${text("before")} to ${text("fear")}`;
    case "session.started":
      return `“${text("name") || sessionName(table, of["session_id"])}” begins`;
    case "session.ended":
      return `“${sessionName(table, of["session_id"])}” ends`;
    case "note.added":
      return text("text");
    case "outcome.applied":
      return applied(of, table);
    case "event.undone":
      return `Entry ${text("seq")} is taken back`;
    default:
      return entry.type;
  }
}

/** “Mira rolled 15 with hope against 14: success”. */
export function rolled(roll: RollPayload, table: Table | undefined): string {
  if (roll.roll === "DICE") return `Rolled ${notationOf(roll)}: ${roll.total}`;
  const who = roll.actor_id === undefined ? "The table" : actorName(table, roll.actor_id);
  const trait = roll.trait ? ` ${title(roll.trait)}:` : "";
  const against = roll.difficulty === undefined ? "" : ` against ${roll.difficulty}`;
  const tone = toneOf(roll.outcome);
  const verdict = verdictOf(roll.outcome);
  if (tone === "crit") return `${who} rolled${trait} ${roll.total}${against}: critical success`;
  const result = verdict === "none" ? "" : `: ${verdict}`;
  return `${who} rolled${trait} ${roll.total} with ${tone}${against}${result}`;
}

function sheetSet(of: Entry["payload"], table: Table | undefined): string {
  const [sheet, before] = [of["sheet"] as Sheet, of["before"] as Sheet | null];
  const name = actorName(table, of["actor_id"]);
  if (!before) return `The sheet of ${name} is filled in`;
  const changes = [
    ...differences(before.traits, sheet.traits, signed),
    ...differences(before, sheet, String),
  ];
  return `The sheet of ${name} changes${changes.length > 0 ? `: ${changes.join(", ")}` : ""}`;
}

function vitalsSet(of: Entry["payload"], table: Table | undefined): string {
  const [vitals, before] = [of["vitals"] as Vitals, of["before"] as Vitals | null];
  const changes = differences(before ?? {}, vitals, String);
  return `${actorName(table, of["actor_id"])}: ${changes.join(", ") || "unchanged"}`;
}

const SHORT: Record<string, string> = {
  hp: "HP",
  hp_max: "most HP",
  stress_max: "most Stress",
  hope: "Hope",
  stress: "Stress",
};

/** Every number that is another now. */
function differences(before: object, after: object, show: (value: number) => string): string[] {
  const old = before as Record<string, unknown>;
  return Object.entries(after)
    .filter(([key, value]) => typeof value === "number" && value !== old[key])
    .map(([key, value]) => {
      const was = old[key];
      const from = typeof was === "number" ? `${show(was)} → ` : "";
      return `${SHORT[key] ?? title(key)} ${from}${show(value as number)}`;
    });
}

interface Change {
  actor_id: string;
  hope: number;
  stress: number;
}

function applied(of: Entry["payload"], table: Table | undefined): string {
  const parts: string[] = [];
  for (const { actor_id, hope, stress } of (of["changes"] ?? []) as Change[]) {
    const gains = [
      hope > 0 && `gains ${hope} Hope`,
      hope < 0 && `loses ${-hope} Hope`,
      stress < 0 && `clears ${-stress} Stress`,
      stress > 0 && `marks ${stress} Stress`,
    ].filter(Boolean);
    parts.push(`${actorName(table, actor_id)} ${gains.join(" and ") || "has all it can hold"}`);
  }
  const fear = Number(of["gm_fear"] ?? 0);
  if (fear > 0) parts.push(`the GM gains ${fear} Fear`);
  if (of["requires_complication"] === true) parts.push("a complication follows");
  const text = parts.join("; ") || "nothing changes";
  return text.charAt(0).toUpperCase() + text.slice(1);
}
