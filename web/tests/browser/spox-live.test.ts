import assert from "node:assert/strict";
import { eventually } from "./browser.ts";
import { changeFiles, live, Project, specText, test, TWO } from "./projects.ts";

test("a file that is saved is on the page at once, and only what changed is read again", async () => {
  const project = await Project.with(TWO);
  await project.open("#/spec/auth", async (page) => {
    await page.getByRole("article", { name: "Login" }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    project.write("specs/billing/spec.md", specText("Billing", "Invoice", "Refund", "Reminder"));
    await page.getByRole("link", { name: "billing, 3 requirements" }).waitFor();
    await eventually(() => page.locator('[data-spec="billing"]').getAttribute("data-fresh"), "");
    assert.deepEqual(
      asked.filter((path) => path.includes("/specs/")),
      [],
      "the open spec was not touched",
    );
    project.write("specs/auth/spec.md", specText("Auth", "Login", "Logout", "Reset"));
    await page.getByRole("article", { name: "Reset" }).waitFor();
    assert.equal(asked.filter((path) => path.endsWith("/specs/auth")).length > 0, true);
    await eventually(() => page.locator('[data-spec="billing"]').getAttribute("data-fresh"), null);
  });
});

test("what changed is marked for a moment, and what did not is left alone", async () => {
  const project = await Project.with(TWO);
  await project.open("#/spec/auth", async (page) => {
    const card = (name: string) => page.getByRole("article", { name, exact: true });
    await card("Login").waitFor();
    const text = project.read("specs/auth/spec.md");
    project.write("specs/auth/spec.md", text.replace("SHALL do Logout", "SHALL always do Logout"));
    await card("Logout").getByText("SHALL always do Logout").waitFor();
    assert.equal(await card("Logout").getAttribute("data-fresh"), "");
    assert.equal(await card("Login").getAttribute("data-fresh"), null);
    await eventually(() => card("Logout").getAttribute("data-fresh"), null);
  });
});

test("place, focus and folded requirements stay while the file grows above them", async () => {
  const names = Array.from({ length: 14 }, (_, n) => `Part ${n + 1}`);
  const project = await Project.with({ ...TWO, "specs/long/spec.md": specText("Long", ...names) });
  await project.open("#/spec/long", async (page) => {
    const card = (name: string) => page.getByRole("article", { name, exact: true });
    const fold = (name: string) => card(name).getByRole("button", { name, exact: true });
    await fold("Part 10").click();
    await fold("Part 9").focus();
    await fold("Part 9").evaluate((button) => button.scrollIntoView({ block: "center" }));
    const top = () => card("Part 9").evaluate((it) => Math.round(it.getBoundingClientRect().top));
    const before = await top();
    project.write("specs/long/spec.md", specText("Long", "First of all", ...names));
    await card("First of all").waitFor({ state: "attached" });
    assert.equal(await top(), before);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Part 9");
    assert.equal(await fold("Part 10").getAttribute("aria-expanded"), "false");
    await page.getByRole("link", { name: "Source" }).click();
    await page.getByRole("link", { name: "Requirements", exact: true }).click();
    assert.equal(await fold("Part 10").getAttribute("aria-expanded"), "false");
  });
});

test("in the source the line that is read stays where it is", async () => {
  const names = Array.from({ length: 20 }, (_, n) => `Part ${n + 1}`);
  const project = await Project.with({ ...TWO, "specs/long/spec.md": specText("Long", ...names) });
  await project.open("#/spec/long?line=150", async (page) => {
    const line = page.locator('.source-line[data-key="150"]');
    await eventually(() => line.getAttribute("data-target"), "");
    await line.getByRole("link").focus();
    const scrolled = () => page.evaluate(() => scrollY);
    const before = await scrolled();
    assert.ok(before > 0);
    const text = project.read("specs/long/spec.md");
    project.write("specs/long/spec.md", text.replace("SHALL do Part 13", "SHALL soon do Part 13"));
    await page.locator(".source-line", { hasText: "SHALL soon do Part 13" }).waitFor();
    assert.equal(await scrolled(), before);
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
      "Line 150",
    );
  });
});

test("a server that goes away is said to be gone, and what changed meanwhile is there when it is back", async () => {
  const project = await Project.with({ ...TWO, ...changeFiles("quick", "auth", "Login") });
  await project.open("#/spec/auth", async (page) => {
    await page.getByRole("article", { name: "Login" }).waitFor();
    await project.stop();
    await page.getByText("The server does not answer.").waitFor();
    await eventually(() => page.locator("#connection").getAttribute("data-state"), "ill");
    await page.getByRole("article", { name: "Login" }).waitFor();
    project.write("specs/auth/spec.md", specText("Auth", "Login", "Reset"));
    await project.start();
    await page.getByRole("article", { name: "Reset" }).waitFor();
    await live(page);
    await eventually(() => page.getByText("The server does not answer.").isVisible(), false);
  });
});

test("a page that never had an answer says so, and begins when there is one", async () => {
  const project = await Project.with(TWO);
  await project.open("", async (page) => {
    await page.route("**/project", (route) => route.abort());
    await page.goto(`${project.url}${project.prefix}/?again#/spec/auth`);
    await page.getByRole("heading", { name: "The server does not answer" }).waitFor();
    await page.unroute("**/project");
    await page.getByRole("article", { name: "Login" }).waitFor();
    await live(page);
  });
});

test("two pages see the same, whoever changes what", async () => {
  const project = await Project.with({ ...TWO, ...changeFiles("quick", "auth", "Login") });
  await project.open("#/change/quick", async (one) => {
    const other = await one.context().newPage();
    await other.goto(one.url());
    await live(other);
    await one.getByRole("button", { name: "Approve" }).click();
    await one.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await other.getByText(/^Approved by /).waitFor();
    await one.getByText(/^Approved by /).waitFor();
    const tasks = project.read("specs/_changes/quick/tasks.md");
    project.write("specs/_changes/quick/tasks.md", tasks.replace("- [ ] 2.1", "- [x] 2.1"));
    for (const page of [one, other]) {
      await page.getByRole("link", { name: "Tasks 3/3" }).waitFor();
      await page.locator(".task[data-fresh]", { hasText: "Tell people" }).waitFor();
    }
    await other.close();
  });
});
