/** Why a command was refused, in words. The server answers 200 all the same. */

/** The answer to a command, as far as this page asks for it. */
export interface Reply {
  events: { type: string; reason?: string }[];
  applied: boolean;
  revision: number;
  /** What was wrong and what to do, where the server says. */
  hint?: string;
}

const REASONS: Record<string, string> = {
  duplicateId: "something with this id exists already",
  parentNotFound: "the body it should orbit is gone",
  notFound: "it is gone; someone may have removed it meanwhile",
  cycle: "nothing can be inside or around itself",
  notAttached: "it orbits nothing already",
  nothingToUndo: "there is nothing to undo",
  nothingToRedo: "there is nothing to redo",
  notUndoable: "this change cannot be taken back",
  changedSince: "someone changed the same thing since; undo that first",
};

/** The reason, or `null` when the command was applied. */
export function refusal({ applied, hint, events }: Reply): string | null {
  if (applied) return null;
  if (hint) return hint;
  const [event] = events;
  const reason = event?.type.endsWith("NotFound") ? "notFound" : (event?.reason ?? "");
  return REASONS[reason] ?? `the server refused it (${event?.type ?? "no reason given"})`;
}
