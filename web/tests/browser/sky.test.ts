import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { at, eventually } from "./browser.ts";
import {
  body,
  choose,
  command,
  drawn,
  live,
  names,
  open,
  own,
  place,
  universe,
} from "./universes.ts";

const spot = (page: Page, id: string) => page.evaluate((body) => __universe.spotOf(body), id);
/** Where a body is on the screen once the view has come to rest, in sight. */
async function settled(page: Page, id: string): Promise<{ x: number; y: number }> {
  let last = await spot(page, id);
  await eventually(async () => {
    // Two frames later it is where it was, and the pointer would meet the sky there.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const [before, now] = [last, await spot(page, id)];
    last = now;
    const inSight =
      now &&
      (await page.evaluate(
        ({ x, y }) => document.elementFromPoint(x, y)?.matches("canvas, .label"),
        now,
      ));
    return inSight === true && JSON.stringify(before) === JSON.stringify(now);
  }, true);
  assert.ok(last);
  return last;
}

const heading = (page: Page) => page.locator("#panel-details h2");
const time = (page: Page) => page.evaluate(() => __universe.time());

test("a click in the sky selects a body, a double click rides along, escape leaves", async () => {
  const id = await universe("Pointing", [
    body("sol", "Sol", { radius: 2 }),
    body("earth", "Earth", { parentId: "sol", orbitalDistance: 12 }),
  ]);
  await open(id, async (page) => {
    await drawn(page, 2);
    const at = await settled(page, "earth");
    await page.mouse.move(at.x, at.y);
    await page.locator(".label.must", { hasText: "Earth" }).waitFor();
    await page.mouse.click(at.x, at.y);
    await heading(page).getByText("Earth").waitFor();
    await page.getByRole("button", { name: "Ride along" }).click();
    await page.getByText("Viewing from Earth").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Viewing from Earth").waitFor({ state: "hidden" });
    await page.keyboard.press("f");
    const sun = await settled(page, "sol");
    await page.mouse.dblclick(sun.x, sun.y);
    await page.getByText("Viewing from Sol").waitFor();
  });
});

test("riding along keeps the body in the middle while time goes on", async () => {
  const id = await universe("Riding", [
    body("sol", "Sol"),
    body("earth", "Earth", { parentId: "sol", orbitalDistance: 12, orbitalSpeed: 90 }),
  ]);
  await open(id, async (page) => {
    await drawn(page, 2);
    await choose(page, "Sol");
    await page.getByRole("button", { name: "Open Sol" }).click();
    await choose(page, "Earth");
    await page.getByRole("button", { name: "Ride along" }).click();
    const middle = async () => {
      const box = await page.locator(".sky canvas").boundingBox();
      const now = await spot(page, "earth");
      return (
        box && now && Math.hypot(now.x - box.x - box.width / 2, now.y - box.y - box.height / 2) < 3
      );
    };
    await eventually(middle, true);
    await command(id, { type: "tick", dt: 1 });
    await eventually(place(page, "earth"), [0, 0, 12]);
    await eventually(middle, true);
  });
});

test("the clock is shared: one page plays, the other sees the same time", async () => {
  const id = await universe("One sky", [
    body("sol", "Sol", { orbitalDistance: 10, orbitalSpeed: 1 }),
  ]);
  await open(id, async (one) => {
    const other = await one.context().newPage();
    await other.goto(at(`/universe/#${id}`));
    await live(other);
    await one.getByLabel("Rate").selectOption("10");
    await eventually(() => other.getByLabel("Rate").inputValue(), "10");
    await one.getByRole("button", { name: "Play for everyone" }).click();
    await other.getByRole("button", { name: "Pause for everyone" }).waitFor();
    await eventually(async () => (await time(other)) > 5, true);
    const [here, there] = await Promise.all([time(one), time(other)]);
    assert.ok(Math.abs(here - there) < 5, `${here} and ${there} differ by more than half a second`);
    await other.getByRole("button", { name: "Pause for everyone" }).click();
    await one.getByRole("button", { name: "Play for everyone" }).waitFor();
    await eventually(async () => (await time(one)) === (await time(other)), true);
    await other.close();
  });
});

test("a change is undone and redone, by button and by keys, and the history tells who did it", async () => {
  const id = await universe("Regret", [body("sol", "Sol")]);
  await open(id, async (page) => {
    await page.getByRole("button", { name: "History" }).click();
    await page.locator(".entries").getByText("added Sol").waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await drawn(page, 0);
    await page.getByRole("button", { name: "Redo", exact: true }).click();
    await drawn(page, 1);
    await page.locator(".entries li[data-via=page]").getByText("brought back change 2").waitFor();
    await page.locator(".sky canvas").focus();
    await page.keyboard.press("Control+z");
    await drawn(page, 0);
    await page.keyboard.press("Control+Shift+z");
    await drawn(page, 1);
    await page.getByRole("button", { name: "Undo change 2" }).click();
    await drawn(page, 0);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.locator("#panel-history [role=alert]").filter({ hasText: /./ }).waitFor();
  });
});

test("the past can be looked at, not changed, and forked", async () => {
  const id = await universe("Then", [body("sol", "Sol"), body("vega", "Vega")]);
  await open(id, async (page) => {
    await drawn(page, 2);
    await page.getByRole("button", { name: "History" }).click();
    await page.getByLabel("Revision").fill("2");
    await page.getByText("This is the past: revision 2").waitFor();
    await drawn(page, 1);
    await page.getByRole("button", { name: "Explore" }).click();
    await choose(page, "Sol");
    assert.equal(await page.getByLabel("Mass").isDisabled(), true);
    assert.equal(await page.getByRole("button", { name: "Save" }).isDisabled(), true);
    await page.getByRole("button", { name: "Back to now" }).click();
    await drawn(page, 2);
    assert.equal(await page.getByLabel("Mass").isDisabled(), false);
    await page.getByRole("button", { name: "History" }).click();
    await page.getByLabel("Revision").fill("2");
    await page.getByRole("button", { name: "Fork from here" }).click();
    await page.getByRole("heading", { name: "Then (fork)" }).waitFor();
    own(new URL(page.url()).hash.slice(1));
    await live(page);
    await drawn(page, 1);
  });
});

test("a ring, a group and its members are edited by commands of their own", async () => {
  const id = await universe("Parts", [
    body("sol", "Sol"),
    body("earth", "Earth", { parentId: "sol", orbitalDistance: 9, bodyType: "planet" }),
  ]);
  await open(id, async (page) => {
    await page.getByRole("button", { name: "Open Sol" }).click();
    await choose(page, "Earth");
    await page.getByRole("button", { name: "Add a ring" }).click();
    await page.getByRole("button", { name: "Remove the ring" }).waitFor();
    await page.getByText("Ring", { exact: true }).click();
    const [request] = await Promise.all([
      page.waitForRequest("**/commands?*"),
      page
        .getByLabel("Opacity")
        .fill("0.25")
        .then(() => page.getByRole("button", { name: "Save" }).click()),
    ]);
    assert.deepEqual(request.postDataJSON(), {
      type: "updateRing",
      planetId: "earth",
      patch: { opacity: 0.25 },
    });

    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByLabel("What", { exact: true }).selectOption("groups");
    await page.getByLabel("Name", { exact: true }).fill("Home");
    await page.locator("form.entity").getByRole("button", { name: "Add" }).click();
    await heading(page).getByText("Home").waitFor();
    await page.getByLabel("Add a system or a group").selectOption("system:sol");
    await page.getByRole("button", { name: "Take Sol out of the group" }).waitFor();
    // The group's box stands around the origin, its only member at the corner of its grid.
    await eventually(place(page, "sol"), [-3, 0, -3]);
    await page.getByRole("button", { name: "Take Sol out of the group" }).click();
    await eventually(place(page, "sol"), [0, 0, 0]);
  });
});

test("everything that can be added is added from its form as it stands", async () => {
  const id = await universe("All kinds", [body("sol", "Sol")]);
  await open(id, async (page) => {
    for (const [what, label] of [
      ["smallBodyFields", "belt"],
      ["protoplanetaryDisks", "disk"],
      ["nebulae", "nebula"],
    ] as const) {
      await page.getByRole("button", { name: "Add", exact: true }).first().click();
      await page.getByLabel("What", { exact: true }).selectOption(what);
      await page.getByLabel("Name", { exact: true }).fill(`My ${label}`);
      await page.locator("form.entity").getByRole("button", { name: "Add" }).click();
      await heading(page).getByText(`My ${label}`).waitFor();
    }
    for (const kind of ["comet", "blackHole", "rogue"]) {
      await page.getByRole("button", { name: "Add", exact: true }).first().click();
      await page.getByLabel("Kind").selectOption(kind);
      await page.getByLabel("Name", { exact: true }).fill(`My ${kind}`);
      await page.locator("form.entity").getByRole("button", { name: "Add" }).click();
      await heading(page).getByText(`My ${kind}`).waitFor();
    }
    await drawn(page, 4);
  });
});

test("a search and a type narrow the list", async () => {
  const id = await universe("Many", [
    body("sol", "Sol"),
    body("earth", "Earth", { parentId: "sol", bodyType: "planet" }),
    body("mars", "Mars", { parentId: "sol", bodyType: "planet" }),
  ]);
  await open(id, async (page) => {
    await page.getByLabel("Type").selectOption("planet");
    await eventually(names(page), ["Earth", "Mars"]);
    await page.getByRole("searchbox").fill("mar");
    await eventually(names(page), ["Mars"]);
    await page.getByText("1 found").waitFor();
  });
});

test("without WebGL the page says so, and its panels work", async () => {
  const id = await universe("Blind", [body("sol", "Sol", { orbitalDistance: 5 })]);
  await open("", async (page) => {
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.goto(at(`/universe/#${id}`));
    await page.reload();
    await page.getByText("cannot draw in 3D").waitFor();
    await choose(page, "Sol");
    await page.getByLabel("Name", { exact: true }).fill("Sun");
    await page.getByRole("button", { name: "Save" }).click();
    await eventually(names(page), ["Sun"]);
    await eventually(place(page, "sol"), [5, 0, 0]);
  });
});
