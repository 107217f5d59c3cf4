/** One campaign of the stand-in: its record, the table after every entry, and those who listen. */

import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import type {
  Actor,
  Campaign,
  Entry,
  GmMode,
  Participant,
  Sheet,
  Table,
  Verdict,
} from "../../../campaign/state/types.ts";
import { TRAITS } from "../../../campaign/state/types.ts";
import { Refused } from "./refused.ts";

/** Who asks, and how. */
export interface Caller {
  participant: string | undefined;
  token: string | undefined;
  request: string;
  invocation: string;
}

export const NOBODY: Caller = {
  participant: undefined,
  token: undefined,
  request: "",
  invocation: "",
};

export class Kept {
  readonly id: string;
  readonly entries: Entry[] = [];
  readonly readers = new Set<ServerResponse>();
  /** The secret of a seat, by participant. */
  readonly tokens = new Map<string, string>();
  table: Table;
  readonly #past: Table[] = [];

  constructor(name: string, gm_mode: GmMode, theme_prompt: string) {
    this.id = freshId("camp");
    const created_at = seconds();
    const campaign: Campaign = {
      id: this.id,
      name,
      gm_mode,
      participant_count: 0,
      actor_count: 0,
      theme_prompt,
      created_at,
      updated_at: created_at,
    };
    this.table = {
      campaign,
      participants: [],
      actors: [],
      sessions: [],
      active_session: null,
      gm_fear: 0,
      guarded: false,
      seq: 0,
      head_hash: "",
    };
    this.append(NOBODY, "campaign.created", ["CAMPAIGN", this.id], { name, gm_mode, theme_prompt });
  }

  /** Writes an entry after `change` was made to the table, and tells everybody. */
  append(
    caller: Caller,
    type: string,
    [kind, id]: [string, string?],
    payload: object,
    change: (table: Table) => void = () => undefined,
  ): Entry {
    const table = structuredClone(this.table);
    const session = type === "session.ended" ? undefined : table.active_session;
    change(table);
    const seq = this.entries.length + 1;
    const own = (payload as { session_id?: string }).session_id;
    const session_id = own ?? session ?? table.active_session ?? undefined;
    const by = table.participants.find((one) => one.id === caller.participant);
    const bare = {
      campaign_id: this.id,
      seq,
      ts: new Date().toISOString(),
      type,
      request_id: caller.request,
      invocation_id: caller.invocation,
      actor: by
        ? { kind: by.role === "GM" ? "GM" : "PARTICIPANT", id: by.id, name: by.display_name }
        : { kind: "SYSTEM", id: "" },
      ...(session_id === undefined ? {} : { session_id }),
      entity: { kind, id: id ?? String(seq) },
      payload,
      prev_hash: this.table.head_hash,
    };
    const entry = { ...bare, event_hash: hash(bare) } as unknown as Entry;
    table.seq = seq;
    table.head_hash = entry.event_hash;
    table.campaign.participant_count = table.participants.length;
    table.campaign.actor_count = table.actors.length;
    this.table = table;
    this.#past.push(table);
    this.entries.push(entry);
    this.readers.forEach((reader) => reader.write(frame(this.shown(entry))));
    return entry;
  }

  at(seq: number): Table {
    const table = this.#past[seq - 1];
    if (!table) throw new Refused("NotFound", `campaign has no event ${seq}`);
    return table;
  }

  isUndone(seq: number): boolean {
    return this.entries.some(
      ({ type, payload }) => type === "event.undone" && payload["seq"] === seq,
    );
  }

  shown(entry: Entry): Entry {
    return this.isUndone(entry.seq) ? { ...entry, undone: true } : entry;
  }

  participant(id: string): Participant {
    return found(this.table.participants, id, "participant not found");
  }

  actor(id: string): Actor {
    return found(this.table.actors, id, "actor not found");
  }

  verify(): Verdict {
    let prev = "";
    for (const { event_hash, ...bare } of this.entries) {
      if (bare.prev_hash !== prev || hash(bare) !== event_hash) {
        return { valid: false, seq: bare.seq, why: "the hash does not match the entry" };
      }
      prev = event_hash;
    }
    return { valid: true, events: this.entries.length, head_hash: prev };
  }

  /** A new campaign with the same past up to `seq`; unlike the real one it keeps the ids of what is in it. */
  fork(seq: number, name: string): Kept {
    const { gm_mode, theme_prompt } = this.table.campaign;
    const made = new Kept(name, gm_mode, theme_prompt);
    const { campaign } = made.table;
    for (const entry of this.entries.slice(1, seq)) {
      const { type, entity, payload } = entry;
      made.append(NOBODY, type, [entity.kind, entity.id], payload, (table) =>
        Object.assign(table, structuredClone(this.at(entry.seq)), { campaign, guarded: false }),
      );
    }
    made.append(NOBODY, "campaign.forked", ["CAMPAIGN", made.id], { from: this.id, seq });
    return made;
  }
}

export function frame(entry: Entry): string {
  return `id: ${entry.seq}\nevent: entry\ndata: ${JSON.stringify(entry)}\n\n`;
}

export function startingSheet(kind: "PC" | "NPC"): Sheet {
  const traits = Object.fromEntries(TRAITS.map((trait) => [trait, 0])) as Sheet["traits"];
  return kind === "PC"
    ? { traits, hp_max: 6, stress_max: 6, evasion: 10, major_threshold: 8, severe_threshold: 12 }
    : { traits, hp_max: 3, stress_max: 3, evasion: 8, major_threshold: 6, severe_threshold: 10 };
}

export function freshId(prefix: string): string {
  const letters = [...randomBytes(26)].map((byte) => "abcdefghijklmnopqrstuvwxyz234567"[byte % 32]);
  return `${prefix}_${letters.join("")}`;
}

export function seconds(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, "Z");
}

export function found<T extends { id: string }>(list: T[], id: string, message: string): T {
  const one = list.find((item) => item.id === id);
  if (!one) throw new Refused("NotFound", message);
  return one;
}

function hash(value: object): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
