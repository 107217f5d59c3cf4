/**
 * What the tests of the spox page share: project folders of their own, each with a server of its own.
 *
 * `TANDEM_PROGRAM` is the real program; it is started in the folder. Without it the stand-in serves, from the same folder, so that a test
 * cannot tell which of the two it has.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test as nodeTest } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { CONFIG, writeFiles, type Files } from "../mock/spox/sample.ts";
import { serveSpox } from "../mock/spox/serve.ts";
import { eventually, isReal, visit } from "./browser.ts";

const program = process.env["TANDEM_PROGRAM"] ?? "";
const PATIENCE_MS = 10_000;

/** A server under test that is real has real projects, too; there is nothing to be learnt from a mixture. */
const missing = isReal && program === "" ? "TANDEM_PROGRAM does not name the program" : false;
const skip = process.env["CI"] === "true" ? false : missing;

/** A test that needs a project. */
export function test(name: string, body: () => Promise<void>): void {
  void nodeTest(name, { skip }, body);
}

interface Running {
  url: string;
  stop(): Promise<void>;
}

const running = new Set<Running>();
const folders: string[] = [];

after(async () => {
  for (const server of running) await server.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A project folder and the server that reads it. */
export class Project {
  readonly folder: string;
  readonly prefix: "" | "/spox";
  #server: Running | undefined;

  private constructor(prefix: "" | "/spox") {
    const outer = mkdtempSync(join(tmpdir(), "tandem-project-"));
    folders.push(outer);
    this.folder = join(outer, "ledger");
    this.prefix = prefix;
  }

  static async with(files: Files, prefix: "" | "/spox" = "/spox"): Promise<Project> {
    assert.equal(missing, false);
    const made = new Project(prefix);
    writeFiles(made.folder, { "README.md": "# ledger\n", ...files });
    await made.start();
    return made;
  }

  get url(): string {
    assert.ok(this.#server, "the server is stopped");
    return this.#server.url;
  }

  /** Starts the server, on a port it had before when it had one. */
  async start(): Promise<void> {
    this.#server = await (program === ""
      ? serveSpox(this.folder, this.prefix, this.#port)
      : startProgram(this.folder, this.prefix, this.#port));
    this.#port = Number(new URL(this.#server.url).port);
    running.add(this.#server);
  }

  #port = 0;

  async stop(): Promise<void> {
    if (!this.#server) return;
    running.delete(this.#server);
    await this.#server.stop();
    this.#server = undefined;
  }

  write(path: string, text: string): void {
    writeFiles(this.folder, { [path]: text });
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true, force: true });
  }

  /** Asks a route of the application. */
  async ask<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.url}${this.prefix}/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    assert.ok(response.ok, `${method} ${path}: ${await response.clone().text()}`);
    return (await response.json()) as T;
  }

  /** Opens the page at `hash`, live, and runs `test`. */
  async open(
    hash: string,
    test: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const viewport = { width: 1280, height: 800 };
    await visit(
      `${this.url}${this.prefix}/${hash}`,
      async (page) => {
        await live(page);
        await test(page);
      },
      { viewport, ...options },
    );
  }
}

export const live = (page: Page) =>
  eventually(() => page.locator("#connection").textContent(), "Live");

/** The real program, in the folder. */
async function startProgram(folder: string, prefix: string, port: number): Promise<Running> {
  const listen = ["--listen", `127.0.0.1:${port}`, "--data-dir", join(folder, "..", "data")];
  const words = prefix === "" ? ["spox", "serve", ...listen] : ["serve", ...listen];
  // Variables of that name are settings to the program, and these are none.
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("TANDEM_"));
  const child = spawn(program, words, {
    cwd: folder,
    // Its log tells the address.
    env: { ...Object.fromEntries(others), RUST_LOG: "info" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const told: string[] = [];
  const address = new Promise<string>((found, failed) => {
    const look = (line: string) => {
      told.push(line);
      const url = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(line)?.[0];
      if (url) found(url);
    };
    // Both streams are read to the end, or the program would stand still when one is full.
    createInterface(child.stdout).on("line", look);
    createInterface(child.stderr).on("line", look);
    child.once("error", failed);
    child.once("exit", () => failed(new Error(`it ended: ${told.join("\n")}`)));
    setTimeout(() => failed(new Error(`no address: ${told.join("\n")}`)), PATIENCE_MS).unref();
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  try {
    return { url: await address, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A spec with these requirements, each with one scenario. */
export function specText(title: string, ...requirements: string[]): string {
  const written = requirements.map(
    (name) =>
      `### Requirement: ${name}\n\nThe system SHALL do ${name}.\n\n#### Scenario: ${name} happens\n\n- **WHEN** ${name} is asked for\n- **AND** nothing stands in the way\n- **THEN** it is done\n- **AND** it is written down\n`,
  );
  const purpose = "What this capability is for, in more words than fifty characters need.";
  return `# ${title} Specification\n\n## Purpose\n\n${purpose}\n\n## Requirements\n\n${written.join("\n")}`;
}

/** A change of `capability`: one requirement added, one modified. All tasks but the last are done. */
export function changeFiles(id: string, capability: string, modified: string): Files {
  const at = `specs/_changes/${id}`;
  return {
    [`${at}/proposal.md`]: `# Change: Make ${modified} quicker\n\n## Why\n\nIt takes too long today, and people wait for it every single morning.\n\n## What Changes\n\n- **BREAKING** \`${modified}\` answers earlier\n`,
    [`${at}/tasks.md`]: `# Tasks\n\n## 1. Core\n\n- [x] 1.1 Measure it\n- [x] 1.2 Make it quick\n\n## 2. Around it\n\n- [ ] 2.1 Tell people\n`,
    [`${at}/design.md`]: "# Design\n\n## Ways\n\nWe **cache** the answer.\n",
    [`${at}/specs/${capability}/spec.md`]: `## ADDED Requirements

### Requirement: Cache

The system SHALL keep answers for a minute.

#### Scenario: Asked twice

- **WHEN** the same is asked twice within a minute
- **THEN** the second answer is the first

## MODIFIED Requirements

### Requirement: ${modified}

The system SHALL do ${modified} within a second.

#### Scenario: ${modified} happens

- **WHEN** ${modified} is asked for
- **AND** nothing stands in the way
- **THEN** it is done
- **AND** it is written down
`,
  };
}

export { CONFIG };

/** A project with two specs and nothing wrong. */
export const TWO: Files = {
  ".spox/config.toml": CONFIG,
  "specs/auth/spec.md": specText("Auth", "Login", "Logout"),
  "specs/billing/spec.md": specText("Billing", "Invoice", "Refund"),
};
