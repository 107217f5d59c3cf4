import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { assertFits, at, eventually, removeAtEnd, visit } from "./browser.ts";

function own(id: string): void {
  removeAtEnd(() => fetch(at(`/universe/universes/${id}`), { method: "DELETE" }));
}

/** A universe of this test's own. */
async function universe(name: string): Promise<string> {
  const { id } = await post<{ id: string }>("universes", { name, state: {} });
  own(id);
  return id;
}

/** What an agent or another program would send. */
function command(id: string, body: object): Promise<unknown> {
  return post(`universes/${id}/commands`, body);
}

async function post<T>(path: string, body: object): Promise<T> {
  const response = await fetch(at(`/universe/${path}`), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, await response.clone().text());
  return (await response.json()) as T;
}

function body(name: string, more: object = {}): object {
  return {
    name,
    mass: 10,
    radius: 1,
    color: "#FFD27A",
    parentId: null,
    orbitalDistance: 0,
    orbitalSpeed: 0,
    ...more,
  };
}

const names = (page: Page) => () => page.locator("tbody .name").allTextContents();
const live = (page: Page) => eventually(() => page.locator("#connection").textContent(), "Live");

async function open(id: string, test: (page: Page) => Promise<void>): Promise<void> {
  await visit(`/universe/#${id}`, async (page) => {
    await live(page);
    await test(page);
  });
}

test("a person creates a universe, adds a body, edits it, ticks and removes it", async () => {
  await visit("/universe/", async (page) => {
    await page.getByLabel("New universe").fill("By hand");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "By hand" }).waitFor();
    own(new URL(page.url()).hash.slice(1));
    await live(page);

    await page.getByLabel("Name", { exact: true }).fill("Sol");
    await page.getByRole("button", { name: "Add" }).click();
    await eventually(names(page), ["Sol"]);
    assert.equal(await page.locator(".sky circle").count(), 1);

    await page.getByRole("button", { name: "Edit Sol" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Sun");
    await page.getByLabel("Mass").fill("250.5");
    await page.getByRole("button", { name: "Save" }).click();
    await eventually(names(page), ["Sun"]);
    await page.getByRole("cell", { name: "250.5" }).waitFor();

    await page.getByLabel("Seconds").fill("2.5");
    await page.getByRole("button", { name: "Tick" }).click();
    await eventually(() => page.locator(".time").textContent(), "2.5");

    await page.getByRole("button", { name: "Remove Sun" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("Nothing here yet").waitFor();
  });
});

test("what another client does appears without reloading, and is said", async () => {
  const id = await universe("Shared");
  await open(id, async (page) => {
    await command(id, { type: "addStar", id: "sol", payload: body("Sol") });
    await eventually(names(page), ["Sol"]);
    await page.locator(".toast", { hasText: "addStar" }).getByText("Sol by someone else").waitFor();
    const orbit = { parentId: "sol", orbitalDistance: 8, orbitalSpeed: 90 };
    await command(id, { type: "addStar", id: "earth", payload: body("Earth", orbit) });
    await eventually(names(page), ["Sol", "Earth"]);
    await command(id, { type: "updateStar", id: "earth", payload: { name: "Terra" } });
    await eventually(names(page), ["Sol", "Terra"]);
    // A quarter of a turn: from (8, 0) to (0, 8).
    await command(id, { type: "tick", dt: 1 });
    const place = () =>
      page
        .locator(".sky circle")
        .last()
        .evaluate((disc) => ["cx", "cy"].map((key) => Math.round(Number(disc.getAttribute(key)))));
    await eventually(place, [0, 8]);
    await command(id, { type: "removeStar", id: "sol" });
    await page.getByText("Nothing here yet").waitFor();
  });
});

test("two pages see each other's changes", async () => {
  const id = await universe("Two windows");
  await open(id, async (one) => {
    const other = await one.context().newPage();
    await other.goto(at(`/universe/#${id}`));
    await live(other);
    await one.getByLabel("Name", { exact: true }).fill("Vega");
    await one.getByRole("button", { name: "Add" }).click();
    await eventually(names(other), ["Vega"]);
    await other.getByRole("button", { name: "Edit Vega" }).click();
    await other.getByLabel("Name", { exact: true }).fill("Altair");
    await other.getByRole("button", { name: "Save" }).click();
    await eventually(names(one), ["Altair"]);
    await other.close();
  });
});

test("an edit sends only what was changed, so a change made meanwhile survives", async () => {
  const id = await universe("Meanwhile");
  await command(id, { type: "addStar", id: "sol", payload: body("Sol") });
  await open(id, async (page) => {
    await page.getByRole("button", { name: "Edit Sol" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Sun");
    await command(id, { type: "updateStar", id: "sol", payload: { mass: 777 } });
    await page.getByRole("cell", { name: "777" }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await eventually(names(page), ["Sun"]);
    await page.getByRole("cell", { name: "777" }).waitFor();
  });
});

test("what the server refuses is shown next to the form, in its words", async () => {
  await visit("/universe/", async (page) => {
    await page.getByLabel("New universe").fill("   ");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("alert").filter({ hasText: "must be a non-empty string" }).waitFor();
  });
});

test("a body without a name, or a number that is none, is refused before it is sent", async () => {
  const id = await universe("Checks");
  await open(id, async (page) => {
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("a body needs a name").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Sol");
    await page.getByLabel("Mass").fill("");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("Mass must be a number").waitFor();
  });
});

test("deleting asks first, and every open page learns of it", async () => {
  const id = await universe("Short lived");
  await open(id, async (page) => {
    const other = await page.context().newPage();
    await other.goto(at(`/universe/#${id}`));
    await live(other);
    const ask = () => page.getByRole("button", { name: "Delete", exact: true }).first().click();
    await ask();
    await page.getByRole("button", { name: "Keep" }).click();
    await page.getByRole("heading", { name: "Short lived" }).waitFor();
    await ask();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("no longer there").waitFor();
    await other.getByText("no longer there").waitFor();
    await other.close();
  });
});

test("a new name reaches the list and the heading", async () => {
  const id = await universe("Old name");
  await open(id, async (page) => {
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("New name");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New name" }).waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "New name" }).waitFor();
  });
});

test("what happened while the feed was cut off is there when it is back", async () => {
  const id = await universe("Interrupted");
  await visit("/universe/", async (page) => {
    await page.route("**/events?*", (route) => route.abort());
    await page.goto(at(`/universe/#${id}`));
    await page.getByText("Nothing here yet").waitFor();
    await eventually(() => page.locator("#connection").textContent(), "Connecting");
    await command(id, { type: "addStar", id: "sol", payload: body("Sol") });
    assert.deepEqual(await names(page)(), []);
    await page.unroute("**/events?*");
    await eventually(names(page), ["Sol"]);
  });
});

for (const width of [320, 360]) {
  test(`the universe page fits into ${width} pixels`, async () => {
    const id = await universe("A universe with quite a long name for a phone");
    const long = "A-star-with-a-name-that-does-not-break-anywhere-at-all";
    await command(id, { type: "addStar", id: "sol", payload: body(long) });
    await visit(
      `/universe/#${id}`,
      async (page) => {
        await eventually(names(page), [long]);
        await assertFits(page);
      },
      { viewport: { width, height: 760 }, colorScheme: "dark" },
    );
  });
}
