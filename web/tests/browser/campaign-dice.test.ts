import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { eventually } from "./browser.ts";
import {
  agentRolls,
  fear,
  line,
  open,
  otherRolls,
  pips,
  post,
  rollAt,
  setting,
  shown,
  tableOf,
  value,
} from "./campaigns.ts";

const MOVING = { reducedMotion: "no-preference" } as const;
const throws = (page: Page) => () => page.locator(".tray").getAttribute("data-throws");
const isRolling = (page: Page) => () => page.locator(".tray").getAttribute("data-rolling");
const total = (page: Page) => () => page.locator(".tray .total").allTextContents();

test("an agent's roll is in the log at once, and its dice roll and land on what the server said", async () => {
  const set = await setting("An agent");
  await open(
    set,
    async (page) => {
      assert.equal(await throws(page)(), "0");
      const seq = await agentRolls(set);
      await line(page, seq).getByText("Thorin rolled Agility").waitFor();
      await line(page, seq).getByText("AI", { exact: true }).waitFor();
      assert.equal(await throws(page)(), "1");
      assert.equal(await isRolling(page)(), "true");
      const roll = await rollAt(set.id, seq);
      await eventually(total(page), [String(roll.total)]);
      assert.equal(await isRolling(page)(), null);
      assert.equal(await shown(page, "hope")(), roll.hope);
      assert.equal(await shown(page, "fear")(), roll.fear);
    },
    MOVING,
  );
});

test("a roll of one's own is thrown once, though the answer and the feed both tell of it", async () => {
  const set = await setting("Once");
  await open(
    set,
    async (page) => {
      await page.getByRole("button", { name: "Roll the dice" }).click();
      await eventually(async () => (await total(page)()).length, 1);
      const { seq } = await tableOf(set.id);
      await line(page, seq).waitFor();
      assert.equal(await throws(page)(), "1");
      assert.deepEqual(await total(page)(), [String((await rollAt(set.id, seq)).total)]);
    },
    MOVING,
  );
});

test("a second roll while dice are in the air puts them down and rolls anew", async () => {
  const set = await setting("Hasty");
  await open(
    set,
    async (page) => {
      await otherRolls(set);
      const last = await otherRolls(set, 30);
      await eventually(throws(page), "2");
      await eventually(total(page), [String((await rollAt(set.id, last)).total)]);
    },
    MOVING,
  );
});

test("with reduced motion the dice lie there at once", async () => {
  const set = await setting("Still");
  await open(set, async (page) => {
    const seq = await otherRolls(set);
    const roll = await rollAt(set.id, seq);
    await eventually(total(page), [String(roll.total)]);
    assert.equal(await throws(page)(), "0");
    assert.equal(await shown(page, "hope")(), roll.hope);
    assert.equal(await shown(page, "fear")(), roll.fear);
    assert.deepEqual(await page.evaluate(() => document.getAnimations().length), 0);
  });
});

test("an outcome is explained in steps and applied once, by whoever is first", async () => {
  const set = await setting("Outcomes");
  await open(set, async (page) => {
    const before = await tableOf(set.id);
    const seq = await otherRolls(set, 10);
    const roll = await rollAt(set.id, seq);
    const steps = page.locator(".steps");
    await steps
      .getByText(`${roll.hope} Hope + ${roll.fear} Fear = ${roll.hope + roll.fear}`)
      .waitFor();
    assert.equal(await steps.locator("li").count(), 5);
    await page.getByRole("button", { name: "Apply outcome" }).click();
    await page.getByText("Applied to the table").waitFor();
    assert.equal(await page.getByRole("button", { name: "Apply outcome" }).count(), 0);
    const withFear = roll.outcome.endsWith("FEAR");
    const hope = before.actors.find(({ id }) => id === set.hero)?.state.hope ?? 0;
    await eventually(value(fear(page)), String(before.gm_fear + (withFear ? 1 : 0)));
    await eventually(value(pips(page, set.hero, "Hope")), String(hope + (withFear ? 0 : 1)));
    const second = await otherRolls(set, 10);
    await page.getByRole("button", { name: "Apply outcome" }).waitFor();
    await post(`campaigns/${set.id}/rolls/${second}/apply`);
    await page.getByText("Applied to the table").waitFor();
  });
});

test("whoever comes later finds the dice as they lie, and a roll that is taken back is not applied", async () => {
  const set = await setting("Later");
  const seq = await otherRolls(set);
  await open(
    set,
    async (page) => {
      await eventually(total(page), [String((await rollAt(set.id, seq)).total)]);
      assert.equal(await throws(page)(), "0");
      await page.getByRole("button", { name: "Apply outcome" }).waitFor();
      await post(`campaigns/${set.id}/undo`, { seq });
      await page.getByText("This roll was taken back.").waitFor();
      assert.equal(await page.getByRole("button", { name: "Apply outcome" }).count(), 0);
    },
    MOVING,
  );
});

test("the chances follow the roll being considered, and are readable without seeing them", async () => {
  const set = await setting("Chances");
  await open(set, async (page) => {
    const told = () => page.locator(".odds-bar").getAttribute("aria-label");
    await eventually(told, "Critical success 8.3 %, With hope 46 %, With fear 46 %");
    await page.getByLabel("Difficulty").fill("15");
    await page.getByLabel("Value of the modifier").fill("2");
    await page.getByRole("button", { name: "Add modifier" }).click();
    const even =
      "Critical success 8.3 %, Success with hope 25 %, Success with fear 25 %, Failure with hope 21 %, Failure with fear 21 %";
    await eventually(told, even);
    await page.getByText("58 % chance of success").waitFor();
    await page.getByRole("radio", { name: "Advantage", exact: true }).check({ force: true });
    await eventually(async () => (await told()) === even, false);
    await page.getByRole("radio", { name: "Neither" }).check({ force: true });
    await eventually(told, even);
    await page.getByRole("button", { name: "Remove Modifier" }).click();
    await page.getByText("43 % chance of success").waitFor();
    await page.getByLabel("Difficulty").fill("-1");
    await page.getByText("Difficulty must be non-negative.").waitFor();
  });
});

test("advantage throws a third die, and its part in the total is told", async () => {
  const set = await setting("Advantage");
  await open(set, async (page) => {
    await page.getByRole("radio", { name: "Advantage", exact: true }).check({ force: true });
    await page.getByRole("button", { name: "Roll Strength +0 as Thorin" }).click();
    await page.getByRole("button", { name: "Roll the dice" }).click();
    await page.locator('.tray .die[data-tone="advantage"]').waitFor();
    await page
      .locator(".steps")
      .getByText(/Strength \+0, advantage \+\d/)
      .waitFor();
  });
});

test("other dice are written as people write them; what is no dice is said", async () => {
  const set = await setting("Notation");
  await open(set, async (page) => {
    const dice = page.locator("#notation");
    await dice.fill("2d20+1d6");
    await page.getByRole("button", { name: "Roll dice" }).click();
    await eventually(() => page.locator(".tray .die").count(), 3);
    await page
      .locator(".entries li")
      .first()
      .getByText(/^Rolled 2d20 \+ 1d6: \d+$/)
      .waitFor();
    await dice.fill("3d1+4");
    await page.keyboard.press("Enter");
    await page.getByText("3 + 4 = 7").waitFor();
    await dice.fill("2x6");
    await page.keyboard.press("Enter");
    await page.getByText("“2x6” is no dice; write 2d6.").waitFor();
  });
});

test("without a session dice can be thrown, and the page says that nobody keeps them", async () => {
  const set = await setting("Loose", { playing: false });
  await open(set, async (page) => {
    const { seq } = await tableOf(set.id);
    await page.getByRole("button", { name: "Roll the dice" }).click();
    await page.getByText("No session is running, so this roll is not kept.").waitFor();
    assert.equal((await tableOf(set.id)).seq, seq);
  });
});
