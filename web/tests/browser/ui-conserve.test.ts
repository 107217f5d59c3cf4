import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { at, eventually } from "./browser.ts";
import { Project, test, type App } from "./sessions.ts";

const app: App = {
  viewdefs: { "Plain.DEFAULT": `<template><h1 id="app" ui-value="title"></h1></template>` },
  lua: `session:createAppVariable(session:create(session:prototype("Plain", {}), { title = "Here" }))`,
  js: () => ({ type: "Plain", title: "Here" }),
};

/** Notifications are noted in place of being shown. */
function noteNotifications(): void {
  const seen: { title: string; click(): void }[] = [];
  class Noted {
    static permission = "granted";
    static requestPermission = async () => "granted";
    onclick: (() => void) | undefined;
    constructor(title: string) {
      seen.push({ title, click: () => this.onclick?.() });
    }
    close(): void {}
  }
  Object.assign(window, { Notification: Noted, seen });
  window.focus = () => Object.assign(window, { wasFocused: true });
}

const isShown = (page: Page) => eventually(() => page.locator("#app").textContent(), "Here");
const titles = (page: Page) => () =>
  page.evaluate(() => (window as any).seen.map((one: any) => one.title));

// spec: ui 6.1
test("a second tab of a session that is conserved says so, and opens nothing", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await page.context().addInitScript(noteNotifications);
    await page.goto(at(`${project.url}?conserve=true`));
    await isShown(page);
    const second = await page.context().newPage();
    let sockets = 0;
    second.on("websocket", () => (sockets += 1));
    await second.goto(at(`${project.url}?conserve=true`));
    await second.getByRole("heading", { name: "Session is already open" }).waitFor();
    await second.getByRole("link", { name: "Close this page" }).waitFor();
    assert.equal(await second.locator("#app").count(), 0);
    await eventually(titles(page), ["Session 1 is already active in another tab."]);
    await page.evaluate(() => (window as any).seen[0].click());
    assert.equal(await page.evaluate(() => (window as any).wasFocused), true);
    assert.equal(sockets, 0);
    await second.getByRole("link", { name: "Close this page" }).click();
    await eventually(
      async () =>
        second.isClosed() ||
        (await second.locator("main p").first().textContent())?.includes("closed"),
      true,
    );
  });
});

test("a tab without the parameter is found as well, and does not ask itself", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await isShown(page);
    const second = await page.context().newPage();
    await second.goto(at(project.url));
    await isShown(second);
    const third = await page.context().newPage();
    await third.goto(at(`${project.url}?conserve=true`));
    await third.getByText("Session is already open").waitFor();
  });
});

test("a tab that is gone is in nobody's way", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await page.goto(at(`${project.url}?conserve=true`));
    await isShown(page);
    // The page loads itself anew: it is not another tab.
    await page.reload();
    await isShown(page);
    const second = await page.context().newPage();
    await second.goto(at(project.url));
    await isShown(second);
    await page.goto("about:blank");
    await second.close();
    const third = await page.context().newPage();
    await third.goto(at(`${project.url}?conserve=true`));
    await isShown(third);
  });
});

test("without a shared worker the tabs call each other, and without that the page loads", async () => {
  const project = await Project.with(app);
  await project.open(async (page) => {
    await page.context().addInitScript(() => Reflect.deleteProperty(window, "SharedWorker"));
    await page.goto(at(`${project.url}?conserve=true`));
    await isShown(page);
    const second = await page.context().newPage();
    await second.goto(at(`${project.url}?conserve=true`));
    await second.getByText("Session is already open").waitFor();
    const third = await page.context().newPage();
    await third.addInitScript(() => Reflect.deleteProperty(window, "BroadcastChannel"));
    await third.goto(at(`${project.url}?conserve=true`));
    await isShown(third);
  });
});
