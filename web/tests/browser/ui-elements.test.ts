import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "./browser.ts";
import { Project, test, type App } from "./sessions.ts";

const FIELDS = {
  text: "abc",
  note: "two\nlines",
  slText: "sl",
  slNote: "sl note",
  flag: true,
  slFlag: true,
  slSwitch: false,
  colour: "red",
  count: 3,
  level: 40,
  slRange: 20,
  stars: 2,
  pick: "b",
  many: ["a", "c"],
  slPick: "y",
  slMany: ["x"],
  slRadio: "1",
  slColour: "#ff0000",
  slNumber: 7,
  percent: 30,
  shown: "<b>plain</b>",
  badge: "new",
  custom: "one",
};

const html = `<template><section>
  <input id="text" ui-value="text">
  <textarea id="note" ui-value="note"></textarea>
  <sl-input id="slText" label="Text" ui-value="slText"></sl-input>
  <sl-input id="slNumber" type="number" ui-value="slNumber"></sl-input>
  <sl-textarea id="slNote" ui-value="slNote"></sl-textarea>
  <input id="flag" type="checkbox" ui-value="flag">
  <sl-checkbox id="slFlag" ui-value="slFlag">Check</sl-checkbox>
  <sl-switch id="slSwitch" ui-value="slSwitch">Switch</sl-switch>
  <label><input id="red" type="radio" name="colour" value="red" ui-value="colour">red</label>
  <label><input id="blue" type="radio" name="colour" value="blue" ui-value="colour">blue</label>
  <input id="count" type="number" ui-value="count">
  <input id="level" type="range" min="0" max="100" ui-value="level">
  <sl-range id="slRange" min="0" max="100" ui-value="slRange"></sl-range>
  <sl-rating id="stars" ui-value="stars"></sl-rating>
  <select id="pick" ui-value="pick"><option>a</option><option>b</option><option>c</option></select>
  <select id="many" multiple ui-value="many"><option>a</option><option>b</option><option>c</option></select>
  <sl-select id="slPick" ui-value="slPick"><sl-option value="x">X</sl-option><sl-option value="y">Y</sl-option></sl-select>
  <sl-select id="slMany" multiple ui-value="slMany"><sl-option value="x">X</sl-option><sl-option value="y">Y</sl-option></sl-select>
  <sl-radio-group id="slRadio" ui-value="slRadio"><sl-radio value="1">One</sl-radio><sl-radio value="2">Two</sl-radio></sl-radio-group>
  <sl-color-picker id="slColour" ui-value="slColour"></sl-color-picker>
  <sl-progress-bar id="bar" ui-value="percent"></sl-progress-bar>
  <sl-progress-ring id="ring" ui-value="percent"></sl-progress-ring>
  <sl-qr-code id="qr" ui-value="text"></sl-qr-code>
  <sl-copy-button id="copy" ui-value="text"></sl-copy-button>
  <p id="shown" ui-value="shown"></p>
  <button id="button" ui-value="badge"></button>
  <sl-badge id="badge" ui-value="badge"></sl-badge>
  <span id="custom" ui-value="custom?access=rw"></span>
  <span id="oneway" ui-text="text"></span>
</section></template>`;

const luaOf = (value: unknown): string =>
  Array.isArray(value) ? `{${value.map(luaOf).join(",")}}` : JSON.stringify(value);
const fields = Object.entries(FIELDS).map(([name, value]) => `${name} = ${luaOf(value)}`);

const app: App = {
  viewdefs: { "Form.DEFAULT": html },
  lua: `Form = session:prototype("Form", {})\napp = session:create(Form, { ${fields.join(", ")} })\nif not session.reloading then session:createAppVariable(app) end\n`,
  js: () => ({ type: "Form", ...structuredClone(FIELDS) }),
};

const get = (project: Project, name: keyof typeof FIELDS) =>
  project.run({ lua: `return session:getApp().${name}`, js: (form) => form[name] });
const prop = (page: Page, id: string, name = "value") =>
  page.evaluate(
    ([id, name]) => (document.getElementById(id as string) as any)[name as string],
    [id, name],
  );

test("every kind of element shows its value", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await page.locator("#shown").getByText("<b>plain</b>").waitFor();
    const shows = (id: string, wanted: unknown, name = "value") =>
      eventually(() => prop(page, id, name), wanted);
    await shows("text", "abc");
    await shows("note", "two\nlines");
    await shows("slText", "sl");
    await shows("slNote", "sl note");
    await shows("slNumber", "7");
    await shows("flag", true, "checked");
    await shows("slFlag", true, "checked");
    await shows("slSwitch", false, "checked");
    await shows("red", true, "checked");
    await shows("blue", false, "checked");
    await shows("count", "3");
    await shows("level", "40");
    await shows("slRange", 20);
    await shows("stars", 2);
    await shows("pick", "b");
    await shows("slPick", "y");
    await shows("slMany", ["x"]);
    await shows("slRadio", "1");
    await shows("bar", 30);
    await shows("ring", 30);
    await shows("qr", "abc");
    await shows("copy", "abc");
    await shows("slColour", "#ff0000");
    await shows("button", "new", "textContent");
    await shows("badge", "new", "textContent");
    await shows("oneway", "abc", "textContent");
    const chosen = page
      .locator("#many")
      .evaluate((select) =>
        [...(select as HTMLSelectElement).selectedOptions].map(({ value }) => value),
      );
    assert.deepEqual(await chosen, ["a", "c"]);
  });
});

test("a person's edit of every editable element reaches the server", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await page.locator("#shown").getByText("plain").waitFor();
    await page.locator("sl-rating").evaluate((one) => (one as any).updateComplete);
    const sends = async (name: keyof typeof FIELDS, wanted: unknown) =>
      eventually(() => get(project, name), wanted);
    await page.locator("#text").fill("typed");
    await page.locator("#note").fill("one");
    await sends("text", "typed");
    await page.locator("#slText input").fill("shoelace");
    await page.locator("#slNote textarea").fill("longer");
    await sends("note", "one");
    await sends("slText", "shoelace");
    await page.locator("#slNumber input").fill("12");
    await page.locator("#flag").click();
    await sends("slNote", "longer");
    await sends("slNumber", 12);
    await sends("flag", false);
    await page.locator("#slFlag").click();
    await sends("slFlag", false);
    await page.locator("#slSwitch").click();
    await sends("slSwitch", true);
    await page.locator("#blue").click();
    await sends("colour", "blue");
    await page.locator("#red").click();
    await sends("colour", "red");
    await page.locator("#count").fill("8");
    await page.locator("#level").focus();
    await sends("count", 8);
    await page.keyboard.press("ArrowRight");
    await sends("level", 41);
    await page.locator("#slRange input").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Tab");
    await sends("slRange", 21);
    await page.locator("#stars").focus();
    await page.keyboard.press("ArrowRight");
    await sends("stars", 3);
    await page.locator("#pick").selectOption("c");
    await sends("pick", "c");
    await page.locator("#many").selectOption(["b"]);
    await sends("many", ["b"]);
    await page.locator("#slPick").click();
    await page.locator("#slPick sl-option[value=x]").click();
    await sends("slPick", "x");
    await page.locator("#slMany").click();
    await page.locator("#slMany sl-option[value=y]").click();
    await sends("slMany", ["x", "y"]);
    await page.keyboard.press("Escape");
    await page.locator("#slRadio sl-radio[value='2']").click();
    await sends("slRadio", "2");
    await page.locator("#slColour").evaluate((picker: any) => {
      picker.value = "#00ff00";
      picker.dispatchEvent(new CustomEvent("sl-change"));
    });
    await sends("slColour", "#00ff00");
    await page.locator("#custom").evaluate((span) => {
      span.dispatchEvent(new CustomEvent("ui-value-change", { detail: { value: "two" } }));
    });
    await sends("custom", "two");
    await page.evaluate(() => (window as any).uiApp.updateValue("text", "by script"));
    await sends("text", "by script");
    assert.equal(await prop(page, "text"), "by script");
  });
});

test("what the server changes is shown by every kind of element", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await page.locator("#shown").getByText("plain").waitFor();
    const changes: [keyof typeof FIELDS, unknown, string, unknown, string?][] = [
      ["text", "new", "text", "new"],
      ["slText", "new", "slText", "new"],
      ["flag", false, "flag", false, "checked"],
      ["slSwitch", true, "slSwitch", true, "checked"],
      ["colour", "blue", "blue", true, "checked"],
      ["level", 10, "level", "10"],
      ["slRange", 5, "slRange", 5],
      ["stars", 5, "stars", 5],
      ["pick", "a", "pick", "a"],
      ["slPick", "x", "slPick", "x"],
      ["slMany", ["x", "y"], "slMany", ["x", "y"]],
      ["slRadio", "2", "slRadio", "2"],
      ["percent", 90, "bar", 90],
      ["badge", "old", "badge", "old", "textContent"],
    ];
    for (const [name, value, id, wanted, property] of changes) {
      await project.run({
        lua: `session:getApp().${name} = ${luaOf(value)}`,
        js: (form) => void (form[name] = value),
      });
      await eventually(() => prop(page, id, property ?? "value"), wanted);
    }
    await project.run({
      lua: `session:getApp().text = nil session:getApp().pick = nil`,
      js: (form) => void Object.assign(form, { text: null, pick: null }),
    });
    await eventually(() => prop(page, "text"), "");
    await eventually(() => prop(page, "pick"), "");
  });
});
