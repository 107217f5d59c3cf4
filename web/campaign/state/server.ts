/** The requests of this page. All paths are relative: the application is served under a path or at a root. */

import { request } from "../../kit/api.ts";
import { freshId } from "../../kit/id.ts";
import type {
  Actor,
  Advantage,
  Applied,
  Campaign,
  Entry,
  GmMode,
  Modifier,
  Odds,
  Outcome,
  Participant,
  Pool,
  Session,
  Sheet,
  Step,
  Table,
  Trait,
  Verdict,
  Vitals,
} from "./types.ts";

/** Names the surface where requests are looked at. */
const VIA = { "x-via": "page" };
/** Campaigns in one answer of the list. */
const PAGE = 100;

export async function listCampaigns(): Promise<Campaign[]> {
  const found: Campaign[] = [];
  let cursor = "";
  do {
    const more = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const page = await request<{ campaigns: Campaign[]; next?: string }>(
      "GET",
      `campaigns?limit=${PAGE}${more}`,
    );
    found.push(...page.campaigns);
    cursor = page.next ?? "";
  } while (cursor !== "");
  return found;
}

export function createCampaign(given: {
  name: string;
  gm_mode: GmMode;
  theme_prompt: string;
}): Promise<Campaign> {
  return request("POST", "campaigns", given, { headers: VIA });
}

/** Tells of every campaign that is made or changed. */
export function listFeed(): EventSource {
  return new EventSource("campaigns/changes");
}

/** What may be asked of a roll. An action is a roll of an actor with a trait, kept in the running session. */
export type RollRequest =
  | { kind: "DUALITY"; modifier: number; difficulty?: number; advantage?: Advantage }
  | {
      kind: "ACTION";
      actor_id: string;
      trait: Trait;
      modifiers: Modifier[];
      difficulty?: number;
      advantage?: Advantage;
    }
  | { kind: "DICE"; dice: { sides: number; count: number }[] };

/** The answers of the three kinds of roll, which name the same things differently. */
export interface RollAnswer {
  /** Its place in the record, when a session keeps it. */
  roll_seq?: number;
  hope?: number;
  fear?: number;
  hope_die?: number;
  fear_die?: number;
  advantage_die?: number;
  modifier?: number;
  difficulty?: number;
  total: number;
  outcome?: Outcome;
  rolls?: Pool[];
}

export function getOdds(modifier: number, difficulty: number, advantage: Advantage): Promise<Odds> {
  const more = advantage === "NONE" ? {} : { advantage };
  return request("POST", "duality/probability", { modifier, difficulty, ...more });
}

export async function explainRoll(roll: {
  hope: number;
  fear: number;
  modifier: number;
  difficulty?: number;
}): Promise<Step[]> {
  return (await request<{ steps: Step[] }>("POST", "duality/explain", roll)).steps;
}

/** Who asks: nobody in particular, or a participant, with a token where one was given. */
export interface Who {
  participant?: string | undefined;
  token?: string | undefined;
}

/** The requests about one campaign, made as whoever `who` says at that moment. */
export class Server {
  readonly id: string;
  readonly #who: () => Who;
  readonly #sent = new Set<string>();

  constructor(id: string, who: () => Who) {
    this.id = id;
    this.#who = who;
  }

  /** Whether this page asked for what this entry tells. */
  isOwn(entry: Entry): boolean {
    return this.#sent.has(entry.request_id);
  }

  table(seq?: number): Promise<Table> {
    return this.#ask("GET", seq === undefined ? "" : `?seq=${seq}`);
  }

  /** Entries, newest first. */
  events(options: {
    session?: string;
    before?: number;
    limit?: number;
  }): Promise<{ events: Entry[]; next?: number | string }> {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(options)) query.set(key, String(value));
    return this.#ask("GET", `/events?${query.toString()}`);
  }

  /** Everything that happens after `seq`. A browser that reconnects goes on from the last event it saw. */
  feed(seq: number): EventSource {
    return new EventSource(`${this.#path()}/changes?after=${seq}`);
  }

  join(given: Pick<Participant, "display_name" | "role" | "controller">): Promise<Participant> {
    return this.#ask("POST", "/participants", given);
  }

  issueToken(participant: string): Promise<{ participant_id: string; token: string }> {
    return this.#ask("POST", `/participants/${encodeURIComponent(participant)}/token`, {});
  }

  addActor(given: Pick<Actor, "name" | "kind" | "notes">): Promise<Actor> {
    return this.#ask("POST", "/actors", given);
  }

  setController(actor: string, controller: string): Promise<unknown> {
    return this.#ask("PUT", `${actorPath(actor)}/controller`, { controller });
  }

  setSheet(actor: string, sheet: Sheet): Promise<Actor> {
    return this.#ask("PUT", `${actorPath(actor)}/sheet`, sheet);
  }

  setVitals(actor: string, vitals: Partial<Vitals>): Promise<Actor> {
    return this.#ask("PATCH", `${actorPath(actor)}/state`, vitals);
  }

  setFear(fear: number): Promise<{ gm_fear: number }> {
    return this.#ask("PUT", "/fear", { fear });
  }

  startSession(name: string): Promise<Session> {
    return this.#ask("POST", "/sessions", { name });
  }

  endSession(session: string): Promise<Session> {
    return this.#ask("POST", `/sessions/${encodeURIComponent(session)}/end`, {});
  }

  roll(roll: RollRequest): Promise<RollAnswer> {
    return this.#ask("POST", "/rolls", roll);
  }

  apply(seq: number, targets?: string[]): Promise<Applied> {
    return this.#ask("POST", `/rolls/${seq}/apply`, targets ? { targets } : {});
  }

  note(text: string): Promise<{ seq: number }> {
    return this.#ask("POST", "/notes", { text });
  }

  undo(seq: number): Promise<{ entry: Entry }> {
    return this.#ask("POST", "/undo", { seq });
  }

  fork(seq: number, name: string): Promise<Campaign> {
    return this.#ask("POST", "/fork", { seq, name });
  }

  verify(): Promise<Verdict> {
    return this.#ask("GET", "/verify");
  }

  #ask<T>(method: string, part: string, body?: unknown): Promise<T> {
    const { participant, token } = this.#who();
    const headers: Record<string, string> = { ...VIA };
    if (participant !== undefined) headers["x-participant-id"] = participant;
    if (participant !== undefined && token !== undefined) headers["x-participant-token"] = token;
    if (method !== "GET") {
      const id = freshId();
      this.#sent.add(id);
      headers["x-request-id"] = id;
    }
    return request<T>(method, `${this.#path()}${part}`, body, { headers });
  }

  #path(): string {
    return `campaigns/${encodeURIComponent(this.id)}`;
  }
}

/** A session as Markdown. */
export function exportPath(session: string): string {
  return `sessions/${encodeURIComponent(session)}/export`;
}

function actorPath(actor: string): string {
  return `/actors/${encodeURIComponent(actor)}`;
}
