import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { at, eventually } from "./browser.ts";
import {
  fear,
  line,
  open,
  otherRolls,
  post,
  rollAt,
  send,
  setting,
  told,
  value,
  type Setting,
} from "./campaigns.ts";

/** A session in which Fear went from 0 to 1 to 5, with a roll in between. */
async function evening(name: string): Promise<Setting & { roll: number }> {
  const set = await setting(name);
  await send("PUT", `campaigns/${set.id}/fear`, { fear: 1 });
  const roll = await otherRolls(set);
  await send("PUT", `campaigns/${set.id}/fear`, { fear: 5 });
  await post(`campaigns/${set.id}/sessions/${set.session}/end`);
  return { ...set, roll };
}

const bar = (page: Page) => page.getByRole("region", { name: "Replay" });
const step = (page: Page, name: string) => bar(page).getByRole("button", { name }).click();

test("a session is gone through again, with the table as it was", async () => {
  const set = await evening("Again");
  await open(set, async (page) => {
    await page.getByRole("button", { name: "Replay The Ford" }).click();
    await bar(page).getByText("1 of 5: “The Ford” begins").waitFor();
    await eventually(value(fear(page)), "0");
    assert.equal((await told(page)())[0], "“The Ford” begins");
    await step(page, "Next entry");
    await eventually(value(fear(page)), "1");
    await step(page, "Next entry");
    const { total } = await rollAt(set.id, set.roll);
    await eventually(() => page.locator(".tray .total").textContent(), String(total));
    assert.equal(await line(page, set.roll).getAttribute("data-place"), "here");
    assert.equal(await fear(page).getAttribute("aria-readonly"), "true");
    assert.equal(await page.getByRole("button", { name: "Roll the dice" }).isVisible(), false);
    await bar(page).getByRole("slider").fill("4");
    await eventually(value(fear(page)), "5");
    await step(page, "First entry");
    await eventually(value(fear(page)), "0");
    await step(page, "Back to now");
    await eventually(value(fear(page)), "5");
    assert.equal(await bar(page).isVisible(), false);
    assert.equal((await told(page)())[0], "“The Ford” ends");
  });
});

test("it plays by itself to the end, and what others do meanwhile waits", async () => {
  const set = await evening("Playing");
  await open(set, async (page) => {
    await page.clock.install();
    await page.getByRole("button", { name: "Replay The Ford" }).click();
    await bar(page).getByText("1 of 5").waitFor();
    await step(page, "Play");
    await send("PUT", `campaigns/${set.id}/fear`, { fear: 9 });
    for (let n = 2; n <= 5; n += 1) {
      await page.clock.runFor(2_000);
      await bar(page).getByText(`${n} of 5`).waitFor();
    }
    await bar(page).getByRole("button", { name: "Play" }).waitFor();
    await eventually(value(fear(page)), "5");
    await step(page, "Back to now");
    await eventually(value(fear(page)), "9");
  });
});

test("another campaign is forked from the moment that is looked at", async () => {
  const set = await evening("Crossroads");
  await open(set, async (page) => {
    await page.getByRole("button", { name: "Replay The Ford" }).click();
    await step(page, "Next entry");
    await eventually(value(fear(page)), "1");
    await step(page, "Fork here");
    await page.getByRole("dialog").getByRole("textbox").fill("The other bank");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The other bank" }).waitFor();
    await eventually(value(fear(page)), "1");
    assert.ok(!page.url().includes(set.id));
    await page.getByRole("heading", { name: "Thorin" }).waitFor();
  });
});

test("an entry that is looked at is taken back, as of now", async () => {
  const set = await evening("Regrets");
  await open(set, async (page) => {
    await page.getByRole("button", { name: "Replay The Ford" }).click();
    await step(page, "Last entry");
    await step(page, "Previous entry");
    await bar(page).getByText("4 of 5: Fear rises from 1 to 5").waitFor();
    await step(page, "Undo entry");
    await bar(page).getByText("is taken back, as of now").waitFor();
    await step(page, "Back to now");
    await eventually(value(fear(page)), "1");
  });
});

test("a session is taken home as Markdown", async () => {
  const set = await evening("Letters home");
  await open(set, async (page) => {
    const link = page.getByRole("link", { name: "Export The Ford as Markdown" });
    const href = await link.getAttribute("href");
    const response = await fetch(new URL(href ?? "", at("/campaign/")));
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^text\/markdown/);
    assert.match(await response.text(), /The Ford/);
  });
});
