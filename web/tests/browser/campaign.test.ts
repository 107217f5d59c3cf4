import assert from "node:assert/strict";
import { test } from "node:test";
import { at, eventually, visit } from "./browser.ts";
import {
  fear,
  line,
  live,
  open,
  pips,
  post,
  rollAt,
  send,
  setting,
  tableOf,
  told,
  value,
} from "./campaigns.ts";

test("a table is set from nothing: campaign, people, actors, a session, a roll, the log", async () => {
  await visit("/campaign/", async (page) => {
    const form = page.getByRole("form", { name: "New campaign" });
    await form.getByLabel("Name").fill("By hand");
    await form.getByRole("radio", { name: "Both" }).check({ force: true });
    await form.getByLabel("Theme").fill("A cursed forest");
    await form.getByRole("button", { name: "Begin campaign" }).click();
    await page.getByRole("heading", { name: "By hand" }).waitFor();
    await page.getByText("A cursed forest").waitFor();
    await live(page);

    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add participant" }).click();
    await dialog.getByLabel("Name").fill("Mira");
    await dialog.getByRole("radio", { name: "An AI" }).check({ force: true });
    await dialog.getByRole("button", { name: "Add" }).click();
    await page.locator(".people li", { hasText: "Mira" }).getByText("AI").waitFor();

    await page.getByRole("button", { name: "Add actor" }).click();
    await dialog.getByLabel("Name").fill("Thorin");
    await dialog.getByRole("button", { name: "Add" }).click();
    await page.getByRole("heading", { name: "Thorin" }).waitFor();
    await page.getByLabel("Who plays Thorin").selectOption({ label: "Mira" });
    await page.getByText("Mira now plays Thorin").waitFor();

    await page.getByLabel("Name of the session").fill("The Ford");
    await page.getByRole("button", { name: "Start session" }).click();
    await page.locator(".head").getByText("Playing “The Ford”").waitFor();

    await page.getByRole("button", { name: "Roll Agility +0 as Thorin" }).click();
    await page.getByLabel("Difficulty").fill("12");
    await page.getByRole("button", { name: "Roll the dice" }).click();
    const newest = page.locator(".entries li").first();
    await newest
      .getByText(/^Thorin rolled Agility: \d+ (with (hope|fear) )?against 12: /)
      .waitFor();
    const id = new URL(page.url()).hash.split("/").at(-1) ?? "";
    const { total } = await rollAt(id, (await tableOf(id)).seq);
    await eventually(() => page.locator(".tray .total").textContent(), String(total));
  });
});

test("the list shows what others begin, and says what is missing in words", async () => {
  await visit("/campaign/", async (page) => {
    await live(page);
    const name = `Made elsewhere ${Date.now()}`;
    await post("campaigns", { name, gm_mode: "AI" });
    await page.getByRole("link", { name }).getByText("AI GM").waitFor();
    await page.getByRole("button", { name: "Begin campaign" }).click();
    await page.getByRole("alert").filter({ hasText: "Give the campaign a name." }).waitFor();
    await page.getByRole("link", { name }).click();
    await page.getByRole("heading", { name }).waitFor();
    await page.getByRole("link", { name: "All campaigns" }).click();
    await page.getByRole("heading", { name: "Campaigns", exact: true }).waitFor();
  });
});

test("a campaign that is not there is said to be gone, and the list is offered", async () => {
  await visit("/campaign/#/campaign/camp_none", async (page) => {
    await page.getByText("There is no such campaign here").waitFor();
    await page.getByRole("heading", { name: "Campaigns", exact: true }).waitFor();
  });
});

test("two pages see each other's changes", async () => {
  const set = await setting("Two windows");
  await open(set, async (one) => {
    const other = await one.context().newPage();
    await other.goto(at(`/campaign/#/campaign/${set.id}`));
    await live(other);
    await fear(one).locator("i").nth(3).click();
    await eventually(value(fear(other)), "4");
    await pips(other, set.hero, "Stress").locator("i").nth(1).click();
    await eventually(value(pips(one, set.hero, "Stress")), "2");
    await one.getByLabel("Note").fill("The river rises");
    await one.getByRole("button", { name: "Add note" }).click();
    await other.locator(".entries li").first().getByText("The river rises").waitFor();
    await eventually(() => one.getByLabel("Note").inputValue(), "");
    await other.getByRole("button", { name: "End session" }).click();
    await one.getByRole("button", { name: "Start session" }).waitFor();
    await other.close();
  });
});

test("the trackers work by keyboard, and the last filled pip empties", async () => {
  const set = await setting("Keys");
  await open(set, async (page) => {
    const hope = pips(page, set.hero, "Hope");
    const before = Number(await value(hope)());
    await hope.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const hopeOf = async () =>
      (await tableOf(set.id)).actors.find(({ id }) => id === set.hero)?.state.hope;
    await eventually(hopeOf, before + 2);
    await page.keyboard.press("End");
    await eventually(hopeOf, 6);
    await hope.locator("i").nth(5).click();
    await eventually(hopeOf, 5);
    await eventually(() => hope.getAttribute("aria-valuetext"), "5 of 6");
  });
});

test("a sheet is edited; what the server refuses is said in the form, which stays open", async () => {
  const set = await setting("Sheets");
  await open(set, async (page) => {
    await page.getByRole("button", { name: "Edit the sheet of Thorin" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Strength").fill("3");
    await dialog.getByLabel("Major threshold").fill("20");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").filter({ hasText: "threshold" }).waitFor();
    await dialog.getByLabel("Major threshold").fill("7");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Roll Strength +3 as Thorin" }).waitFor();
    await page.getByText("The sheet of Thorin changes: Strength +0 → +3").waitFor();
    assert.equal(await dialog.count(), 0);
  });
});

test("focus and what is half typed stay while changes of others arrive", async () => {
  const set = await setting("Typing");
  await open(set, async (page) => {
    await page.getByLabel("Note").fill("half a sen");
    await page.keyboard.type("tence");
    await post(`campaigns/${set.id}/notes`, { text: "meanwhile" });
    await post(`campaigns/${set.id}/actors`, { name: "Wolf", kind: "NPC" });
    await page.getByRole("heading", { name: "Wolf" }).waitFor();
    await page.locator(".entries").getByText("meanwhile").waitFor();
    await page.keyboard.type(", done");
    assert.equal(await page.getByLabel("Note").inputValue(), "half a sentence, done");
    await pips(page, set.hero, "HP").focus();
    await post(`campaigns/${set.id}/participants`, { display_name: "Late", role: "PLAYER" });
    await page.locator(".people").getByText("Late").waitFor();
    const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    assert.equal(focused, "HP");
  });
});

test("what was entered by mistake is taken back, and stays to be read", async () => {
  const set = await setting("Mistakes");
  await open(set, async (page) => {
    const { seq } = await post<{ seq: number }>(`campaigns/${set.id}/notes`, { text: "oops" });
    await page.getByRole("button", { name: `Undo entry ${seq}` }).click();
    await line(page, seq).locator("s", { hasText: "oops" }).waitFor();
    await page.getByText(`Entry ${seq} is taken back`).waitFor();
    assert.equal(await line(page, seq).getAttribute("data-undone"), "");
  });
});

test("the record is verified, and a longer record wants a new look", async () => {
  const set = await setting("Sealed");
  await open(set, async (page) => {
    const seal = page.getByRole("button", { name: "Verify the record" });
    await seal.click();
    const { seq, head_hash } = await tableOf(set.id);
    await page.getByText(`${seq} entries unbroken ${head_hash.slice(0, 8)}`).waitFor();
    assert.equal(await seal.getAttribute("data-valid"), "true");
    await post(`campaigns/${set.id}/notes`, { text: "more" });
    await eventually(() => seal.getAttribute("data-valid"), "");
    await page.route("**/verify", (route) =>
      route.fulfill({ json: { valid: false, seq: 3, why: "the hash does not match" } }),
    );
    await seal.click();
    await page.getByText("Broken at entry 3: the hash does not match").waitFor();
    assert.equal(await seal.getAttribute("data-valid"), "false");
  });
});

test("what people write is text, never markup", async () => {
  const evil = `<img src=x onerror="document.title='owned'">`;
  const set = await setting(evil);
  await post(`campaigns/${set.id}/actors`, { name: evil, kind: "PC", notes: evil });
  await post(`campaigns/${set.id}/notes`, { text: evil });
  await open(set, async (page) => {
    await page.getByRole("heading", { level: 1, name: evil }).waitFor();
    await page.getByRole("heading", { level: 3, name: evil }).waitFor();
    assert.equal((await told(page)())[0], evil);
    assert.equal(await page.locator("main img").count(), 0);
  });
});

test("what happened while the feed was cut off is there when it is back", async () => {
  const set = await setting("Interrupted");
  await visit("/campaign/", async (page) => {
    await page.route("**/changes?*", (route) => route.abort());
    await page.goto(at(`/campaign/#/campaign/${set.id}`));
    await page.getByRole("heading", { name: "Interrupted" }).waitFor();
    await eventually(() => page.locator("#connection").textContent(), "Connecting");
    await post(`campaigns/${set.id}/notes`, { text: "unheard" });
    assert.equal(await page.getByText("unheard").count(), 0);
    await page.unroute("**/changes?*");
    await page.locator(".entries").getByText("unheard").waitFor();
    await live(page);
  });
});

test("a feed that breaks off goes on without the record being read again, and nothing is there twice", async () => {
  const set = await setting("Resumed");
  const { seq: known } = await tableOf(set.id);
  await visit("/campaign/", async (page) => {
    let feeds = 0;
    let reads = 0;
    page.on("request", (request) => (reads += request.url().includes("/events?") ? 1 : 0));
    await page.route("**/changes?*", async (route) => {
      feeds += 1;
      if (feeds > 1) return route.continue();
      await post(`campaigns/${set.id}/notes`, { text: "heard" });
      await post(`campaigns/${set.id}/notes`, { text: "after the break" });
      const path = `campaigns/${set.id}/events?after=${known}&before=${known + 2}`;
      const { events } = await send<{ events: object[] }>("GET", path);
      const body = `retry: 10\nid: ${known + 1}\nevent: entry\ndata: ${JSON.stringify(events[0])}\n\n`;
      await route.fulfill({ headers: { "content-type": "text/event-stream" }, body });
    });
    await page.goto(at(`/campaign/#/campaign/${set.id}`));
    await page.locator(".entries").getByText("after the break").waitFor();
    assert.equal(reads, 1);
    const seqs = await page
      .locator(".entries li")
      .evaluateAll((lines) => lines.map((line) => Number((line as HTMLElement).dataset["seq"])));
    assert.deepEqual(
      seqs,
      Array.from({ length: known + 2 }, (_, n) => known + 2 - n),
    );
  });
});

test("a feed that is too far behind starts over", async () => {
  const set = await setting("Behind");
  await visit("/campaign/", async (page) => {
    let asked = 0;
    await page.route("**/changes?*", async (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      await post(`campaigns/${set.id}/notes`, { text: "missed" });
      const headers = { "content-type": "text/event-stream" };
      await route.fulfill({ headers, body: "event: resync\ndata: {}\n\n" });
    });
    await page.goto(at(`/campaign/#/campaign/${set.id}`));
    await page.getByText("missed").waitFor();
    await live(page);
  });
});

test("older entries are fetched when asked for", async () => {
  const set = await setting("Long");
  for (let n = 1; n <= 70; n += 1) await post(`campaigns/${set.id}/notes`, { text: `note ${n}` });
  await open(set, async (page) => {
    assert.equal(await page.getByText("The campaign “Long” begins").count(), 0);
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("The campaign “Long” begins").waitFor();
    assert.equal(await page.locator(".entries li").count(), (await tableOf(set.id)).seq);
  });
});
