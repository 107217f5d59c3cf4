import assert from "node:assert/strict";
import { eventually } from "./browser.ts";
import { changeFiles, Project, specText, test, TWO } from "./projects.ts";

const LOGIN = specText("Auth", "Login", "Logout").replace(
  "The system SHALL do Login.",
  "The system SHALL lock the account after five wrong passwords in a row.",
);
const FILES = { ...TWO, "specs/auth/spec.md": LOGIN };

test("without an index the search says so and builds it, and the answer follows by itself", async () => {
  const project = await Project.with(FILES);
  await project.open("", async (page) => {
    await page.keyboard.press("/");
    const box = page.getByRole("combobox", { name: "Search requirements" });
    await eventually(() => box.evaluate((input) => input === document.activeElement), true);
    await page.keyboard.type("wrong passwords");
    await page.locator(".search-panel").getByText(/index/i).first().waitFor();
    await page.locator(".search-panel").getByRole("button", { name: "Build the index" }).click();
    const first = page.getByRole("option").first();
    await first.getByText("Login").waitFor();
    await page.locator(".side").getByText("The search index is up to date").waitFor();
    assert.equal(await page.getByRole("button", { name: "Build the index" }).count(), 0);
  });
});

test("results come while typing, are chosen by arrows and opened by enter", async () => {
  const project = await Project.with(FILES);
  await project.ask("POST", "index");
  await project.open("", async (page) => {
    const box = page.getByRole("combobox", { name: "Search requirements" });
    await box.click();
    await page.keyboard.type("account locked after wrong passwords");
    const first = page.getByRole("option").first();
    await first.getByText("Login", { exact: true }).waitFor();
    await first.getByText("auth", { exact: true }).waitFor();
    await first.locator("mark", { hasText: "passwords" }).waitFor();
    await first.getByRole("img", { name: /^nearness \d+ of 100$/ }).waitFor();
    assert.equal(await first.getAttribute("aria-selected"), "true");
    assert.equal(await box.getAttribute("aria-activedescendant"), "hit-0");
    await page.keyboard.press("ArrowUp");
    const count = await page.getByRole("option").count();
    assert.equal(await box.getAttribute("aria-activedescendant"), `hit-${count - 1}`);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Login" }).waitFor();
    assert.equal(new URL(page.url()).hash, "#/spec/auth/Login");
    assert.equal(await page.locator(".search-panel").isVisible(), false);
    await box.click();
    await page.getByRole("option").first().click();
    await eventually(() => page.locator(".search-panel").isVisible(), false);
  });
});

test("an answer that is not wanted any more is not shown, however late it comes", async () => {
  const project = await Project.with(FILES);
  await project.ask("POST", "index");
  await project.open("", async (page) => {
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    await page.route("**/search?query=slow*", async (route) => {
      await held;
      const results = [{ spec_id: "old", requirement: "Old", score: 0.9, snippet: "old" }];
      // The page may have ended the request meanwhile.
      await route.fulfill({ json: { results } }).catch(() => undefined);
    });
    const box = page.getByRole("combobox", { name: "Search requirements" });
    const asked = page.waitForRequest((request) => request.url().includes("query=slow"));
    await box.fill("slow");
    await asked;
    await box.fill("account locked after wrong passwords");
    await page.getByRole("option").first().getByText("Login", { exact: true }).waitFor();
    release();
    await page.waitForTimeout(200);
    assert.equal(await page.getByText("Old", { exact: true }).count(), 0);
    await page.getByRole("option").first().getByText("Login", { exact: true }).waitFor();
  });
});

test("typing fast asks once, and nothing near is said in words", async () => {
  const project = await Project.with(FILES);
  await project.ask("POST", "index");
  await project.open("", async (page) => {
    let asked = 0;
    page.on("request", (request) => (asked += request.url().includes("/search?") ? 1 : 0));
    const box = page.getByRole("combobox", { name: "Search requirements" });
    // Faster than a test could press them on a busy machine.
    await box.evaluate((input: HTMLInputElement) => {
      for (const letter of "zebra crossing chocolate") {
        input.value += letter;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
    await page.getByText("Nothing is near to that.").waitFor();
    assert.equal(asked, 1);
    await box.press("Escape");
    assert.equal(await page.locator(".search-panel").isVisible(), false);
  });
});

test("active changes are searched when that is asked for", async () => {
  const project = await Project.with({ ...FILES, ...changeFiles("quick", "auth", "Login") });
  await project.ask("POST", "index");
  await project.open("", async (page) => {
    await page.getByRole("combobox", { name: "Search requirements" }).fill("cache answers minute");
    await page.getByText("Active changes too").waitFor();
    await page.getByLabel("Active changes too").check();
    const hit = page.getByRole("option", { name: /Cache/ }).first();
    await hit.getByText("quick", { exact: true }).waitFor();
    await hit.click();
    await page.locator('.delta[data-key="Cache"]').waitFor();
    assert.equal(new URL(page.url()).hash, "#/change/quick/Cache");
  });
});

test("an index that is behind is said to be, with a way to refresh it", async () => {
  const project = await Project.with(FILES);
  await project.ask("POST", "index");
  await project.open("", async (page) => {
    await page.route("**/search?*", async (route) => {
      const json = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...json, stale: true } });
    });
    await page.getByRole("combobox", { name: "Search requirements" }).fill("wrong passwords");
    await page.getByText("Files changed since the index was built").waitFor();
    await page.getByRole("option").first().getByText("Login", { exact: true }).waitFor();
  });
});
