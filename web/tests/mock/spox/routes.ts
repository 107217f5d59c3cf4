/** The routes of the spox application that the page uses, and its feed. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { Refused } from "../campaign/refused.ts";
import { validation } from "./check.ts";
import type { Project } from "./project.ts";

interface Asked {
  method: string;
  /** The path behind the application's, in parts. */
  parts: string[];
  query: URLSearchParams;
  body: Record<string, unknown>;
  request: IncomingMessage;
  response: ServerResponse;
}

/** An answer to be written as JSON, or nothing when there is no such route or the response is written already. */
type Answer = [status: number, body: unknown] | undefined;

/** How often files are looked at. */
const SWEEP_MS = 40;

export class Spox {
  readonly project: Project;
  readonly #readers = new Set<ServerResponse>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(project: Project) {
    this.project = project;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async answer(asked: Asked): Promise<Answer> {
    try {
      return asked.method === "POST" ? await this.#act(asked) : this.#read(asked);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return [error.status, error.problem()];
    }
  }

  #read({ parts, query, request, response }: Asked): Answer {
    const { project } = this;
    const [first, id, part] = parts;
    switch (first) {
      case "project":
        return [200, project.state()];
      case "specs":
        return [200, id === undefined ? { specs: project.specs() } : project.spec(id)];
      case "changes":
        if (part === "diff") return [200, project.diff(id ?? "")];
        return [200, id === undefined ? { changes: project.changes() } : project.change(id)];
      case "validate": {
        const { specs, changes } = project.issues();
        const both = { specs: validation("specs", specs), changes: validation("changes", changes) };
        return [200, both];
      }
      case "search": {
        const most = Number(query.get("top_k") ?? 10);
        const withChanges = query.get("include_changes") === "true";
        return [200, project.search(query.get("query") ?? "", most, withChanges)];
      }
      case "events":
        return void this.#listen(request, response);
      default:
        return undefined;
    }
  }

  async #act({ parts, body }: Asked): Promise<Answer> {
    const [first, id = "", part] = parts;
    if (first === "index") return [200, { specs_indexed: await this.project.buildIndex() }];
    if (first !== "changes") return undefined;
    if (part === "approve") {
      return [200, { change_id: id, approved: this.project.approve(id) }];
    }
    if (part === "archive") return [200, this.project.archive(id, body["force"] === true)];
    return undefined;
  }

  #listen(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.write(frame("hello", { revision: this.project.revision }, this.project.revision));
    this.#readers.add(response);
    request.on("close", () => this.#readers.delete(response));
  }

  #sweep(): void {
    const touched = this.project.sweep();
    if (!touched) return;
    for (const reader of this.#readers) reader.write(frame("changed", touched, touched.revision));
  }
}

function frame(event: string, data: object, revision: number): string {
  return `retry: 500\nid: ${revision}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
