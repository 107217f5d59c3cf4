/** Who this browser speaks as at a table, and the tokens that prove it. Kept on this machine, per campaign. */

import type { Who } from "./server.ts";
import type { Participant } from "./types.ts";

interface Kept {
  participant?: string;
  tokens?: Record<string, string>;
}

/** An address of this page: a campaign, and a seat at it when someone was invited. */
export interface Place {
  campaign: string | null;
  seat?: { participant: string; token: string };
}

export class Seat {
  readonly #key: string;
  #kept: Kept;

  constructor(campaign: string) {
    this.#key = `tandem.campaign.${campaign}`;
    this.#kept = read(this.#key);
  }

  who(): Who {
    const { participant, tokens = {} } = this.#kept;
    if (participant === undefined) return {};
    return { participant, token: tokens[participant] };
  }

  get participant(): string | undefined {
    return this.#kept.participant;
  }

  hasToken(participant: string): boolean {
    return this.#kept.tokens?.[participant] !== undefined;
  }

  /** Speaks as this participant from now on, or as nobody. */
  take(participant: string | undefined): void {
    const { tokens } = this.#kept;
    this.#keep({ ...(tokens ? { tokens } : {}), ...(participant ? { participant } : {}) });
  }

  /** Keeps a token and sits down with it; an empty one is forgotten. */
  hold(participant: string, token: string): void {
    const tokens = { ...this.#kept.tokens, [participant]: token };
    if (token === "") delete tokens[participant];
    this.#keep({ participant, tokens });
  }

  /** Someone who is not at the table any more cannot be spoken as. */
  check(participants: readonly Participant[]): void {
    const { participant } = this.#kept;
    if (participant && !participants.some(({ id }) => id === participant)) this.take(undefined);
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    memory.set(this.#key, kept);
    try {
      localStorage.setItem(this.#key, JSON.stringify(kept));
    } catch {
      // Storage is forbidden here: the choice lasts as long as the page.
    }
  }
}

const memory = new Map<string, Kept>();

function read(key: string): Kept {
  const known = memory.get(key);
  if (known) return known;
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "{}") ?? {}) as Kept;
  } catch {
    return {};
  }
}

/** Reads the part of the address behind `#`. */
export function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?");
  const named = /^\/campaign\/([^/]+)\/?$/.exec(path)?.[1];
  if (named === undefined) return { campaign: null };
  const campaign = decode(named);
  const given = new URLSearchParams(query);
  const [participant, token] = [given.get("seat"), given.get("token")];
  return participant && token ? { campaign, seat: { participant, token } } : { campaign };
}

export function hashOf(campaign: string): string {
  return `#/campaign/${encodeURIComponent(campaign)}`;
}

/** A link that seats whoever opens it. The token is behind `#`, so it is never sent to a server as an address. */
export function invitation(page: string, campaign: string, participant: string, token: string) {
  const query = new URLSearchParams({ seat: participant, token });
  return `${page.replace(/#.*$/, "")}${hashOf(campaign)}?${query.toString()}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
