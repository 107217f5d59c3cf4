/**
 * What the tests of the ui page share: an app, given twice, and the server that runs it.
 *
 * `TANDEM_PROGRAM` is the real program: it gets the app as a folder with view definitions and Lua, over MCP, as an agent would do it. Without it
 * the stand-in runs the same app written in JavaScript, so that a test cannot tell which of the two it has.
 */

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test as nodeTest } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Thing } from "../mock/ui/graph.ts";
import { serveUi, type Served } from "../mock/ui/serve.ts";
import { Session } from "../mock/ui/session.ts";
import { isReal, visit } from "./browser.ts";

const program = process.env["TANDEM_PROGRAM"] ?? "";
const missing = isReal && program === "" ? "TANDEM_PROGRAM does not name the program" : false;
const skip = process.env["CI"] === "true" ? false : missing;

/** A test that needs a session. */
export function test(name: string, body: () => Promise<void>): void {
  void nodeTest(name, { skip }, body);
}

/** An app in both languages. `lua` is `main.lua`; `js` gives the root object. */
export interface App {
  viewdefs: Record<string, string>;
  lua: string;
  js: () => Thing;
}

/** A change that comes from the server's side, in both languages; `app` is the root object. */
export interface Change {
  lua: string;
  js: (app: any) => unknown;
}

const running = new Set<Project>();
after(async () => {
  for (const project of running) await project.stop();
});

export class Project {
  readonly #app: App;
  #port = 0;
  #served: Served | undefined;
  #session: Session | undefined;
  #agent: Agent | undefined;
  #folder = "";

  private constructor(app: App) {
    this.#app = app;
  }

  static async with(app: App): Promise<Project> {
    const project = new Project(app);
    await project.start();
    return project;
  }

  /** Starts the server, on the port it had before when it had one; the session is new. */
  async start(): Promise<void> {
    running.add(this);
    if (program === "") {
      this.#session = new Session(this.#app.js(), this.#app.viewdefs);
      this.#served = await serveUi(new Map([["1", this.#session]]), this.#port);
    } else {
      this.#served = await this.#startProgram();
    }
    this.#port = Number(new URL(this.#served.url).port);
  }

  async stop(): Promise<void> {
    running.delete(this);
    await this.#served?.stop();
    this.#served = undefined;
    if (this.#folder !== "") rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = "";
  }

  /** Where the session is shown. */
  get url(): string {
    assert.ok(this.#served, "the server is stopped");
    return `${this.#served.url}1/`;
  }

  get base(): string {
    return this.#served?.url ?? "";
  }

  /** Changes objects from the server's side, as an agent does, and gives what the code gives. */
  async run(change: Change): Promise<unknown> {
    if (this.#session) {
      const result = change.js(this.#session.app);
      this.#session.look();
      return result ?? null;
    }
    const text = await this.#agent?.call("ui_run", { code: change.lua });
    return JSON.parse(text ?? "null");
  }

  async upload(key: string, content: string): Promise<void> {
    if (this.#session) return this.#session.upload(key, content);
    const at = key.lastIndexOf(".");
    const [type, namespace] = [key.slice(0, at), key.slice(at + 1)];
    await this.#agent?.call("ui_upload_viewdef", { type, namespace, content });
  }

  /** Opens the page and runs `test`. */
  async open(
    test: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
    path = "",
  ): Promise<void> {
    await visit(`${this.url}${path}`, test, { viewport: { width: 1000, height: 700 }, ...options });
  }

  async #startProgram(): Promise<Served> {
    this.#folder = mkdtempSync(join(tmpdir(), "tandem-ui-"));
    this.#port ||= await freePort();
    const files: Record<string, string> = {
      "lua/main.lua": this.#app.lua,
      "config/config.toml": `[server]\nport = ${this.#port}\n`,
    };
    for (const [key, html] of Object.entries(this.#app.viewdefs)) {
      files[`viewdefs/${key}.html`] = html;
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(this.#folder, path, ".."), { recursive: true });
      writeFileSync(join(this.#folder, path), text);
    }
    this.#agent = await Agent.start(this.#folder);
    await this.#agent.call("ui_configure", { base_dir: this.#folder });
    const url = await this.#agent.call("ui_start", {});
    const agent = this.#agent;
    return { url: `${url.trim().replace(/\/$/, "")}/`, stop: () => agent.stop() };
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

interface Reply {
  id?: number;
  result?: { content?: { text: string }[]; isError?: boolean };
  error?: { message: string };
}

/** Speaks MCP with the program over its standard streams. */
class Agent {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  readonly #told: string[] = [];
  #id = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout) createInterface(child.stdout).on("line", (line) => this.#take(line));
    if (child.stderr) createInterface(child.stderr).on("line", (line) => this.#told.push(line));
    child.once("exit", () => {
      const message = `it ended: ${this.#told.join("\n")}`;
      for (const done of this.#waiting.values()) done({ error: { message } });
    });
  }

  static async start(folder: string): Promise<Agent> {
    const others = Object.entries(process.env).filter(([name]) => !name.startsWith("TANDEM_"));
    const child = spawn(program, ["ui", "--mcp"], {
      cwd: folder,
      env: Object.fromEntries(others),
      stdio: ["pipe", "pipe", "pipe"],
    });
    const agent = new Agent(child);
    const clientInfo = { name: "tests", version: "1" };
    await agent.#ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    agent.#say({ method: "notifications/initialized" });
    return agent;
  }

  async call(name: string, input: object): Promise<string> {
    const { result, error } = await this.#ask("tools/call", { name, arguments: input });
    // Remarks come behind what was asked for.
    const text = result?.content?.[0]?.text ?? "";
    assert.ok(!error && !result?.isError, `${name}: ${error?.message ?? text}`);
    return text;
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.#child.once("exit", done));
    this.#child.stdin?.end();
    this.#child.kill("SIGTERM");
    if (this.#child.exitCode === null && this.#child.signalCode === null) await ended;
  }

  #ask(method: string, params: object): Promise<Reply> {
    this.#id += 1;
    const id = this.#id;
    const reply = new Promise<Reply>((done) => this.#waiting.set(id, done));
    this.#say({ id, method, params });
    return reply;
  }

  #say(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #take(line: string): void {
    const reply = JSON.parse(line) as Reply;
    if (reply.id === undefined) return;
    this.#waiting.get(reply.id)?.(reply);
    this.#waiting.delete(reply.id);
  }
}
