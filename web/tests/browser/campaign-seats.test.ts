import assert from "node:assert/strict";
import { test } from "node:test";
import { at, eventually } from "./browser.ts";
import {
  fear,
  live,
  open,
  post,
  send,
  setting,
  tableOf,
  value,
  type Setting,
} from "./campaigns.ts";

/** Gives the GM a token, which guards the table, and then the player one. */
async function guard({ id, gm, player }: Setting): Promise<{ gm: string; player: string }> {
  const issue = (seat: string, headers = {}) =>
    post<{ token: string }>(`campaigns/${id}/participants/${seat}/token`, {}, headers);
  const first = await issue(gm);
  const headers = { "x-participant-id": gm, "x-participant-token": first.token };
  return { gm: first.token, player: (await issue(player, headers)).token };
}

test("who one speaks as is kept, and told in the log", async () => {
  const set = await setting("Voices");
  await open(set, async (page) => {
    await page.getByLabel("You are").selectOption({ label: "Ada (GM)" });
    await fear(page).locator("i").nth(1).click();
    await eventually(value(fear(page)), "2");
    // In the log, it has happened; before, a reload may be faster than the request.
    const latest = page.locator(".entries li").first();
    await latest.getByText("You").waitFor();
    await page.reload();
    await live(page);
    await eventually(() => page.getByLabel("You are").inputValue(), set.gm);
    await latest.getByText("Ada").waitFor();
  });
});

test("a player who does not control an actor is told what to do", async () => {
  const set = await setting("Not mine");
  await open(set, async (page) => {
    await page.getByLabel("You are").selectOption({ label: "Mira" });
    await page.getByRole("button", { name: "Roll Agility +0 as Stag" }).click();
    await page.getByRole("button", { name: "Roll the dice" }).click();
    await page.getByRole("alert").filter({ hasText: "Mira does not play Stag." }).waitFor();
    await page.getByText("Ask the GM, or let whoever plays this actor do it.").waitFor();
  });
});

test("a guarded table refuses strangers in words, and nothing changes", async () => {
  const set = await setting("Behind a guard");
  await guard(set);
  await open(set, async (page) => {
    await page.locator(".head").getByText("Guarded", { exact: true }).waitFor();
    await fear(page).locator("i").nth(4).click();
    await page.getByText(/^Only the GM may .*Choose who you are at the top/).waitFor();
    await eventually(value(fear(page)), "0");
    assert.equal((await tableOf(set.id)).gm_fear, 0);
    await page.getByLabel("You are").selectOption({ label: "Ada (GM)" });
    await fear(page).locator("i").nth(4).click();
    await page.getByText("paste the token").waitFor();
  });
});

test("an invitation link seats whoever opens it, and leaves the address bar", async () => {
  const set = await setting("Invited");
  const { player } = await guard(set);
  await open(set, async (page) => {
    await page.goto(at(`/campaign/#/campaign/${set.id}?seat=${set.player}&token=${player}`));
    await live(page);
    assert.equal(new URL(page.url()).hash, `#/campaign/${set.id}`);
    await eventually(() => page.getByLabel("You are").inputValue(), set.player);
    await page.getByRole("button", { name: "Token held" }).waitFor();
    await eventually(() => page.getByLabel("Who rolls").inputValue(), set.hero);
    await page.getByRole("button", { name: "Roll Agility +0 as Thorin" }).click();
    await page.getByRole("button", { name: "Roll the dice" }).click();
    await page
      .locator(".entries")
      .getByText(/^Thorin rolled Agility/)
      .waitFor();
    await page.getByRole("button", { name: "Roll Agility +0 as Stag" }).click();
    await page.getByRole("button", { name: "Roll the dice" }).click();
    await page.getByRole("alert").filter({ hasText: "Ask the GM" }).waitFor();
  });
});

test("inviting the GM shows a link once, guards the table, and the link works in another browser", async () => {
  const set = await setting("Hosts");
  await open(set, async (page) => {
    await page.getByRole("button", { name: "Invite Ada" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("From now on the table is guarded").waitFor();
    const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.locator(".head").getByText("Guarded", { exact: true }).waitFor();
    await fear(page).locator("i").nth(2).click();
    await page.getByRole("alert").filter({ hasText: "Only the GM may" }).waitFor();

    const context = await page.context().browser()?.newContext();
    const other = await context?.newPage();
    assert.ok(other);
    await other.goto(link);
    await live(other);
    await fear(other).locator("i").nth(2).click();
    await eventually(value(fear(page)), "3");
    await context?.close();
  });
});

test("a token is pasted, and a wrong one is told apart from a missing one by what the server does", async () => {
  const set = await setting("Pasted");
  const tokens = await guard(set);
  await open(set, async (page) => {
    await page.getByLabel("You are").selectOption({ label: "Ada (GM)" });
    const paste = async (token: string) => {
      await page.getByRole("button", { name: /Enter token|Token held/ }).click();
      await page.getByRole("dialog").getByLabel("Token").fill(token);
      await page.getByRole("dialog").getByRole("button", { name: "Keep" }).click();
    };
    await paste("seat_wrong");
    await fear(page).locator("i").nth(0).click();
    await page.getByText("paste the token").waitFor();
    await paste(tokens.gm);
    await fear(page).locator("i").nth(0).click();
    await eventually(async () => (await tableOf(set.id)).gm_fear, 1);
  });
});

test("someone whose seat is taken back speaks as the table again", async () => {
  const set = await setting("Leaving");
  const { id: late } = await post<{ id: string }>(`campaigns/${set.id}/participants`, {
    display_name: "Late",
    role: "PLAYER",
  });
  const { seq } = await tableOf(set.id);
  await open(set, async (page) => {
    await page.getByLabel("You are").selectOption(late);
    await send("POST", `campaigns/${set.id}/undo`, { seq });
    await eventually(() => page.getByLabel("You are").inputValue(), "");
  });
});
