import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "./browser.ts";
import { Project, test, type App, type Change } from "./sessions.ts";

const NAMES = ["Ann", "Bob", "Cid"];

const app: App = {
  viewdefs: {
    "Team.DEFAULT": `<template><section id="team">
      <ul id="plain" ui-viewlist="people"><li class="row" ui-class-best="isBest"></li></ul>
      <div id="wrapped" ui-view="people?wrapper=lua.ViewList"></div>
      <select id="choice" ui-value="chosen" ui-viewlist="people" ui-namespace="line"><option></option></select>
    </section></template>`,
    "Person.list-item": `<template><div><input class="name" ui-value="name"><span class="tags" ui-viewlist="tags"></span><button class="up" ui-action="up()">Up</button></div></template>`,
    "Person.line": `<template><option ui-attr-value="name" ui-value="name"></option></template>`,
    "Tag.list-item": `<template><b ui-value="text"></b></template>`,
    "Firm.list-item": `<template><p class="firm" ui-value="name"></p></template>`,
  },
  lua: `
Team = session:prototype("Team", {})
Person = session:prototype("Person", { ups = 0 })
Tag = session:prototype("Tag", {})
Firm = session:prototype("Firm", {})
function Person:up() self.ups = self.ups + 1 self.name = self.name .. "+" end
function person(name)
  local p = session:create(Person, { name = name, tags = {} })
  p.tags = { session:create(Tag, { text = name .. "1" }) }
  return p
end
if not session.reloading then
  app = session:create(Team, { people = {}, chosen = "Bob" })
  for _, name in ipairs({ "Ann", "Bob", "Cid" }) do table.insert(app.people, person(name)) end
  session:createAppVariable(app)
end
`,
  js: () => ({ type: "Team", people: NAMES.map(person), chosen: "Bob" }),
};

function person(name: string) {
  return {
    type: "Person",
    name,
    ups: 0,
    tags: [{ type: "Tag", text: `${name}1` }],
    up(this: { name: string }) {
      this.name += "+";
    },
  };
}

const order = (...places: number[]): Change => ({
  lua: `local a = session:getApp() local o = a.people a.people = { ${places.map((n) => `o[${n + 1}]`).join(", ")} }`,
  js: (a) => void (a.people = places.map((n) => a.people[n])),
});
const insert = (name: string): Change => ({
  lua: `table.insert(session:getApp().people, 1, person("${name}"))`,
  js: (a) => void (a.people = [person(name), ...a.people]),
});

const names =
  (page: Page, list = "#plain") =>
  () =>
    page
      .locator(`${list} input.name`)
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
const marks = (page: Page) =>
  page
    .locator("#plain li, #plain > div")
    .evaluateAll((all) => all.map((one) => (one as any).mark ?? "new"));

async function ready(page: Page): Promise<void> {
  await eventually(names(page), NAMES);
  await eventually(names(page, "#wrapped"), NAMES);
  await page
    .locator("#plain > div")
    .evaluateAll((all) => all.forEach((one, n) => ((one as any).mark = n)));
}

test("rows move with their objects, and what is in them stays", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await ready(page);
    assert.equal(await page.locator("#plain > .row").count(), 3, "the pattern's class");
    const bob = page.locator("#plain input.name").nth(1);
    await bob.focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" half");
    await project.run(order(2, 0, 1));
    await eventually(() => marks(page), [2, 0, 1]);
    assert.deepEqual(await names(page)(), ["Cid", "Ann", "Bob half"]);
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).value);
    assert.equal(await focused(), "Bob half");
    assert.deepEqual(
      await page.locator("#plain .tags").evaluateAll((all) => all.map((one) => one.textContent)),
      ["Cid1", "Ann1", "Bob1"],
    );
    await page.keyboard.type("!");
    await page.keyboard.press("Tab");
    await eventually(
      () =>
        project.run({ lua: "return session:getApp().people[3].name", js: (a) => a.people[2].name }),
      "Bob half!",
    );
    await page.locator("#plain .up").nth(0).click();
    await eventually(names(page), ["Cid+", "Ann", "Bob half!"]);
  });
});

test("rows are added in front and taken from the middle without touching the others", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await ready(page);
    await project.run(insert("Zoe"));
    await eventually(names(page), ["Zoe", ...NAMES]);
    await eventually(() => marks(page), ["new", 0, 1, 2]);
    await eventually(names(page, "#wrapped"), ["Zoe", ...NAMES]);
    await eventually(
      () => page.locator("#plain .tags b").evaluateAll((all) => all.map((one) => one.textContent)),
      ["Zoe1", "Ann1", "Bob1", "Cid1"],
    );
    await page.locator("#plain .up").nth(3).click();
    await eventually(names(page), ["Zoe", "Ann", "Bob", "Cid+"]);
    await project.run(order(0, 3));
    await eventually(names(page), ["Zoe", "Cid+"]);
    assert.deepEqual(await marks(page), ["new", 2]);
    await project.run(order());
    await eventually(names(page), []);
    await eventually(names(page, "#wrapped"), []);
    await project.run(insert("Eve"));
    await eventually(names(page), ["Eve"]);
    await eventually(names(page, "#wrapped"), ["Eve"]);
  });
});

test("an object of another type in the same place is drawn anew", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await ready(page);
    await project.run({
      lua: `session:getApp().people[2] = session:create(Firm, { name = "Acme" })`,
      js: (a) => void (a.people = [a.people[0], { type: "Firm", name: "Acme" }, a.people[2]]),
    });
    await page.locator("#plain p.firm").getByText("Acme").waitFor();
    await eventually(names(page), ["Ann", "Cid"]);
    await project.run(order(1, 2, 0));
    await eventually(names(page), ["Cid", "Ann"]);
    assert.equal(await page.locator("#plain > :first-child").textContent(), "Acme");
  });
});

test("a choice is shown also when its lines come later", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await ready(page);
    const choice = page.locator("#choice");
    await eventually(() => choice.inputValue(), "Bob");
    await project.run(insert("Zoe"));
    await eventually(() => choice.locator("option").count(), 4);
    await eventually(() => choice.inputValue(), "Bob");
  });
});

test("variables of rows that are gone are gone, too", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await ready(page);
    const size = () => page.evaluate(() => (window as any).uiApp.getStore().size as number);
    const before = await size();
    for (let n = 0; n < 5; n += 1) {
      await project.run(insert(`N${n}`));
      await eventually(() => page.locator("#plain > div").count(), 4);
      await project.run(order(1, 2, 3));
      await eventually(() => page.locator("#plain > div").count(), 3);
    }
    await eventually(names(page), NAMES);
    await eventually(names(page, "#wrapped"), NAMES);
    await eventually(size, before);
    const ids = await page.evaluate(() => {
      const all = [...document.querySelectorAll("[id]")].map(({ id }) => id);
      return all.filter((id, index) => all.indexOf(id) !== index);
    });
    assert.deepEqual(ids, [], "no id twice");
  });
});
