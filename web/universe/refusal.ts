/** Why a command was refused, in words. The server answers 200 with an event that says so. */

/** An event in the answer to a command. */
export interface Outcome {
  type: string;
  reason?: string;
  [key: string]: unknown;
}

const REASONS: Record<string, string> = {
  duplicateId: "something with this id exists already",
  parentNotFound: "the body it should orbit is gone",
  notFound: "it is gone; someone may have removed it meanwhile",
  cycle: "a body cannot orbit itself or something that orbits it",
  notAttached: "it orbits nothing already",
};

/** The reason, or `null` when the command was applied. */
export function refusal(events: Outcome[]): string | null {
  const refused = events.find(({ type }) =>
    /(Failed|NotFound|NotInGroup|AlreadyInGroup)$/.test(type),
  );
  if (events.some(({ type }) => type === "unknownCommand"))
    return "the server does not know this command";
  if (!refused) return null;
  if (refused.type.endsWith("NotFound")) return REASONS["notFound"] ?? null;
  return REASONS[refused.reason ?? ""] ?? `the server refused it (${refused.type})`;
}
