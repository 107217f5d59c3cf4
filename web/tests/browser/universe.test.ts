import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFits, at, eventually, visit } from "./browser.ts";
import {
  body,
  choose,
  command,
  drawn,
  get,
  live,
  names,
  open,
  own,
  place,
  universe,
} from "./universes.ts";

test("a person creates a universe, adds a body, edits it, steps the time and removes it", async () => {
  await visit("/universe/", async (page) => {
    await page.getByLabel("New universe").fill("By hand");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "By hand" }).waitFor();
    own(new URL(page.url()).hash.slice(1));
    await live(page);

    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("Sol");
    await page.locator("form.entity").getByRole("button", { name: "Add" }).click();
    await eventually(names(page), ["Sol"]);
    await drawn(page, 1);

    await page.getByLabel("Name", { exact: true }).fill("Sun");
    await page.getByLabel("Mass").fill("250.5");
    await page.getByRole("button", { name: "Save" }).click();
    await eventually(names(page), ["Sun"]);
    await eventually(() => page.getByLabel("Mass").inputValue(), "250.5");

    await page.getByLabel("Seconds", { exact: true }).fill("2.5");
    await page.getByRole("button", { name: "Step forward" }).click();
    await eventually(() => page.locator(".time").textContent(), "2.5");

    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Nothing here yet").waitFor();
  });
});

test("what another client does moves what the page shows, and is said", async () => {
  const id = await universe("Shared");
  await open(id, async (page) => {
    await command(id, { type: "addStar", id: "sol", payload: body("sol", "Sol") });
    await eventually(names(page), ["Sol"]);
    await page.getByRole("log").getByText("added Sol").waitFor();
    const orbit = { parentId: "sol", orbitalDistance: 8, orbitalSpeed: 90 };
    await command(id, { type: "addStar", id: "earth", payload: body("earth", "Earth", orbit) });
    await page.getByRole("button", { name: "Open Sol" }).click();
    await eventually(names(page), ["Sol", "Earth"]);
    await eventually(place(page, "earth"), [8, 0, 0]);
    await command(id, { type: "updateStar", id: "earth", payload: { name: "Terra" } });
    await eventually(names(page), ["Sol", "Terra"]);
    // A quarter of a turn.
    await command(id, { type: "tick", dt: 1 });
    await eventually(place(page, "earth"), [0, 0, 8]);
    await command(id, { type: "updateStar", id: "earth", payload: { orbitalDistance: 20 } });
    await eventually(place(page, "earth"), [0, 0, 20]);
    await command(id, { type: "removeStar", id: "sol" });
    await page.getByText("Nothing here yet").waitFor();
    await eventually(place(page, "earth"), null);
  });
});

test("two pages see each other's changes", async () => {
  const id = await universe("Two windows", [body("vega", "Vega")]);
  await open(id, async (one) => {
    const other = await one.context().newPage();
    await other.goto(at(`/universe/#${id}`));
    await live(other);
    await choose(one, "Vega");
    await one.getByLabel("Name", { exact: true }).fill("Altair");
    await one.getByRole("button", { name: "Save" }).click();
    await eventually(names(other), ["Altair"]);
    await choose(other, "Altair");
    await other.getByLabel("Name", { exact: true }).fill("Deneb");
    await other.getByRole("button", { name: "Save" }).click();
    await eventually(names(one), ["Deneb"]);
    await other.close();
  });
});

test("an edit is exactly one command with only what was changed, so a change made meanwhile survives", async () => {
  const id = await universe("Meanwhile", [body("sol", "Sol")]);
  await open(id, async (page) => {
    const sent: unknown[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/commands")) sent.push(request.postDataJSON());
    });
    await choose(page, "Sol");
    await page.getByLabel("Name", { exact: true }).fill("Sun");
    await command(id, { type: "updateStar", id: "sol", payload: { mass: 777 } });
    await eventually(() => page.getByLabel("Mass").inputValue(), "777");
    await page.getByRole("button", { name: "Save" }).click();
    await eventually(names(page), ["Sun"]);
    assert.deepEqual(sent, [{ type: "updateStar", id: "sol", payload: { name: "Sun" } }]);
    const { state } = await get<{ state: { stars: Record<string, object> } }>(`universes/${id}`);
    assert.equal((state.stars["sol"] as { mass: number }).mass, 777);
  });
});

test("what was typed stays when someone changes the same field, which is marked", async () => {
  const id = await universe("Typing", [body("sol", "Sol")]);
  await open(id, async (page) => {
    await choose(page, "Sol");
    await page.getByLabel("Mass").fill("5");
    await command(id, { type: "updateStar", id: "sol", payload: { mass: 777 } });
    await page.getByText("meanwhile changed to 777").waitFor();
    assert.equal(await page.getByLabel("Mass").inputValue(), "5");
    await page.getByRole("button", { name: "Take it" }).click();
    assert.equal(await page.getByLabel("Mass").inputValue(), "777");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("nothing was changed").waitFor();
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
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const add = page.locator("form.entity").getByRole("button", { name: "Add" });
    await add.click();
    await page.getByText("Name must not be empty").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Sol");
    await page.getByLabel("Mass").fill("");
    await add.click();
    await page.getByText("Mass must be a number").waitFor();
    await page.getByLabel("Mass").fill("-1");
    await add.click();
    await page.getByText("Mass must be 0 or more").waitFor();
  });
});

test("deleting asks first, and every open page learns of it", async () => {
  const id = await universe("Short lived");
  await open(id, async (page) => {
    const other = await page.context().newPage();
    await other.goto(at(`/universe/#${id}`));
    await live(other);
    const ask = async () => {
      await page.locator(".menu summary").click();
      await page.locator(".menu").getByRole("button", { name: "Delete" }).click();
    };
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
    await page.locator(".menu summary").click();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("New name");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New name" }).waitFor();
    await page.getByRole("button", { name: "Universes" }).click();
    await page.getByRole("link", { name: "New name" }).waitFor();
  });
});

test("what happened while the feed was cut off is there when it is back", async () => {
  const id = await universe("Interrupted");
  await visit("/universe/", async (page) => {
    await page.route("**/changes?*", (route) => route.abort());
    await page.goto(at(`/universe/#${id}`));
    await page.getByText("Nothing here yet").waitFor();
    await eventually(() => page.locator("#connection").textContent(), "Connecting");
    await command(id, { type: "addStar", id: "sol", payload: body("sol", "Sol") });
    assert.deepEqual(await names(page)(), []);
    await page.unroute("**/changes?*");
    await eventually(names(page), ["Sol"]);
    await live(page);
  });
});

test("a body that was added opens even when the feed tells of it later than the answer", async () => {
  const id = await universe("Late feed");
  await visit("/universe/", async (page) => {
    await page.route("**/changes?*", (route) => route.abort());
    await page.goto(at(`/universe/#${id}`));
    await page.getByText("Nothing here yet").waitFor();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("Sol");
    const answered = page.waitForResponse("**/commands?*");
    await page.locator("form.entity").getByRole("button", { name: "Add" }).click();
    await answered;
    await page.unroute("**/changes?*");
    await page.locator("#panel-details").getByRole("heading", { name: "Sol" }).waitFor();
    await page.getByRole("button", { name: "Save" }).waitFor();
  });
});

test("a universe is exported as a file and comes in again as another", async () => {
  const id = await universe("Travelling", [body("sol", "Sol")]);
  await open(id, async (page) => {
    await page.locator(".menu summary").click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export JSON" }).click(),
    ]);
    await page.getByRole("button", { name: "Universes" }).click();
    await page.getByLabel("Import a JSON file").setInputFiles(await file.path());
    await page.waitForURL((url) => !url.hash.includes(id) && url.hash !== "");
    own(new URL(page.url()).hash.slice(1));
    await page.getByRole("heading", { name: "Travelling" }).waitFor();
    await page.getByRole("button", { name: "Explore" }).click();
    await eventually(names(page), ["Sol"]);
  });
});

test("a universe is generated from a preset and a seed, and opened", async () => {
  await visit("/universe/", async (page) => {
    await page.getByText("Generate", { exact: true }).first().click();
    await page.getByLabel("Seed").fill("tandem");
    await page.getByLabel("Preset").selectOption("sparse");
    await page.locator(".generate").getByLabel("Name").fill("From a seed");
    await page.locator(".generate").getByRole("button", { name: "Generate" }).click();
    await page.getByRole("heading", { name: "From a seed" }).waitFor();
    own(new URL(page.url()).hash.slice(1));
    await eventually(async () => (await names(page)()).length > 0, true);
  });
});

for (const width of [320, 360]) {
  test(`the universe page fits into ${width} pixels, and its panels are sheets`, async () => {
    const long = "A-star-with-a-name-that-does-not-break-anywhere-at-all";
    const id = await universe("A universe with quite a long name for a phone", [body("sol", long)]);
    await open(
      id,
      async (page) => {
        await assertFits(page);
        assert.equal(await page.locator("#panel-explore").isVisible(), false);
        await page.getByRole("button", { name: "Explore" }).click();
        await eventually(names(page), [long]);
        await assertFits(page);
        await page.locator(".tree .pick").click();
        await page.getByRole("button", { name: "Details", exact: true }).click();
        await page.getByLabel("Mass").waitFor();
        await assertFits(page);
        await page.getByRole("button", { name: "Details", exact: true }).click();
        assert.equal(await page.locator("#panel-details").isVisible(), false);
        await page.getByRole("button", { name: "History" }).click();
        await page.getByText(`added ${long}`).waitFor();
        await assertFits(page);
      },
      { viewport: { width, height: 760 }, colorScheme: "dark" },
    );
  });
}
