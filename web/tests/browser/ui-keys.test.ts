import { eventually } from "./browser.ts";
import { Project, test, type App } from "./sessions.ts";

const app: App = {
  viewdefs: {
    "Keys.DEFAULT": `<template><section id="keys" tabindex="0"
        ui-event-keypress-ctrl-s="press(_)" ui-event-keypress-shift-ctrl-k="both()" ui-event-keypress-left="press(_)"
        ui-event-keypress-f2="last" ui-event-keypress-delete="press(_)">
      <input id="line" ui-value="line" ui-event-keypress-enter="send()" ui-event-keypress-escape="clear()">
      <button id="twice" ui-event-dblclick="twice()">Twice</button>
      <sl-select id="pick" ui-value="pick" ui-event-sl-change="picked()"><sl-option value="a">A</sl-option><sl-option value="b">B</sl-option></sl-select>
      <output id="log" ui-value="log"></output>
    </section></template>`,
  },
  lua: `
Keys = session:prototype("Keys", { log = "", line = "", last = "", pick = "a" })
function Keys:press(key) self.log = self.log .. key .. ";" end
function Keys:both() self.log = self.log .. "both;" end
function Keys:send() self.log = self.log .. "<" .. self.line .. ">" self.line = "" end
function Keys:clear() self.log = "" end
function Keys:twice() self.log = self.log .. "twice;" end
function Keys:picked() self.log = self.log .. "picked " .. self.pick .. ";" end
if not session.reloading then session:createAppVariable(session:create(Keys, {})) end
`,
  js: () => ({
    type: "Keys",
    log: "",
    line: "",
    last: "",
    pick: "a",
    press(this: any, key: string) {
      this.log += `${key};`;
    },
    both(this: any) {
      this.log += "both;";
    },
    send(this: any) {
      this.log += `<${this.line}>`;
      this.line = "";
    },
    clear(this: any) {
      this.log = "";
    },
    twice(this: any) {
      this.log += "twice;";
    },
    picked(this: any) {
      this.log += `picked ${this.pick};`;
    },
  }),
};

test("keys with exactly their modifiers call, pass their name, or set it", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    const log = page.locator("#log");
    const keys = page.locator("#keys");
    await keys.focus();
    await page.keyboard.press("Control+s");
    await eventually(() => log.textContent(), "s;");
    await page.keyboard.press("Control+Shift+s");
    await page.keyboard.press("Control+Shift+K");
    await eventually(() => log.textContent(), "s;both;");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("F2");
    await eventually(
      () => project.run({ lua: "return session:getApp().last", js: (a) => a.last }),
      "f2",
    );
    await eventually(() => log.textContent(), "s;both;left;delete;");
  });
});

test("a line is sent with the key that ends it, and what it holds arrives first", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    const line = page.locator("#line");
    await line.focus();
    await page.keyboard.type("hello");
    await page.keyboard.press("Enter");
    await eventually(() => page.locator("#log").textContent(), "<hello>");
    await eventually(() => line.inputValue(), "");
    await page.keyboard.type("again");
    await page.keyboard.press("Enter");
    await eventually(() => page.locator("#log").textContent(), "<hello><again>");
    await page.keyboard.press("Escape");
    await eventually(() => page.locator("#log").textContent(), "");
  });
});

test("any event of an element or a component calls its method, after the value it comes with", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await page.locator("#twice").dblclick();
    await eventually(() => page.locator("#log").textContent(), "twice;");
    await page.locator("#pick").click();
    await page.locator("#pick sl-option[value=b]").click();
    await eventually(() => page.locator("#log").textContent(), "twice;picked b;");
  });
});
