/** The routes of the campaign application that the page uses. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Advantage, Entry, GmMode } from "../../../campaign/state/types.ts";
import * as changes from "./changes.ts";
import type { Body } from "./changes.ts";
import { drawer, explain, optional, probability, roll, rollDice } from "./duality.ts";
import { frame, Kept, type Caller } from "./kept.ts";
import { Refused, required } from "./refused.ts";
import { onlyGm } from "./rights.ts";
import { undo } from "./undo.ts";

interface Asked {
  method: string;
  /** The path behind the application's, in parts. */
  parts: string[];
  query: URLSearchParams;
  body: Body;
  request: IncomingMessage;
  response: ServerResponse;
}

/** An answer to be written as JSON, or nothing when the response is written already. */
type Answer = [status: number, body: unknown] | undefined;

export class Campaigns {
  readonly #campaigns = new Map<string, Kept>();
  readonly #readers = new Set<ServerResponse>();

  add(kept: Kept): Kept {
    this.#campaigns.set(kept.id, kept);
    this.#tell(kept.id);
    return kept;
  }

  answer(asked: Asked): Answer {
    try {
      return this.#route(asked);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return [error.status, error.problem()];
    }
  }

  #route(asked: Asked): Answer {
    const [first, id, part] = asked.parts;
    if (first === "duality" || first === "dice") return dice(asked);
    if (first === "sessions" && part === "export") return this.#export(asked);
    if (first !== "campaigns") return undefined;
    if (id === undefined) return asked.method === "POST" ? this.#create(asked) : this.#list();
    if (id === "changes") return void listen(asked, this.#readers);
    const kept = this.#campaigns.get(id);
    if (!kept) throw new Refused("NotFound", "campaign not found");
    const answer = this.#table(kept, asked);
    if (asked.method === "POST") this.#tell(kept.id);
    return answer;
  }

  #create({ body }: Asked): Answer {
    const name = required(body["name"], "campaign name is required");
    const kept = new Kept(name, body["gm_mode"] as GmMode, String(body["theme_prompt"] ?? ""));
    return [201, this.add(kept).table.campaign];
  }

  #list(): Answer {
    return [200, { campaigns: [...this.#campaigns.values()].map(({ table }) => table.campaign) }];
  }

  #table(kept: Kept, asked: Asked): Answer {
    const { method, parts, query, body, request } = asked;
    const [, , part, id = "", deeper] = parts;
    const caller = callerOf(request);
    if (method === "GET") return read(kept, asked, part, query);
    switch (`${part} ${deeper ?? ""}`.trim()) {
      case "participants":
        return [201, changes.join(kept, caller, body)];
      case "participants token":
        return [201, changes.issueToken(kept, caller, id)];
      case "actors":
        return [201, changes.addActor(kept, caller, body)];
      case "actors controller":
        return [200, changes.setController(kept, caller, id, body)];
      case "actors sheet":
        return [200, changes.setSheet(kept, caller, id, body)];
      case "actors state":
        return [200, changes.setVitals(kept, caller, id, body)];
      case "fear":
        return [200, changes.setFear(kept, caller, body)];
      case "sessions":
        return [201, changes.startSession(kept, caller, body)];
      case "sessions end":
        return [200, changes.endSession(kept, caller, id)];
      case "rolls":
        return [201, changes.rollAt(kept, caller, body, drawer(laidOut(request)))];
      case "rolls apply":
        return [200, changes.applyOutcome(kept, caller, Number(id), body)];
      case "notes":
        return [201, changes.addNote(kept, caller, body)];
      case "undo":
        return [200, undo(kept, caller, body)];
      case "fork":
        onlyGm(kept, caller, "fork");
        return [201, this.#fork(kept, body).table.campaign];
      default:
        return undefined;
    }
  }

  #fork(kept: Kept, body: Body): Kept {
    const seq = Number(body["seq"] ?? kept.table.seq);
    return this.add(kept.fork(seq, String(body["name"] ?? kept.table.campaign.name)));
  }

  #export({ parts: [, id], response }: Asked): Answer {
    for (const { table, entries } of this.#campaigns.values()) {
      const session = table.sessions.find((one) => one.id === id);
      if (!session) continue;
      const lines = entries
        .filter(({ session_id }) => session_id === id)
        .map(({ type }) => `- ${type}`);
      response.writeHead(200, { "content-type": "text/markdown; charset=utf-8" });
      response.end(`# ${session.name}\n\n${lines.join("\n")}\n`);
      return undefined;
    }
    throw new Refused("NotFound", "session not found");
  }

  #tell(campaign_id: string): void {
    const data = JSON.stringify({ campaign_id });
    this.#readers.forEach((reader) => reader.write(`event: changed\ndata: ${data}\n\n`));
  }
}

function read(kept: Kept, asked: Asked, part: string | undefined, query: URLSearchParams): Answer {
  if (part === undefined) {
    const seq = query.get("seq");
    return [200, seq === null ? kept.table : kept.at(Number(seq))];
  }
  if (part === "events") return [200, events(kept, query)];
  if (part === "verify") return [200, kept.verify()];
  if (part !== "changes") return undefined;
  const after = Number(asked.request.headers["last-event-id"] ?? query.get("after") ?? 0);
  listen(asked, kept.readers);
  kept.entries.slice(after).forEach((entry) => asked.response.write(frame(kept.shown(entry))));
  return undefined;
}

function events(kept: Kept, query: URLSearchParams): { events: Entry[]; next?: number } {
  const limit = Number(query.get("limit") ?? 50);
  const before = Number(query.get("before") ?? Infinity);
  const after = Number(query.get("after") ?? 0);
  const session = query.get("session");
  const older = kept.entries.filter(
    ({ seq, session_id }) =>
      seq < before && seq > after && (session === null || session_id === session),
  );
  const found = older
    .slice(-limit)
    .reverse()
    .map((entry) => kept.shown(entry));
  const last = found.at(-1)?.seq;
  return older.length > limit && last !== undefined
    ? { events: found, next: last }
    : { events: found };
}

function dice({ parts: [first, what], body, request }: Asked): Answer {
  const advantage = (body["advantage"] ?? "NONE") as Advantage;
  const modifier = Number(body["modifier"] ?? 0);
  const draw = drawer(laidOut(request));
  if (first === "dice") return [200, rollDice(draw, body["dice"])];
  if (what === "explain") return [200, explain(body)];
  if (what === "roll") return [200, roll(draw, modifier, optional(body["difficulty"]), advantage)];
  if (what !== "probability") return undefined;
  return [200, probability(modifier, Number(body["difficulty"]), advantage)];
}

function listen({ request, response }: Asked, readers: Set<ServerResponse>): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.write(":connected\n\n");
  readers.add(response);
  request.on("close", () => readers.delete(response));
}

function callerOf({ headers }: IncomingMessage): Caller {
  const text = (name: string) => headers[name]?.toString();
  return {
    participant: text("x-participant-id"),
    token: text("x-participant-token"),
    request: text("x-request-id") ?? "",
    invocation: text("x-invocation-id") ?? "",
  };
}

/** Tests may lay out what the dice will show; only the stand-in knows this header. */
function laidOut({ headers }: IncomingMessage): number[] {
  const given = headers["x-mock-dice"]?.toString() ?? "";
  return given === "" ? [] : given.split(",").map(Number);
}
