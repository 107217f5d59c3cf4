/** What the panels of one table share. */

import type { Seat } from "./state/seat.ts";
import type { Server } from "./state/server.ts";
import { tell } from "./state/refusal.ts";
import type { Table, Trait } from "./state/types.ts";

export interface Desk {
  server: Server;
  seat: Seat;
  /** The table as it is now, whatever is being looked at. */
  table(): Table | undefined;
  /** Someone else sits here now. */
  seated(): void;
  /** Puts an actor and a trait into the roll being considered. */
  consider(actor: string, trait: Trait): void;
}

/** Does something at the server; gives why it was refused, or `null`. */
export async function attempt(desk: Desk, doing: () => Promise<unknown>): Promise<string | null> {
  try {
    await doing();
    return null;
  } catch (error) {
    return tell(error, desk.seat.who(), desk.table());
  }
}
