import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFits, eventually, visit } from "./browser.ts";
import { open, otherRolls, post, rollAt, setting } from "./campaigns.ts";

const LONG = "A-name-that-does-not-break-anywhere-at-all-however-narrow-the-screen-may-be";

for (const width of [320, 390, 768, 1100]) {
  test(`the table fits into ${width} pixels, whatever is on it`, async () => {
    const set = await setting(LONG);
    await post(`campaigns/${set.id}/actors`, { name: LONG, kind: "PC", notes: LONG });
    await post(`campaigns/${set.id}/participants`, { display_name: LONG, role: "GM" });
    await post(`campaigns/${set.id}/notes`, { text: LONG });
    await otherRolls(set);
    await open(
      set,
      async (page) => {
        await assertFits(page);
        for (const tab of ["Table", "Dice", "Log"]) {
          const button = page.locator(".tabs").getByRole("button", { name: tab });
          if (await button.isVisible()) await button.click();
          await assertFits(page);
        }
        await page.getByRole("button", { name: "Verify the record" }).click();
        await page.getByText("entries unbroken").waitFor();
        await assertFits(page);
        const table = page.locator(".tabs").getByRole("button", { name: "Table" });
        if (await table.isVisible()) await table.click();
        await page.getByRole("button", { name: "Replay The Ford" }).click();
        await page.getByRole("region", { name: "Replay" }).getByText("1 of").waitFor();
        await assertFits(page);
      },
      { viewport: { width, height: 780 }, colorScheme: width < 500 ? "dark" : "light" },
    );
  });
}

test("the list fits into a phone", async () => {
  await post("campaigns", { name: LONG, gm_mode: "HUMAN", theme_prompt: LONG });
  await visit(
    "/campaign/",
    async (page) => {
      await page.getByRole("link", { name: LONG }).first().waitFor();
      await assertFits(page);
    },
    { viewport: { width: 320, height: 700 } },
  );
});

test("on a phone one part is shown at a time, and a roll out of sight is told in words", async () => {
  const set = await setting("Pocket");
  await open(
    set,
    async (page) => {
      assert.equal(await page.locator(".tray").isVisible(), false);
      const seq = await otherRolls(set);
      const { total } = await rollAt(set.id, seq);
      await page.locator(".toast", { hasText: `Thorin rolled Agility: ${total}` }).waitFor();
      await page.getByRole("button", { name: "Roll Finesse +0 as Thorin" }).click();
      await eventually(() => page.locator(".tray").isVisible(), true);
      await page.getByRole("button", { name: "Roll the dice" }).click();
      await page.locator(".steps li").first().waitFor();
      const inSight = () =>
        page.locator(".tray").evaluate((tray) => tray.getBoundingClientRect().top >= 0);
      await eventually(inSight, true);
    },
    { viewport: { width: 390, height: 780 }, hasTouch: true },
  );
});
