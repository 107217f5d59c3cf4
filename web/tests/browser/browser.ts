/**
 * What the browser tests share: one browser, pages that watch themselves, the server under test.
 *
 * `TANDEM_URL` names a running `tandem serve`; without it the mock serves (never in CI, where that would test nothing real).
 * `CHROMIUM` is the browser's program; `PATIENCE_MS` is for machines that have other things to do.
 */

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { startMock } from "../mock/main.ts";

const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  // Drawn by the processor, the same on every machine.
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const PATIENCE_MS = Number(process.env["PATIENCE_MS"] ?? 10_000);

let browser: Browser;
let stopMock: (() => Promise<void>) | undefined;
const leftovers: (() => Promise<unknown>)[] = [];
let base = process.env["TANDEM_URL"]?.replace(/\/$/, "") ?? "";

before(async () => {
  if (base === "") {
    assert.notEqual(process.env["CI"], "true", "TANDEM_URL must name a running server in CI");
    ({ url: base, stop: stopMock } = await startMock());
  }
  // Playwright gives each browser a profile directory of its own and removes it.
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ARGUMENTS,
  });
});

after(async () => {
  for (const remove of leftovers) await remove();
  await browser?.close();
  await stopMock?.();
});

/** Whether the server under test is the real one. */
export const isReal = base !== "";

/** Has `remove` called at the end, so that a server that goes on running keeps nothing of the tests. */
export function removeAtEnd(remove: () => Promise<unknown>): void {
  leftovers.push(remove);
}

/** The address of `path` on the server under test; a whole address stays as it is, for servers that a test starts itself. */
export function at(path: string): string {
  return path.startsWith("http") ? path : `${base}${path}`;
}

/** Opens `path`, runs `test`, and fails if the page complained or asked another host for anything. */
export async function visit(
  path: string,
  test: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const { origin } = new URL(at(path));
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints = watch(page, origin);
  try {
    await page.goto(at(path));
    await test(page);
  } finally {
    await context.close();
  }
  assert.deepEqual(complaints, []);
}

/** Collects what should never happen: errors in the console, broken policies, requests to elsewhere. */
function watch(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    // A refused request is told here too; the page shows it, and the tests of errors provoke it.
    const refused = /^(Failed to load resource|WebSocket connection to)/.test(message.text());
    if (message.type() === "error" && !refused) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) complaints.push(`request: ${request.url()}`);
  });
  return complaints;
}

/** Waits until `probe` gives what is expected; the page is live, so that is a matter of when. */
export async function eventually<T>(probe: () => Promise<T>, expected: T): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  let seen = await probe();
  while (!isEqual(seen, expected) && Date.now() < end) {
    await new Promise((done) => setTimeout(done, 25));
    seen = await probe();
  }
  assert.deepEqual(seen, expected);
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Fails when the page is wider than its window. */
export async function assertFits(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.equal(content, window, "the page scrolls sideways");
}
