/**
 * What the tests of the publisher's page share: folders of packages, each with a server of its own.
 *
 * `TANDEM_PROGRAM` is the real program; it serves the folder. Without it the stand-in answers as the program once did on the same files.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test as nodeTest } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { rootFiles, writeFiles, type Files } from "../mock/publisher/sample.ts";
import { servePublisher } from "../mock/publisher/serve.ts";
import { eventually, isReal, visit } from "./browser.ts";

const program = process.env["TANDEM_PROGRAM"] ?? "";
const PATIENCE_MS = 20_000;

/** A server under test that is real has real packages, too; there is nothing to be learnt from a mixture. */
const missing = isReal && program === "" ? "TANDEM_PROGRAM does not name the program" : false;
const skip = process.env["CI"] === "true" ? false : missing;
const onlyReal = program === "" ? "the stand-in does not read files" : skip;

/** A test that needs packages. */
export function test(name: string, body: () => Promise<void>): void {
  void nodeTest(name, { skip }, body);
}

/** A test that changes files or asks what nobody asked before: nothing that was recorded answers that. */
export function testReal(name: string, body: () => Promise<void>): void {
  void nodeTest(name, { skip: process.env["CI"] === "true" ? false : onlyReal }, body);
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

/** A folder of packages and the server over it. */
export class Root {
  readonly folder: string;
  readonly #server: Running;
  readonly prefix: "" | "/publisher";

  private constructor(folder: string, server: Running, prefix: "" | "/publisher") {
    this.folder = folder;
    this.#server = server;
    this.prefix = prefix;
  }

  static async with(files: Files = rootFiles(), prefix: "" | "/publisher" = ""): Promise<Root> {
    assert.equal(missing, false);
    const outer = mkdtempSync(join(tmpdir(), "tandem-packages-"));
    folders.push(outer);
    const folder = join(outer, "root");
    writeFiles(folder, files);
    const server = program === "" ? await servePublisher(prefix) : await start(folder, prefix);
    running.add(server);
    return new Root(folder, server, prefix);
  }

  async stop(): Promise<void> {
    running.delete(this.#server);
    await this.#server.stop();
  }

  get url(): string {
    return `${this.#server.url}${this.prefix}`;
  }

  write(path: string, text: string): void {
    writeFiles(this.folder, { [path]: text });
  }

  /** Opens the page at `hash`, live, and runs `test`. */
  async open(
    hash: string,
    test: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const viewport = { width: 1280, height: 800 };
    await visit(
      `${this.url}/${hash}`,
      async (page) => {
        await live(page);
        await test(page);
      },
      { viewport, ...options },
    );
  }
}

let shared: Promise<Root> | undefined;

/** One server for all tests that only look. */
export function looked(): Promise<Root> {
  shared ??= Root.with();
  return shared;
}

export const live = (page: Page) =>
  eventually(() => page.locator("#connection").textContent(), "Live");

/** The real program over the folder, alone or among the others. */
async function start(folder: string, prefix: string): Promise<Running> {
  const data = ["--data-dir", join(folder, "..", "data")];
  const words =
    prefix === ""
      ? ["publisher", "serve", "--port", "0", "--mcp_port", "0", "--server_root", folder, ...data]
      : ["serve", "--listen", "127.0.0.1:0", ...data];
  // Variables of that name are settings to the program, and these are none.
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("TANDEM_"));
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...Object.fromEntries(others), RUST_LOG: "info" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const told: string[] = [];
  const address = new Promise<string>((found, failed) => {
    const look = (line: string) => {
      told.push(line);
      // The port of MCP is told as well, before it; a person goes to the other one.
      const own = !/also listening/.test(line);
      const url = own && /http:\/\/(?:127\.0\.0\.1|localhost):[1-9]\d*/.exec(line)?.[0];
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
