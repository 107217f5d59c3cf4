/** Taking an entry back: by another entry that says so, never by removing one. */

import type { Entry, Sheet, Table, Vitals } from "../../../campaign/state/types.ts";
import { actorIn, type Body } from "./changes.ts";
import { found, type Caller, type Kept } from "./kept.ts";
import { Refused } from "./refused.ts";
import { onlyGm } from "./rights.ts";

type Revert = (table: Table, of: Entry["payload"]) => void;

const REVERTS: Record<string, Revert> = {
  "participant.joined": (table, of) => {
    table.participants = table.participants.filter(({ id }) => id !== of["participant_id"]);
  },
  "actor.created": (table, of) => {
    table.actors = table.actors.filter(({ id }) => id !== of["actor_id"]);
  },
  "actor.control_set": (table, of) => {
    actorIn(table, String(of["actor_id"])).controller = of["before"] as string | null;
  },
  "actor.sheet_set": (table, of) => {
    actorIn(table, String(of["actor_id"])).sheet = of["before"] as Sheet;
  },
  "actor.state_set": (table, of) => {
    actorIn(table, String(of["actor_id"])).state = of["before"] as Vitals;
  },
  "gm.fear_set": (table, of) => {
    table.gm_fear = Number(of["before"]);
  },
  "session.started": (table, of) => {
    table.sessions = table.sessions.filter(({ id }) => id !== of["session_id"]);
    table.active_session = null;
  },
  "session.ended": (table, of) => {
    const session = found(table.sessions, String(of["session_id"]), "session not found");
    session.status = "ACTIVE";
    delete session.ended_at;
    table.active_session = session.id;
  },
  "note.added": () => undefined,
  "roll.resolved": () => undefined,
  "outcome.applied": (table, of) => {
    table.gm_fear -= Number(of["gm_fear"]);
    const changes = of["changes"] as { actor_id: string; hope: number; stress: number }[];
    for (const { actor_id, hope, stress } of changes) {
      const { state } = actorIn(table, actor_id);
      state.hope -= hope;
      state.stress -= stress;
    }
  },
};

export function undo(kept: Kept, caller: Caller, body: Body): object {
  onlyGm(kept, caller, "undo");
  const asked = body["seq"] as number | undefined;
  const can = ({ type, seq }: Entry) => REVERTS[type] !== undefined && !kept.isUndone(seq);
  const undone = asked === undefined ? kept.entries.findLast(can) : kept.entries[asked - 1];
  if (!undone) throw new Refused("FailedPrecondition", "there is nothing to undo");
  const { seq, type, payload } = undone;
  const revert = REVERTS[type];
  if (!revert) throw new Refused("FailedPrecondition", `event ${seq} cannot be undone`);
  if (kept.isUndone(seq)) throw new Refused("FailedPrecondition", `event ${seq} is already undone`);
  const entry = kept.append(
    caller,
    "event.undone",
    [undone.entity.kind, undone.entity.id],
    { seq, type },
    (table) => revert(table, payload),
  );
  return { undone: kept.shown(undone), entry };
}
