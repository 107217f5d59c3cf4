/**
 * How long it takes until a form that somebody opens is on the page, in a real browser: from the click to the frame in which the last
 * of its fields has its value.
 *
 *     npm run measure:form -- PROGRAM [TIMES]
 *
 * `PROGRAM` is `tandem`, built for release; `CHROMIUM` is the browser's program. A figure, no test: what else the machine does is in it.
 */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const [program = "tandem", times = "100"] = process.argv.slice(2);

const FILES: Record<string, string> = {
  "lua/main.lua": `
local App = session:prototype("App", { form = EMPTY, opened = 0 })
local Form = session:prototype("Form", {})
function App:open()
  self.opened = self.opened + 1
  local values = {}
  for index = 1, 12 do values["field" .. index] = "value " .. index .. " of " .. self.opened end
  self.form = Form:new(values)
end
function App:close() self.form = nil end
if not session.reloading then session:createAppVariable(App:new()) end
`,
  "viewdefs/App.DEFAULT.html": `<template><main>
  <button id="open" ui-action="open()">Open</button><button id="close" ui-action="close()">Close</button>
  <div ui-view="form"></div></main></template>`,
  "viewdefs/Form.DEFAULT.html": `<template><form>${Array.from(
    { length: 12 },
    (_, at) =>
      `<label>Field ${at + 1} <input id="field${at + 1}" ui-value="field${at + 1}"></label>`,
  ).join("")}</form></template>`,
};

const folder = mkdtempSync(join(tmpdir(), "tandem-form-"));
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const server = spawn(program, ["ui", "serve", folder, "--json", "--listen", "127.0.0.1:0"], {
  cwd: folder,
  stdio: ["ignore", "pipe", "ignore"],
});
const line = await new Promise<string>((done) =>
  createInterface(server.stdout).once("line", (text) => done(text)),
);
const { listening } = JSON.parse(line) as { listening: string };
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-background-networking", "--no-first-run"],
});
try {
  const page = await browser.newPage();
  await page.goto(listening);
  await page.locator("#open").waitFor();
  const taken = await page.evaluate(async (count) => {
    const until = (there: () => boolean) =>
      new Promise<void>((done) => {
        const look = () => (there() ? done() : requestAnimationFrame(look));
        look();
      });
    const click = (id: string) => document.getElementById(id)?.click();
    const all: number[] = [];
    for (let turn = 1; turn <= count; turn++) {
      const start = performance.now();
      click("open");
      const last = () => document.getElementById("field12") as HTMLInputElement | null;
      // In a task of its own rather than in a frame, which would round up to the next one.
      await new Promise<void>((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () =>
          last()?.value === `value 12 of ${turn}` ? done() : port2.postMessage(0);
        port2.postMessage(0);
      });
      all.push(performance.now() - start);
      click("close");
      await until(() => last() === null);
    }
    return all;
  }, Number(times));
  const counted = taken.slice(Math.ceil(taken.length / 10)).sort((a, b) => a - b);
  const at = (share: number) => counted[Math.floor((counted.length - 1) * share)]?.toFixed(1);
  console.log(
    `a form of 12 fields: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, of ${counted.length}; the first one ${taken[0]?.toFixed(1)} ms`,
  );
} finally {
  await browser.close();
  server.kill("SIGTERM");
  await new Promise((done) => server.once("exit", done));
  rmSync(folder, { recursive: true, force: true });
}
