/** Who may do what. */

import type { Caller, Kept } from "./kept.ts";
import { Refused } from "./refused.ts";

/** A participant that has a token is spoken for only by whoever shows it. */
export function checkToken(kept: Kept, { participant, token }: Caller): void {
  if (participant === undefined) return;
  kept.participant(participant);
  const secret = kept.tokens.get(participant);
  if (secret !== undefined && secret !== token) {
    const hint = "give the token that `participant_token_issue` gave; a GM can issue another";
    throw new Refused(
      "PermissionDenied",
      `participant \`${participant}\` must show its token`,
      hint,
    );
  }
}

export function isGm(kept: Kept, { participant }: Caller): boolean {
  return participant !== undefined && kept.participant(participant).role === "GM";
}

/** For what only a GM may do once the table is guarded. */
export function onlyGm(kept: Kept, caller: Caller, what: string): void {
  checkToken(kept, caller);
  if (kept.table.guarded && !isGm(kept, caller)) {
    throw onlyTheGm(what);
  }
}

function onlyTheGm(what: string): Refused {
  const hint = "speak as a participant who may, with the participant's token";
  return new Refused("PermissionDenied", `only the GM may ${what}`, hint);
}

/** For what a player may do with the actors that player controls. */
export function ownActor(kept: Kept, caller: Caller, actor: string, what: string): void {
  checkToken(kept, caller);
  if (isGm(kept, caller)) return;
  if (caller.participant === undefined) {
    if (kept.table.guarded) throw onlyTheGm(what);
    return;
  }
  if (kept.actor(actor).controller !== caller.participant) {
    throw new Refused(
      "PermissionDenied",
      `participant \`${caller.participant}\` does not control actor \`${actor}\``,
      "`actor_control_set` says who plays an actor",
    );
  }
}

/** Notes are for everybody with a seat. */
export function seated(kept: Kept, caller: Caller, what: string): void {
  checkToken(kept, caller);
  if (kept.table.guarded && caller.participant === undefined) throw onlyTheGm(what);
}
