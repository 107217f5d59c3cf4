/**
 * The examples of the UI platform, as a person uses them. They are Lua, so only the real program can run them: `TANDEM_PROGRAM` names it.
 *
 * `SHOTS=folder` keeps pictures of each, light and dark, on a desk and on a phone.
 */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test as nodeTest } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { at, assertFits, eventually } from "./browser.ts";
import { Project, type App } from "./sessions.ts";

const isThere = (process.env["TANDEM_PROGRAM"] ?? "") !== "";
const skip =
  isThere || process.env["CI"] === "true" ? false : "TANDEM_PROGRAM does not name the program";
const shots = process.env["SHOTS"] ?? "";

function test(name: string, body: () => Promise<void>): void {
  void nodeTest(name, { skip }, body);
}

/** The project in `examples/ui`; the tests run in `web`. */
function example(name: string): App {
  const folder = join(process.cwd(), "..", "examples", "ui", name);
  const viewdefs = Object.fromEntries(
    readdirSync(join(folder, "viewdefs")).map((file) => [
      file.replace(/\.html$/, ""),
      readFileSync(join(folder, "viewdefs", file), "utf8"),
    ]),
  );
  const js = () => assert.fail("the stand-in knows no Lua");
  return { viewdefs, lua: readFileSync(join(folder, "lua", "main.lua"), "utf8"), js };
}

/** What the agent would get from `ui_wait`. */
async function events(project: Project): Promise<unknown> {
  const reply = await fetch(`${project.base}wait?timeout=5`);
  assert.equal(reply.status, 200);
  return reply.json();
}

const rows = (page: Page) => () =>
  page.locator(".contact-row .who > span:first-child").allTextContents();

test("contacts are found while typing, and a form changes its row", async () => {
  const project = await Project.with(example("contacts"));
  await project.open(async (page) => {
    await eventually(rows(page), [
      "Ada Lovelace",
      "Alan Turing",
      "Edsger Dijkstra",
      "Grace Hopper",
      "Katherine Johnson",
    ]);
    await page.locator('sl-input[label="Search"] input').pressSequentially("grace");
    await eventually(rows(page), ["Grace Hopper"]);
    assert.equal(await page.locator(".side .quiet").textContent(), "1 of 5 contacts");
    await page.keyboard.press("Escape");
    await eventually(async () => (await rows(page)()).length, 5);
    await page.locator(".contact-row", { hasText: "Alan Turing" }).click();
    const name = page.locator('sl-input[label="Name"] input');
    await name.waitFor();
    assert.equal(await name.inputValue(), "Alan Turing");
    await name.fill("Zeno");
    await eventually(async () => (await rows(page)()).at(-1), "Zeno");
    assert.equal(
      await page.locator(".contact-row.selected .who > span").first().textContent(),
      "Zeno",
    );
  });
});

test("what one person types, another sees, and what is deleted is gone for both", async () => {
  const project = await Project.with(example("contacts"));
  await project.open(async (page) => {
    await eventually(async () => (await rows(page)()).length, 5);
    const other = await page.context().newPage();
    await other.goto(at(project.url));
    await eventually(async () => (await rows(other)()).length, 5);
    await page.locator("sl-button", { hasText: "New contact" }).click();
    const name = page.locator('sl-input[label="Name"] input');
    await name.waitFor();
    await name.pressSequentially("Barbara Liskov");
    await eventually(async () => (await rows(other)()).includes("Barbara Liskov"), true);
    await page.locator(".contact-form sl-button", { hasText: "Delete" }).click();
    const dialog = page.locator("sl-dialog");
    await eventually(() => dialog.getAttribute("label"), "Delete Barbara Liskov?");
    await dialog.locator("sl-button", { hasText: "Delete" }).click();
    await eventually(async () => (await rows(other)()).length, 5);
    await eventually(() => dialog.evaluate((one) => one.hasAttribute("open")), false);
    assert.deepEqual(await events(project), [
      { event: "contact_deleted", params: { left: 5, name: "Barbara Liskov" } },
    ]);
  });
});

test("a form that is incomplete says what is missing; complete, it reaches the agent", async () => {
  const project = await Project.with(example("feedback"));
  await project.open(async (page) => {
    const send = page.locator(".fields > sl-button");
    await send.click();
    const problem = page.locator("sl-alert > span");
    await eventually(() => problem.textContent(), "Please choose a number of stars.");
    const stars = page.locator("sl-rating");
    const box = await stars.boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + (box.width * 3.5) / 5, box.y + box.height / 2);
    await eventually(() => page.locator(".stars .quiet").textContent(), "Good");
    const mail = page.locator('sl-input[label="Mail"]');
    assert.equal(await mail.isVisible(), false);
    await page.locator("sl-switch").click();
    await eventually(() => mail.isVisible(), true);
    await send.click();
    await eventually(() => problem.textContent(), "Please give an address where we can reach you.");
    await mail.locator("input").fill("ann@example.org");
    // Typed, and sent without leaving the field.
    await page.locator("sl-textarea textarea").pressSequentially("Great!");
    await send.click();
    await eventually(() => page.locator("h1", { hasText: "Thank you" }).isVisible(), true);
    assert.equal(await send.isVisible(), false);
    const params = { comment: "Great!", email: "ann@example.org", rating: 4, topic: "product" };
    assert.deepEqual(await events(project), [{ event: "feedback", params }]);
  });
});

test("the dashboard goes on by itself until it is told not to", async () => {
  const project = await Project.with(example("dashboard"));
  await project.open(async (page) => {
    const figures = () => page.locator(".metric .figure > span").allTextContents();
    await eventually(async () => (await figures()).length, 3);
    const lines = () =>
      page.locator("polyline").evaluateAll((all) => all.map((one) => one.getAttribute("points")));
    const before = await lines();
    await eventually(async () => JSON.stringify(await lines()) !== JSON.stringify(before), true);
    await page.locator("sl-switch").click();
    await eventually(
      () => project.run({ lua: "return session:getApp().running", js: () => null }),
      false,
    );
    const still = await lines();
    // An interval of one second has passed for certain.
    await project.run({ lua: "return session:getApp().ticks", js: () => null });
    await new Promise((done) => setTimeout(done, 1_300));
    assert.deepEqual(await lines(), still);
    await project.run({ lua: `session:getApp().services[2].state = "down"`, js: () => null });
    await eventually(
      () => page.locator("sl-badge").first().textContent(),
      "accounts does not answer",
    );
    await page.locator("tr", { hasText: "accounts" }).locator("sl-button").click();
    await eventually(() => page.locator("sl-badge").first().textContent(), "All services answer");
    await eventually(
      async () => (await page.locator("pre").textContent())?.includes("accounts was restarted"),
      true,
    );
  });
});

const LOOKS: [string, BrowserContextOptions][] = [
  ["light", { viewport: { width: 1100, height: 760 }, colorScheme: "light" }],
  ["dark", { viewport: { width: 1100, height: 760 }, colorScheme: "dark" }],
  ["phone", { viewport: { width: 360, height: 740 }, colorScheme: "light" }],
  ["phone-dark", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }],
];

for (const name of ["contacts", "feedback", "dashboard"]) {
  test(`${name} fits a desk and a phone, in light and dark`, async () => {
    const project = await Project.with(example(name));
    for (const [look, options] of LOOKS) {
      await project.open(async (page) => {
        await page.locator("main h1").first().waitFor();
        await page.evaluate(() => document.fonts.ready);
        await assertFits(page);
        const [ink, paper] = await page.evaluate(() => [
          getComputedStyle(document.querySelector("main h1") as Element).color,
          getComputedStyle(document.documentElement).backgroundColor,
        ]);
        assert.ok(
          lightness(ink) < lightness(paper) !== look.endsWith("dark"),
          `${look}: ${ink} on ${paper}`,
        );
        await picture(page, `${name}-${look}`);
        if (name === "contacts") {
          await page.locator(".contact-row").first().click();
          await page.locator('sl-input[label="Name"]').waitFor();
          await assertFits(page);
          await picture(page, `${name}-${look}-form`);
          await page.locator("sl-button", { hasText: "Close" }).click();
        }
      }, options);
    }
  });
}

/** The sum of the channels of `rgb(…)`. */
function lightness(colour: string): number {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
}

async function picture(page: Page, name: string): Promise<void> {
  if (shots === "") return;
  mkdirSync(shots, { recursive: true });
  // What fades in has done so.
  await new Promise((done) => setTimeout(done, 500));
  await page.screenshot({ path: join(shots, `${name}.png`) });
}
