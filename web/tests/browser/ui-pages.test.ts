import assert from "node:assert/strict";
import { test as nodeTest } from "node:test";
import { serveUi } from "../mock/ui/serve.ts";
import { Session } from "../mock/ui/session.ts";
import { assertFits, at, eventually, visit } from "./browser.ts";
import { Project, test, type App } from "./sessions.ts";

const NASTY = `<img src=x onerror="document.title='hacked'"> ${"long ".repeat(40)}`;

const app: App = {
  viewdefs: {
    "Shop.DEFAULT": `<template><main id="shop"><h1 ui-value="title"></h1><p ui-value="nasty"></p><i ui-value="boom()"></i>
      <ul ui-viewlist="wares"></ul><sl-button id="go" ui-action="go()"><sl-icon name="cart-plus"></sl-icon> Buy</sl-button></main></template>`,
    "Ware.list-item": `<template><li ui-value="name"></li></template>`,
  },
  lua: `
Shop = session:prototype("Shop", {})
Ware = session:prototype("Ware", {})
function Shop:boom() error("it <broke>") end
function Shop:go() self.title = "Gone" end
session:createAppVariable(session:create(Shop, { title = "Shop", nasty = [[${NASTY}]], wares = { session:create(Ware, { name = "Tea" }) } }))
`,
  js: () => ({
    type: "Shop",
    title: "Shop",
    nasty: NASTY,
    wares: [{ type: "Ware", name: "Tea" }],
    boom() {
      throw new Error("it <broke>");
    },
    go(this: any) {
      this.title = "Gone";
    },
  }),
};

// spec: ui 8.2
test("the debug page shows every variable as a tree, all text as text, and keeps up", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await page.locator("#shop h1").getByText("Shop").waitFor();
    const debug = await page.context().newPage();
    await debug.goto(at(`${project.base}debug/variables?session=1`));
    const tree = debug.locator("sl-tree");
    await tree.locator("#var-1 > .line .type").getByText("Shop", { exact: true }).waitFor();
    const value = tree.locator(".value", { hasText: "onerror" });
    assert.equal(
      (await value.getAttribute("title"))?.includes("long long"),
      true,
      "the whole as tooltip",
    );
    assert.equal([...((await value.textContent()) ?? "")].length, 101);
    assert.equal(await debug.title(), "Variables of session 1");
    assert.equal(await debug.locator("main img").count(), 0);
    const error = tree.locator(".error", { hasText: "it <broke>" });
    await error.waitFor();
    const [red = 0, green = 0] = await error.evaluate((one) =>
      (getComputedStyle(one).color.match(/[\d.]+/g) ?? []).map(Number),
    );
    assert.ok(red > 2 * green, "errors are red");
    await project.run({
      lua: `session:getApp().title = "Market"`,
      js: (a) => void (a.title = "Market"),
    });
    await tree.locator(".value").getByText('"Market"').waitFor();
    await debug.locator("#live").uncheck();
    await project.run({
      lua: `session:getApp().title = "Fair"`,
      js: (a) => void (a.title = "Fair"),
    });
    await debug.locator("#refresh").click();
    await tree.locator(".value").getByText('"Fair"').waitFor();
    await debug.goto(at(`${project.base}1/variables`));
    await debug.locator("#var-1").waitFor();
  });
});

test("components, their icons and themes come from the server itself", async () => {
  const project = await Project.with(app);
  const colours: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await project.open(
      async (page) => {
        await page.locator("sl-button svg use, sl-icon svg use").waitFor({ state: "attached" });
        await eventually(
          () =>
            page.evaluate(
              () =>
                document
                  .querySelector("sl-icon")
                  ?.shadowRoot?.querySelector("use")
                  ?.getBoundingClientRect().width !== 0,
            ),
          true,
        );
        colours.push(
          await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
        );
        await page.locator("#go").click();
        await page.locator("h1").getByText("Gone").waitFor();
        await assertFits(page);
      },
      { colorScheme, viewport: { width: 360, height: 640 } },
    );
    await project.run({
      lua: `session:getApp().title = "Shop"`,
      js: (a) => void (a.title = "Shop"),
    });
  }
  assert.equal(new Set(colours).size, 2, colours.join());
});

nodeTest("a session that is gone is said to be, and the page can be loaded again", async () => {
  const sessions = new Map([["1", new Session(app.js(), app.viewdefs)]]);
  const first = await serveUi(sessions);
  const { port } = new URL(first.url);
  await visit(`${first.url}1/`, async (page) => {
    await page.locator("#shop").waitFor();
    await first.stop();
    sessions.delete("1");
    const second = await serveUi(sessions, Number(port));
    await page.locator(".ui-notice").getByText("Session 1 is gone").waitFor();
    await page.locator(".ui-notice").getByRole("button", { name: "Reload" }).waitFor();
    // It comes back by itself if the session does.
    sessions.set("1", new Session(app.js(), app.viewdefs));
    await eventually(() => page.locator(".ui-notice").isHidden(), true);
    await page.locator("#go").click();
    await page.locator("h1").getByText("Gone").waitFor();
    await second.stop();
  });
});

nodeTest("the page works below a prefix, at any depth", async () => {
  const sessions = new Map([["7", new Session(app.js(), app.viewdefs)]]);
  const { url, stop } = await serveUi(sessions, 0, "/ui/s/");
  await visit(`${url}7/some/where?x=1`, async (page) => {
    await page.locator("h1").getByText("Shop").waitFor();
    await page.locator("#go").click();
    await page.locator("h1").getByText("Gone").waitFor();
  });
  await stop();
});

nodeTest(
  "an app without a view definition, and one that cannot start, say what is missing",
  async () => {
    const session = new Session({ type: "Bare" }, {});
    const { url, stop } = await serveUi(new Map([["1", session]]));
    await visit(`${url}1/`, async (page) => {
      await page
        .getByRole("status")
        .getByText("Waiting for a view definition: Bare.DEFAULT")
        .waitFor();
      for (const link of session.links) {
        const data = { varId: 0, code: "lua-error", description: "main.lua:3: oh" };
        link.send([{ type: "error", data }]);
      }
      await page.getByRole("status").getByText("lua-error: main.lua:3: oh").waitFor();
      session.upload("Bare.DEFAULT", `<p id="bare">now</p>`);
      await page.locator("#bare").waitFor();
    });
    await stop();
  },
);
