/** What a view reaches beyond its own object: presenters of list items, the objects around it, the app. Only the real program has Lua. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as nodeTest } from "node:test";
import type { Page } from "playwright-core";
import { at, eventually, isReal, removeAtEnd, visit } from "./browser.ts";
import { Project, type App, type Change } from "./sessions.ts";

const skip = process.env["TANDEM_PROGRAM"] ? false : "needs the real program";
const test = (name: string, body: () => Promise<void>) => void nodeTest(name, { skip }, body);

const app: App = {
  viewdefs: {
    "Team.DEFAULT": `<template><section>
      <input id="title" ui-value="title?keypress">
      <ul id="param" ui-viewlist="people?itemWrapper=Card"></ul>
      <ul id="short" ui-viewlist="people?item=Card"></ul>
      <ul id="attribute" ui-viewlist="people" ui-item-wrapper="Card"></ul>
      <div id="wrapped" ui-view="people?wrapper=lua.ViewList&amp;itemWrapper=Card"></div>
      <div id="lead" ui-view="lead"></div>
    </section></template>`,
    "Card.list-item": `<template><p class="card" ui-value="label()"></p></template>`,
    "Person.DEFAULT": `<template><div class="person">
      <b class="own" ui-value="name"></b><i class="up" ui-value="../title"></i><i class="dots" ui-value="...title"></i>
      <i class="root" ui-value="@app.title"></i><button class="rename" ui-action="@app.rename()">Rename</button>
      <div ui-view="boss"></div></div></template>`,
    "Boss.DEFAULT": `<template><div class="boss"><i class="twice" ui-value="../../title"></i></div></template>`,
  },
  lua: `
Team = session:prototype("Team", {})
Person = session:prototype("Person", {})
Boss = session:prototype("Boss", {})
Card = session:prototype("Card", {})
made = 0
function Card:new(item)
  made = made + 1
  return session:create(Card, { name = item.baseItem.name, given = item.type or getmetatable(item).type, at = item.index })
end
function Card:label() return self.at .. " " .. self.name .. " from " .. self.given end
function Team:rename() self.title = "Renamed" end
if not session.reloading then
  people = {}
  for _, name in ipairs({ "Ann", "Bob" }) do table.insert(people, session:create(Person, { name = name })) end
  lead = session:create(Person, { name = "Ann", boss = session:create(Boss) })
  app = session:create(Team, { title = "Crew", people = people, lead = lead })
  session:createAppVariable(app)
end
`,
  js: () => ({ type: "Team" }),
};

const lua = (code: string): Change => ({ lua: code, js: () => undefined });
const texts = (page: Page, selector: string) => () =>
  page.locator(selector).evaluateAll((all) => all.map((one) => one.textContent));

test("each way to name a presenter for the items makes one for each, and only one", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    const cards = (one: string) => ["0 Ann", `1 ${one}`].map((it) => `${it} from lua.ViewListItem`);
    const lists = ["#param", "#short", "#attribute"].map((list) => `${list} .card`);
    for (const list of lists) await eventually(texts(page, list), cards("Bob"));
    await eventually(() => page.locator(".card").count(), 8);
    assert.equal(await project.run(lua("return made")), 8, "four lists of two");
    await project.run(lua("app.title = 'Other'"));
    await eventually(() => page.locator("#title").inputValue(), "Other");
    assert.equal(
      await project.run(lua("return made")),
      8,
      "nothing is made anew for another change",
    );
    await project.run(lua("people[2] = session:create(Person, { name = 'Cid' })"));
    for (const list of lists) await eventually(texts(page, list), cards("Cid"));
    assert.equal(
      await project.run(lua("return made")),
      12,
      "one in each list, for the place that changed",
    );
  });
});

test("a view reaches the object around it and the app, both ways", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    const reached = (title: string) => async () => {
      for (const path of ["up", "dots", "root", "twice"]) {
        await eventually(texts(page, `.person .${path}`), [title]);
      }
    };
    await eventually(texts(page, ".person .own"), ["Ann"]);
    await reached("Crew")();
    await page.locator("#title").fill("Gang");
    await reached("Gang")();
    await page.locator(".rename").click();
    await reached("Renamed")();
    await project.run(lua("lead.boss = nil"));
    await eventually(() => page.locator(".boss").count(), 0);
  });
});

test("a tab that has crashed is in nobody's way", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    const context = page.context();
    const doomed = await context.newPage();
    await page.goto("about:blank");
    await doomed.goto(at(`${project.url}?conserve=true`));
    await eventually(texts(doomed, ".person .own"), ["Ann"]);
    const crashed = doomed.waitForEvent("crash");
    const protocol = await context.newCDPSession(doomed);
    // The renderer is gone before it can answer.
    void protocol.send("Page.crash").catch(() => undefined);
    await crashed;
    // Who looks in is told of no other tab, as soon as the browser knows that it is dead.
    await eventually(async () => {
      const next = await context.newPage();
      await next.goto(at(`${project.url}?conserve=true`));
      const shown = next.locator(".person .own, :text('Session is already open')").first();
      const text = await shown.textContent();
      await next.close();
      return text;
    }, "Ann");
  });
});

nodeTest(
  "the overview tells which sessions run, and leads to them",
  { skip: isReal ? false : "needs the real program" },
  async () => {
    const ask = async (tool: string, given: object = {}) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(at(`/ui/api/${tool}`), {
        method: "POST",
        headers,
        body: JSON.stringify(given),
      });
      return (await response.json()) as { result?: any; error?: string };
    };
    const folder = mkdtempSync(join(tmpdir(), "tandem-ui-"));
    assert.equal((await ask("ui_configure", { base_dir: folder })).error, undefined);
    await visit("/ui/", async (page) => {
      await page.getByText("No session runs").waitFor();
      assert.equal((await ask("ui_start")).error, undefined);
      await page.getByText("1 session").waitFor();
      await page.getByText("Nobody is looking").waitFor();
      const link = page.locator("ul.sessions a").first();
      assert.match((await link.getAttribute("href")) ?? "", /^http:\/\/127\.0\.0\.1:\d+\/1\/?/);
    });
    // It ends with the next configuration.
    await ask("ui_configure", { base_dir: folder });
    removeAtEnd(async () => rmSync(folder, { recursive: true, force: true }));
  },
);
