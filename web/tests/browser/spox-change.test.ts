import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { eventually } from "./browser.ts";
import { changeFiles, Project, specText, test, TWO } from "./projects.ts";

const FILES = { ...TWO, ...changeFiles("quick", "auth", "Login") };

test("a change is read: why, what, tasks in groups, design, and the diff against the main spec", async () => {
  const project = await Project.with(FILES);
  await project.open("", async (page) => {
    const line = page.locator('[data-change="quick"]');
    await line.getByRole("progressbar", { name: "2 of 3 tasks done" }).waitFor();
    await line.getByText("auth +1 ~1").waitFor();
    await line.getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "Make Login quicker" }).waitFor();
    await page.getByText("people wait for it every single morning").waitFor();
    await page.locator(".crumb").getByText("Breaking").waitFor();
    await page.locator(".task-group", { hasText: "2. Around it" }).getByText("0/1").waitFor();
    await page
      .getByRole("region", { name: "Design" })
      .locator("strong", { hasText: "cache" })
      .waitFor();

    const delta = page.locator('.delta[data-key="Login"]');
    await delta.getByText("Modified", { exact: true }).waitFor();
    assert.equal(await delta.locator("table").getAttribute("data-mode"), "split");
    assert.equal(await delta.locator("del").textContent(), "The system SHALL do Login.");
    assert.equal(
      await delta.locator("ins").textContent(),
      "The system SHALL do Login within a second.",
    );
    assert.equal(await delta.locator("ins mark").textContent(), " within a second");
    const numbers = await delta.locator("tr", { has: page.locator("del") }).locator(".diff-no");
    const [old, new_] = await numbers.allTextContents();
    assert.equal(old, "11");
    assert.match(new_ ?? "", /^\d+$/);
    const added = page.locator('.delta[data-key="Cache"]');
    assert.equal(await added.locator("del").count(), 0);
    assert.equal(await added.locator("ins").first().textContent(), "### Requirement: Cache");
  });
});

test("the diff is unified where two columns have no room, and where that is wanted", async () => {
  const project = await Project.with(FILES);
  await project.open("#/change/quick/Login", async (page) => {
    const mode = () => page.locator('.delta[data-key="Login"] table').getAttribute("data-mode");
    await eventually(mode, "split");
    await page.getByRole("button", { name: "Unified" }).click();
    await eventually(mode, "unified");
    await page.getByRole("button", { name: "Side by side" }).click();
    await eventually(mode, "split");
    await page.setViewportSize({ width: 700, height: 800 });
    await eventually(mode, "unified");
    assert.equal(await page.getByRole("button", { name: "Unified" }).isVisible(), false);
  });
});

test("the diff follows both sides: the delta, and the main spec it is compared with", async () => {
  const project = await Project.with(FILES);
  await project.open("#/change/quick", async (page) => {
    const delta = page.locator('.delta[data-key="Login"]');
    await delta.locator("ins", { hasText: "within a second" }).waitFor();
    const main = project.read("specs/auth/spec.md");
    project.write("specs/auth/spec.md", main.replace("SHALL do Login.", "SHALL gladly do Login."));
    await delta.locator("del", { hasText: "gladly" }).waitFor();
    const path = "specs/_changes/quick/specs/auth/spec.md";
    project.write(path, project.read(path).replace("within a second", "within a blink"));
    await delta.locator("ins", { hasText: "within a blink" }).waitFor();
    assert.equal(await delta.getAttribute("data-fresh"), "");
    assert.equal(await page.locator('.delta[data-key="Cache"]').getAttribute("data-fresh"), null);
  });
});

test("unchanged lines far from a change are folded, and unfold", async () => {
  const many = Array.from({ length: 12 }, (_, n) => `- **AND** step ${n + 1} is taken`).join("\n");
  const long = (first: string) =>
    `### Requirement: Login\n\nThe system SHALL ${first}.\n\n#### Scenario: Login happens\n\n- **WHEN** asked\n- **THEN** it begins\n${many}\n`;
  const main = specText("Auth", "Logout").replace(
    "## Requirements\n",
    `## Requirements\n\n${long("wait")}`,
  );
  const project = await Project.with({
    ...TWO,
    "specs/auth/spec.md": main,
    ...changeFiles("quick", "auth", "Login"),
    "specs/_changes/quick/specs/auth/spec.md": `## MODIFIED Requirements\n\n${long("hurry")}`,
  });
  await project.open("#/change/quick", async (page) => {
    const delta = page.locator('.delta[data-key="Login"]');
    await delta.locator("ins", { hasText: "hurry" }).waitFor();
    assert.equal(await delta.getByText("step 9 is taken").count(), 0);
    await delta.getByRole("button", { name: /^Show \d+ unchanged lines$/ }).click();
    await delta.getByText("step 9 is taken").first().waitFor();
  });
});

test("archiving says what it writes, is refused while tasks are open, and can be insisted on", async () => {
  const project = await Project.with(FILES);
  await project.open("#/change/quick", async (page) => {
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Archive" }).click();
    await dialog.getByText("auth: 1 requirement added, 1 modified").waitFor();
    await dialog.getByText("quick moves to the archive").waitFor();
    await dialog.getByText("1 task of it is still open.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.ok(existsSync(join(project.folder, "specs/_changes/quick/proposal.md")));

    await page.getByRole("button", { name: "Archive" }).click();
    await dialog.getByRole("button", { name: "Archive" }).click();
    await page.locator(".refusal").getByText("Not archived.").waitFor();
    assert.ok(existsSync(join(project.folder, "specs/_changes/quick/proposal.md")));
    await page.getByRole("button", { name: "Archive all the same" }).click();
    await dialog.getByRole("button", { name: "Archive all the same" }).click();
    await page.getByText("Archived.").waitFor();
    await eventually(() => page.locator('[data-change="quick"]').count(), 0);
    assert.match(project.read("specs/auth/spec.md"), /SHALL do Login within a second/);
    assert.deepEqual(
      readdirSync(join(project.folder, "specs/_archive")).map((name) => name.slice(11)),
      ["quick"],
    );
    await page.locator(".notice.done").getByRole("link", { name: "auth" }).click();
    await page.getByRole("article", { name: "Cache" }).waitFor();
  });
});

test("a change that does not fit the main spec says so before and when it is archived", async () => {
  const project = await Project.with({ ...TWO, ...changeFiles("quick", "auth", "Sign in") });
  const tasks = project.read("specs/_changes/quick/tasks.md");
  project.write("specs/_changes/quick/tasks.md", tasks.replace("[ ]", "[x]"));
  await project.open("#/change/quick", async (page) => {
    await page.getByText("It cannot be applied as it is.").waitFor();
    await page.locator('[data-capability="auth"] .issue[data-code="C16"]').waitFor();
    await page.locator('[data-change="quick"] .badge[data-kind="error"]').waitFor();
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
    await page.locator(".refusal").getByText("Not archived.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Archive all the same" }).count(), 0);
  });
});

test("what is asked is answered by keyboard alone, and escape means no", async () => {
  const project = await Project.with(FILES);
  await project.open("#/change/quick", async (page) => {
    await page.getByRole("button", { name: "Approve" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Approve “Make Login quicker”?" }).waitFor();
    await page.keyboard.press("Escape");
    await eventually(() => page.getByRole("dialog").count(), 0);
    assert.equal(await focused(page), "Approve");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText(/^Approved by /).waitFor();
  });
});

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
