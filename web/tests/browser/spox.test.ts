import assert from "node:assert/strict";
import { eventually } from "./browser.ts";
import { changeFiles, CONFIG, live, Project, specText, test, TWO } from "./projects.ts";

test("a spec is read: purpose, requirements, scenarios with their clauses set apart", async () => {
  const project = await Project.with(TWO);
  await project.open("", async (page) => {
    await page.getByRole("heading", { level: 1, name: "ledger" }).waitFor();
    await page.getByText("Every spec and every change is valid.").waitFor();
    const side = page.getByRole("navigation", { name: "Specs and changes" });
    await side.getByRole("link", { name: "auth, 2 requirements" }).click();
    await page.getByRole("heading", { level: 1, name: "Auth" }).waitFor();
    await page.getByText("What this capability is for").waitFor();
    const login = page.getByRole("article", { name: "Login" });
    await login.getByText("The system SHALL do Login.").waitFor();
    assert.deepEqual(await login.locator(".clause").allInnerTexts().then(lines), [
      "WHEN Login is asked for",
      "AND nothing stands in the way",
      "THEN it is done",
      "AND it is written down",
    ]);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    assert.equal(await login.getByText("The system SHALL do Login.").isVisible(), false);
    await page.getByRole("button", { name: "Fold all" }).click();
    await page.getByRole("button", { name: "Unfold all" }).click();
    await login.getByText("The system SHALL do Login.").waitFor();
    assert.match(await page.title(), /^Auth · ledger/);
  });
});

test("the page works at the root of a port of its own as it does below a path", async () => {
  const project = await Project.with(TWO, "");
  await project.open("#/spec/billing/Refund", async (page) => {
    await page.getByRole("article", { name: "Refund" }).waitFor();
    await page.getByRole("link", { name: "Source" }).click();
    await page.locator(".source-line", { hasText: "### Requirement: Refund" }).waitFor();
    project.write("specs/billing/spec.md", specText("Billing", "Invoice", "Refund", "Reminder"));
    await page.locator(".source-line", { hasText: "### Requirement: Reminder" }).waitFor();
  });
});

test("a deep link goes to its requirement and survives a reload", async () => {
  const names = Array.from({ length: 12 }, (_, n) => `Part ${n + 1}`);
  const project = await Project.with({
    ...TWO,
    "specs/platform/jobs/spec.md": specText("Jobs", ...names),
  });
  await project.open("#/spec/platform%2Fjobs/Part%2011", async (page) => {
    const inSight = () =>
      page.getByRole("article", { name: "Part 11" }).evaluate((card) => {
        const { top } = card.getBoundingClientRect();
        return top > 0 && top < innerHeight;
      });
    await eventually(inSight, true);
    await page.reload();
    await live(page);
    await eventually(inSight, true);
    const link = page.getByRole("button", { name: "Copy a link to Part 3", exact: true });
    await link.click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto(copied);
    await page.getByRole("article", { name: "Part 3", exact: true }).waitFor();
    assert.equal(new URL(page.url()).hash, "#/spec/platform%2Fjobs/Part%203");
  });
});

test("the lists are filtered while typing, and walked through by arrow keys", async () => {
  const project = await Project.with({ ...TWO, ...changeFiles("quick-login", "auth", "Login") });
  await project.open("", async (page) => {
    const shown = () => page.locator(".side-list li:visible .side-id").allTextContents();
    await eventually(shown, ["auth", "billing"]);
    const filter = page.getByLabel("Filter specs and changes");
    await filter.fill("bil");
    await eventually(shown, ["billing"]);
    await page.getByText("No change matches the filter.").waitFor();
    await page.getByText("1 of 2").waitFor();
    await filter.press("Escape");
    await eventually(shown, ["auth", "billing"]);
    await filter.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Billing" }).waitFor();
    await filter.fill("auth");
    await filter.press("Enter");
    await page.getByRole("heading", { level: 1, name: /Login quicker|Auth/ }).waitFor();
  });
});

test("what is wrong stands at its requirement, and in the source at its line, with code and message", async () => {
  const text = `# Broken Specification

## Purpose

What this capability is for, in more words than fifty characters need.

## Requirements

### Requirement: Empty

#### Scenario: Half

- **WHEN** something happens
`;
  const project = await Project.with({ ...TWO, "specs/broken/spec.md": text });
  await project.open("#/spec/broken", async (page) => {
    const card = page.getByRole("article", { name: "Empty" });
    await card.locator('.issue[data-code="S06"]', { hasText: "no description text" }).waitFor();
    const half = card.locator('[data-scenario="Half"] .issue[data-code="S10"]');
    await half.getByText("missing THEN clause").waitFor();
    await half.getByRole("link").click();
    const line = page.locator('.source-line[data-key="11"]');
    await eventually(() => line.getAttribute("data-target"), "");
    const below = page.locator('.source-line[data-key="11"] + .source-issues');
    await below.locator('.issue[data-code="S10"]').waitFor();
    assert.equal(await line.locator(".source-text").textContent(), "#### Scenario: Half");
    const pill = page.locator(".side .valid");
    assert.match((await pill.textContent()) ?? "", /^2 errors/);
    await pill.click();
    await page.getByRole("link", { name: "specs/broken/spec.md:9" }).click();
    await eventually(
      () => page.locator('.source-line[data-key="9"]').getAttribute("data-target"),
      "",
    );
    project.write("specs/broken/spec.md", specText("Broken", "Empty"));
    await eventually(() => page.locator(".side .valid").textContent(), "All valid");
    await eventually(() => page.locator(".source-issues").count(), 0);
  });
});

test("what is written in a file is text, never markup, and its links cannot run anything", async () => {
  const evil = `<img src=x onerror="document.title='owned'">`;
  const text = specText(evil, "Login").replace(
    "The system SHALL do Login.",
    `The system SHALL ${evil} and [click](javascript:alert(1)) and [read](https://example.org/a) **${evil}** \`${evil}\`.`,
  );
  const project = await Project.with({ ...TWO, "specs/evil/spec.md": text });
  await project.open("#/spec/evil", async (page) => {
    await page.getByRole("heading", { level: 1, name: evil }).waitFor();
    const card = page.getByRole("article", { name: "Login" });
    await card.locator("code", { hasText: evil }).waitFor();
    assert.equal(await page.locator("main img").count(), 0);
    assert.deepEqual(
      await card
        .locator(".prose a")
        .evaluateAll((links) => links.map((a) => a.getAttribute("href"))),
      ["https://example.org/a"],
    );
  });
});

test("a spec that is not there is said to be gone, and comes when its file does", async () => {
  const project = await Project.with(TWO);
  await project.open("#/spec/later", async (page) => {
    await page.getByRole("heading", { name: "There is no spec “later”" }).waitFor();
    project.write("specs/later/spec.md", specText("Later", "Something"));
    await page.getByRole("article", { name: "Something" }).waitFor();
    project.remove("specs/later");
    await page.getByRole("heading", { name: "There is no spec “later”" }).waitFor();
    await eventually(() => page.locator('[data-spec="later"]').count(), 0);
  });
});

test("a folder that is not set up says how to, and goes on by itself when it is", async () => {
  const project = await Project.with({});
  await project.open("", async (page) => {
    await page.getByRole("heading", { name: "ledger has no specs set up" }).waitFor();
    await page.getByRole("button", { name: "Copy the command" }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "tandem spox init");
    project.write(".spox/config.toml", CONFIG);
    await page.getByRole("heading", { name: "No specs yet" }).waitFor();
    project.write("specs/auth/spec.md", specText("Auth", "Login"));
    await page.getByRole("link", { name: "auth, 1 requirement" }).waitFor();
    await page.getByText("Every spec and every change is valid.").waitFor();
  });
});

function lines(texts: string[]): string[] {
  return texts.map((text) => text.replace(/\s+/g, " ").trim());
}
