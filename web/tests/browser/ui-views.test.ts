import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "./browser.ts";
import { Project, test, type App } from "./sessions.ts";

/** A root with some fields, two kinds of children, and methods that count. */
const app: App = {
  viewdefs: {
    "Desk.DEFAULT": `<template>
      <main id="desk">
        <h1 ui-value="title" ui-class-loud="isLoud" ui-style-color="colour" ui-attr-title="hint" ui-attr-hidden="isHidden"></h1>
        <input id="name" ui-value="name">
        <input id="live" ui-value="live?keypress">
        <button id="save" ui-action="save()">Save</button>
        <button id="pick" value="seven" ui-action="pick(_)">Pick</button>
        <button id="fail" ui-action="fail()">Fail</button>
        <input id="broken" ui-value="missing.field">
        <output id="saved" ui-value="saved"></output>
        <div id="rich" ui-html="rich"></div>
        <i id="gone" ui-html="rich?replace"></i>
        <div id="coded" ui-code="code"></div>
        <div id="picked" ui-view="picked" class="outer big" style="color: red" ui-class-loud="isLoud"></div>
        <div id="compact" ui-namespace="compact"><p ui-view="picked"></p></div>
        <div id="log" style="height: 60px; overflow: auto" ui-viewlist="lines?scrollOnOutput"></div>
      </main></template>`,
    "Person.DEFAULT": `<template><article class="person" style="margin: 1px"><b ui-value="name"></b><input class="field" ui-value="name"></article><script>window.ran = (window.ran ?? 0) + 1;</script></template>`,
    "Person.compact": `<template><em ui-value="name"></em></template>`,
    "Place.DEFAULT": `<template><address ui-value="name"></address></template>`,
    "Line.list-item": `<template><div style="height: 30px" ui-value="text"></div></template>`,
  },
  lua: `
Desk = session:prototype("Desk", { saved = "" })
Person = session:prototype("Person", {})
Place = session:prototype("Place", {})
Line = session:prototype("Line", {})
function Desk:save() self.saved = self.saved .. "[" .. tostring(self.name) .. "]" end
function Desk:pick(v) self.saved = v end
function Desk:fail() error("no way") end
if not session.reloading then
  app = session:create(Desk, { title = "Hello", name = "Ann", live = "", colour = "rgb(1, 2, 3)", isLoud = true, rich = "<b>bold</b>", lines = {},
    code = "element.dataset.code = value.length" })
  session:createAppVariable(app)
end
`,
  js: () => ({
    type: "Desk",
    saved: "",
    title: "Hello",
    name: "Ann",
    live: "",
    colour: "rgb(1, 2, 3)",
    isLoud: true,
    rich: "<b>bold</b>",
    lines: [],
    code: "element.dataset.code = value.length",
    save(this: any) {
      this.saved += `[${this.name}]`;
    },
    pick(this: any, value: string) {
      this.saved = value;
    },
    fail() {
      throw new Error("no way");
    },
  }),
};

const ann = {
  lua: `session:getApp().picked = session:create(Person, { name = "Ann" })`,
  js: (desk: any) => void (desk.picked = { type: "Person", name: "Ann" }),
};
const bob = {
  lua: `session:getApp().picked = session:create(Person, { name = "Bob" })`,
  js: (desk: any) => void (desk.picked = { type: "Person", name: "Bob" }),
};
const rome = {
  lua: `session:getApp().picked = session:create(Place, { name = "Rome" })`,
  js: (desk: any) => void (desk.picked = { type: "Place", name: "Rome" }),
};
const nobody = {
  lua: `session:getApp().picked = nil`,
  js: (desk: any) => void (desk.picked = null),
};

const desk = (page: Page) => page.locator("#desk").waitFor();

test("bindings that show: text, class, style, attribute, markup, code", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await desk(page);
    const title = page.locator("h1");
    assert.equal(await title.textContent(), "Hello");
    assert.equal(await title.evaluate((h) => h.classList.contains("loud")), true);
    assert.equal(await title.evaluate((h) => (h as HTMLElement).style.color), "rgb(1, 2, 3)");
    assert.equal(await title.getAttribute("title"), null);
    assert.equal(await page.locator("#rich b").textContent(), "bold");
    assert.equal(await page.locator("#gone").count(), 0, "replaced by its markup");
    assert.equal(await page.locator("#desk > b").textContent(), "bold");
    assert.equal(await page.locator("#coded").getAttribute("data-code"), "35");
    await project.run({
      lua: `local a = session:getApp() a.isLoud = false a.hint = true a.colour = nil a.rich = "<u>1</u><u>2</u>" a.code = "element.dataset.code = variable.id > 0 && store.get(1).type"`,
      js: (a) =>
        void Object.assign(a, {
          isLoud: false,
          hint: true,
          colour: null,
          rich: "<u>1</u><u>2</u>",
          code: "element.dataset.code = variable.id > 0 && store.get(1).type",
        }),
    });
    await eventually(() => page.locator("#desk > u").count(), 2);
    assert.equal(await title.getAttribute("title"), "true");
    assert.equal(await title.evaluate((h) => h.className), "");
    assert.equal(await title.evaluate((h) => (h as HTMLElement).style.color), "");
    assert.equal(await page.locator("#coded").getAttribute("data-code"), "Desk");
  });
});

test("what was typed is there before the action that a key or a click runs", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await desk(page);
    await page.locator("#name").fill("Eve");
    // No blur: a click by script leaves the focus where it is.
    await page.locator("#save").evaluate((button) => (button as HTMLElement).click());
    await eventually(() => page.locator("#saved").textContent(), "[Eve]");
    await page.locator("#pick").click();
    await eventually(() => page.locator("#saved").textContent(), "seven");
    await page.locator("#live").pressSequentially("ab");
    await eventually(
      () => project.run({ lua: "return session:getApp().live", js: (a) => a.live }),
      "ab",
    );
  });
});

test("an element that is being edited keeps its text unless the server really changed it", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await desk(page);
    const name = page.locator("#name");
    await name.focus();
    await page.keyboard.type("X");
    const other = {
      lua: `session:getApp().title = "Other"`,
      js: (a: any) => void (a.title = "Other"),
    };
    await project.run(other);
    await eventually(() => page.locator("h1").textContent(), "Other");
    const typed = await name.inputValue();
    assert.match(typed, /X/);
    await project.run({ lua: `session:getApp().name = "Zoe"`, js: (a) => void (a.name = "Zoe") });
    await eventually(() => name.inputValue(), "Zoe");
  });
});

test("errors mark the element, are announced, and are gone with the next success", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await desk(page);
    const broken = page.locator("#broken");
    await broken.fill("x");
    await page.locator("#name").focus();
    await eventually(() => broken.getAttribute("ui-error-code"), "path-failure");
    assert.equal(await broken.getAttribute("aria-invalid"), "true");
    assert.match((await broken.getAttribute("class")) ?? "", /ui-error/);
    await project.run({ lua: `session:getApp().missing = {}`, js: (a) => void (a.missing = {}) });
    await broken.fill("y");
    await page.locator("#name").focus();
    await eventually(() => broken.getAttribute("aria-invalid"), null);
    assert.equal(await broken.getAttribute("ui-error-code"), null);
    await page.locator("#fail").click();
    await page.getByRole("alert").getByText("no way").waitFor();
    await eventually(() => page.locator("#fail").getAttribute("ui-error-code"), "lua-error");
  });
});

test("a view takes its element's place, keeps its elements for another object, and is gone with it", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await desk(page);
    assert.equal(await page.locator("#picked").innerHTML(), "");
    await project.run(ann);
    const picked = page.locator("#picked");
    await picked.locator("b").getByText("Ann").waitFor();
    assert.equal(await picked.evaluate((one) => one.localName), "article");
    assert.equal(await picked.getAttribute("ui-viewdef"), "Person.DEFAULT");
    assert.deepEqual(await picked.evaluate((one) => [...one.classList].sort()), [
      "big",
      "loud",
      "outer",
      "person",
    ]);
    assert.match((await picked.getAttribute("style")) ?? "", /margin: 1px; color: red/);
    assert.equal(await page.locator("#compact em").textContent(), "Ann");
    assert.equal(await page.evaluate(() => (window as any).ran), 1);
    await picked.evaluate((one) => ((one as any).mark = 1));
    await project.run(bob);
    await picked.locator("b").getByText("Bob").waitFor();
    assert.equal(await picked.evaluate((one) => (one as any).mark), 1, "the same element");
    assert.equal(await page.evaluate(() => (window as any).ran), 1);
    await project.run(rome);
    await page.locator("address#picked").getByText("Rome").waitFor();
    await project.run(nobody);
    await eventually(() => picked.evaluate((one) => one.localName + one.innerHTML), "div");
    assert.equal(await page.locator("#compact em").count(), 0);
    await project.run(ann);
    await picked.locator("b").getByText("Ann").waitFor();
  });
});

test("a view shows nothing empty and nothing old on its way from one type to another", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await desk(page);
    await project.run(ann);
    await page.locator("#picked b").getByText("Ann").waitFor();
    await page.evaluate(() => {
      const seen = ((window as any).seen = [] as string[]);
      const look = () => {
        const one = document.getElementById("picked");
        seen.push(`${one?.localName} ${one?.textContent}`);
      };
      new MutationObserver(look).observe(document.getElementById("desk") as Element, {
        childList: true,
        subtree: true,
        characterData: true,
      });
    });
    await project.run(rome);
    await page.locator("address#picked").getByText("Rome").waitFor();
    const seen = (await page.evaluate(() => (window as any).seen)) as string[];
    assert.deepEqual([...new Set(seen)], ["address Rome"]);
  });
});

test("a log stays at its end until the reader leaves it", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await desk(page);
    const add = (text: string) =>
      project.run({
        lua: `local l = session:getApp().lines l[#l + 1] = session:create(Line, { text = "${text}" })`,
        js: (a) => void a.lines.push({ type: "Line", text }),
      });
    for (const text of ["a", "b", "c", "d", "e"]) await add(text);
    const log = page.locator("#log");
    await log.getByText("e", { exact: true }).waitFor();
    await eventually(() => log.evaluate((one) => one.scrollTop), 90);
    await log.evaluate((one) => (one.scrollTop = 0));
    await new Promise((done) => setTimeout(done, 100));
    await add("f");
    await log.getByText("f", { exact: true }).waitFor();
    assert.equal(await log.evaluate((one) => one.scrollTop), 0);
  });
});
