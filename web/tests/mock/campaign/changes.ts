/** Everything that may be done at a table. Each checks who asks, writes an entry and gives the answer of its route. */

import { randomBytes } from "node:crypto";
import type {
  Actor,
  Advantage,
  Applied,
  Participant,
  Session,
  Sheet,
  Table,
  Trait,
} from "../../../campaign/state/types.ts";
import { optional, roll, rollDice, type Draw } from "./duality.ts";
import { found, freshId, seconds, startingSheet, type Caller, type Kept } from "./kept.ts";
import { Refused, required } from "./refused.ts";
import { onlyGm, ownActor, seated } from "./rights.ts";

export type Body = Record<string, unknown>;

export function join(kept: Kept, caller: Caller, body: Body): Participant {
  onlyGm(kept, caller, "add participants");
  const display_name = required(body["display_name"], "display name is required");
  const at = seconds();
  const joined = {
    id: freshId("part"),
    campaign_id: kept.id,
    display_name,
    role: body["role"] as Participant["role"],
    controller: (body["controller"] ?? "HUMAN") as Participant["controller"],
    created_at: at,
    updated_at: at,
  };
  const { id: participant_id, role, controller } = joined;
  kept.append(
    caller,
    "participant.joined",
    ["PARTICIPANT", participant_id],
    { participant_id, display_name, role, controller },
    (table) => void table.participants.push(joined),
  );
  return joined;
}

export function issueToken(kept: Kept, caller: Caller, participant_id: string): object {
  const { role } = kept.participant(participant_id);
  onlyGm(kept, caller, "invite participants");
  const token = `seat_${randomBytes(32).toString("base64url")}`;
  kept.tokens.set(participant_id, token);
  kept.append(
    caller,
    "participant.token_issued",
    ["PARTICIPANT", participant_id],
    { participant_id, token_hash: "not kept by the stand-in" },
    (table) => {
      table.guarded ||= role === "GM";
    },
  );
  return { participant_id, token };
}

export function addActor(kept: Kept, caller: Caller, body: Body): Actor {
  onlyGm(kept, caller, "add actors");
  const name = required(body["name"], "actor name is required");
  const kind = body["kind"] as Actor["kind"];
  const notes = String(body["notes"] ?? "").trim();
  const sheet = startingSheet(kind);
  const state = { hope: 0, stress: 0, hp: sheet.hp_max };
  const actor: Actor = { id: freshId("actor"), name, kind, notes, controller: null, sheet, state };
  kept.append(
    caller,
    "actor.created",
    ["ACTOR", actor.id],
    { actor_id: actor.id, name, kind, notes },
    (table) => void table.actors.push(actor),
  );
  return actor;
}

export function setController(kept: Kept, caller: Caller, actor_id: string, body: Body): object {
  onlyGm(kept, caller, "say who plays an actor");
  const before = kept.actor(actor_id).controller;
  const given = required(body["controller"], "controller is required");
  const controller = given.toUpperCase() === "GM" ? "GM" : kept.participant(given).id;
  const payload = { actor_id, controller, before };
  kept.append(caller, "actor.control_set", ["ACTOR", actor_id], payload, (table) => {
    actorIn(table, actor_id).controller = controller;
  });
  return { campaign_id: kept.id, actor_id, controller };
}

export function setSheet(kept: Kept, caller: Caller, actor_id: string, body: Body): Actor {
  onlyGm(kept, caller, "change sheets");
  const { sheet: before } = kept.actor(actor_id);
  const sheet = { ...before, ...body } as Sheet;
  for (const [trait, value] of Object.entries(sheet.traits)) {
    if (value < -2 || value > 4) {
      throw new Refused("InvalidArgument", `trait \`${trait}\` must be between -2 and 4`);
    }
  }
  if (sheet.severe_threshold < sheet.major_threshold) {
    throw new Refused(
      "InvalidArgument",
      `\`severe_threshold\` must be at least \`major_threshold\`, ${sheet.severe_threshold} is less than ${sheet.major_threshold}`,
    );
  }
  kept.append(
    caller,
    "actor.sheet_set",
    ["ACTOR", actor_id],
    { actor_id, sheet, before },
    (table) => {
      const actor = actorIn(table, actor_id);
      actor.sheet = sheet;
      actor.state.hp = Math.min(actor.state.hp, sheet.hp_max);
      actor.state.stress = Math.min(actor.state.stress, sheet.stress_max);
    },
  );
  return kept.actor(actor_id);
}

export function setVitals(kept: Kept, caller: Caller, actor_id: string, body: Body): Actor {
  ownActor(kept, caller, actor_id, "change this actor");
  const { state: before } = kept.actor(actor_id);
  const vitals = { ...before, ...body };
  const payload = { actor_id, vitals, before };
  kept.append(caller, "actor.state_set", ["ACTOR", actor_id], payload, (table) => {
    actorIn(table, actor_id).state = vitals;
  });
  return kept.actor(actor_id);
}

export function setFear(kept: Kept, caller: Caller, body: Body): object {
  onlyGm(kept, caller, "set Fear");
  const fear = Number(body["fear"]);
  const payload = { fear, before: kept.table.gm_fear };
  kept.append(caller, "gm.fear_set", ["CAMPAIGN", kept.id], payload, (table) => {
    table.gm_fear = fear;
  });
  return { gm_fear: fear };
}

export function startSession(kept: Kept, caller: Caller, body: Body): Session {
  onlyGm(kept, caller, "start a session");
  if (kept.table.active_session !== null) {
    const hint = `end session \`${kept.table.active_session}\` first`;
    throw new Refused("FailedPrecondition", "active session exists", hint);
  }
  const name = String(body["name"] ?? "").trim();
  const at = seconds();
  const session: Session = { id: freshId("sess"), name, status: "ACTIVE", started_at: at };
  const payload = { session_id: session.id, name };
  kept.append(caller, "session.started", ["SESSION", session.id], payload, (table) => {
    table.sessions.push(session);
    table.active_session = session.id;
  });
  return session;
}

export function endSession(kept: Kept, caller: Caller, id: string): Session {
  onlyGm(kept, caller, "end a session");
  found(kept.table.sessions, id, "session not found");
  kept.append(caller, "session.ended", ["SESSION", id], { session_id: id }, (table) => {
    Object.assign(found(table.sessions, id, ""), { status: "ENDED", ended_at: seconds() });
    table.active_session = null;
  });
  return found(kept.table.sessions, id, "session not found");
}

export function rollAt(kept: Kept, caller: Caller, body: Body, draw: Draw): object {
  const kind = body["kind"] as "DUALITY" | "DICE" | "ACTION";
  const keep = (payload: object): { roll_seq?: number } => {
    if (kept.table.active_session === null) return {};
    return { roll_seq: kept.append(caller, "roll.resolved", ["ROLL"], payload).seq };
  };
  if (kind === "DICE") {
    seated(kept, caller, "roll at this table");
    const { rolls, total } = rollDice(draw, body["dice"]);
    return { rolls, total, ...keep({ roll: kind, dice: rolls, modifier: 0, total }) };
  }
  const difficulty = optional(body["difficulty"]);
  const advantage = (body["advantage"] ?? "NONE") as Advantage;
  if (kind === "DUALITY") {
    seated(kept, caller, "roll at this table");
    const result = roll(draw, Number(body["modifier"] ?? 0), difficulty, advantage);
    return { ...result, ...keep({ roll: kind, ...payloadOf(result) }) };
  }
  return action(
    kept,
    caller,
    body,
    (modifier) => roll(draw, modifier, difficulty, advantage),
    keep,
  );
}

function action(
  kept: Kept,
  caller: Caller,
  body: Body,
  throwDice: (modifier: number) => ReturnType<typeof roll>,
  keep: (payload: object) => { roll_seq?: number },
): object {
  const actor_id = String(body["actor_id"]);
  ownActor(kept, caller, actor_id, "roll for this actor");
  if (kept.table.active_session === null) {
    throw new Refused("FailedPrecondition", "no active session", "`session_start` starts one");
  }
  const trait = body["trait"] as Trait;
  const modifiers = (body["modifiers"] ?? []) as { source: string; value: number }[];
  const given = modifiers.reduce((sum, { value }) => sum + value, 0);
  const result = throwDice((kept.actor(actor_id).sheet.traits[trait] ?? 0) + given);
  const place = keep({ roll: "ACTION", actor_id, trait, modifiers, ...payloadOf(result) });
  const { hope, fear, is_crit, meets_difficulty, ...rest } = result;
  const flavor = hope >= fear ? "HOPE" : "FEAR";
  const success = is_crit || meets_difficulty;
  return {
    ...place,
    hope_die: hope,
    fear_die: fear,
    ...rest,
    success,
    flavor,
    crit: is_crit,
  };
}

function payloadOf(result: ReturnType<typeof roll>): object {
  const { is_crit: _, meets_difficulty: __, ...kept } = result;
  return kept;
}

const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value));

export function applyOutcome(kept: Kept, caller: Caller, roll_seq: number, body: Body): Applied {
  const entry = kept.entries[roll_seq - 1];
  if (entry?.type !== "roll.resolved") throw new Refused("NotFound", `no roll ${roll_seq}`);
  const { actor_id, outcome = "" } = entry.payload as { actor_id?: string; outcome?: string };
  const targets = (body["targets"] ?? (actor_id ? [actor_id] : [])) as string[];
  targets.forEach((target) => ownActor(kept, caller, target, "apply this roll"));
  const done = kept.entries.some(
    ({ seq, type, payload }) =>
      type === "outcome.applied" && payload["roll_seq"] === roll_seq && !kept.isUndone(seq),
  );
  if (done) {
    throw new Refused("FailedPrecondition", `outcome of roll ${roll_seq} is already applied`);
  }
  const crit = outcome === "CRITICAL_SUCCESS";
  const fear = outcome.endsWith("FEAR");
  const changes = fear
    ? []
    : targets.map((target) => {
        const { state } = kept.actor(target);
        const hope_after = clamp(state.hope + 1, 6);
        const stress_after = clamp(state.stress - (crit ? 1 : 0), 99);
        const [hope, stress] = [hope_after - state.hope, stress_after - state.stress];
        return { actor_id: target, hope, stress, hope_after, stress_after };
      });
  const gm_fear = fear ? clamp(kept.table.gm_fear + 1, 12) - kept.table.gm_fear : 0;
  const payload = {
    roll_seq,
    changes: changes.map(({ actor_id, hope, stress }) => ({ actor_id, hope, stress })),
    gm_fear,
    requires_complication: fear,
  };
  kept.append(caller, "outcome.applied", ["ROLL", String(roll_seq)], payload, (table) => {
    table.gm_fear += gm_fear;
    for (const { actor_id, hope_after, stress_after } of changes) {
      Object.assign(actorIn(table, actor_id).state, { hope: hope_after, stress: stress_after });
    }
  });
  return { roll_seq, changes, gm_fear: kept.table.gm_fear, requires_complication: fear };
}

export function addNote(kept: Kept, caller: Caller, body: Body): object {
  seated(kept, caller, "add notes");
  const text = required(body["text"], "note text is required");
  return { seq: kept.append(caller, "note.added", ["NOTE"], { text }).seq, text };
}

export function actorIn(table: Table, id: string): Actor {
  return found(table.actors, id, "actor not found");
}
