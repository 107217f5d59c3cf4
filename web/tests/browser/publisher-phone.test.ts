import assert from "node:assert/strict";
import { assertFits, eventually } from "./browser.ts";
import { faint } from "./contrast.ts";
import { looked, test } from "./packages.ts";

const VIEWS = [
  ["#/", ".package-card"],
  ["#/home/shop", ".data-file"],
  ["#/home/shop/shop.malloy", ".run-card"],
  ["#/home/shop/shop.malloy?at=orders%2Foverview", ".figure-card"],
  ["#/home/shop/shop.malloy?at=orders%2Fby_product", "tbody"],
  ["#/home/shop/shop.malloy?text", ".source-line"],
  ["#/home/shop/shop.malloynb", ".cell .line"],
  ["#/home/shop/shop.malloy?q=run%3A+orders+-%3E+by_city", ".explore-result .block"],
  ["#/home/half/wrong.malloy", ".told"],
  ["#/-/history", ".doc-head"],
  ["#/-/connections", ".doc-head"],
  ["#/-/api", ".route"],
] as const;

for (const width of [320, 390, 768, 1100, 1600]) {
  test(`every view of the publisher fits into ${width} pixels`, async () => {
    const root = await looked();
    await root.open(
      "",
      async (page) => {
        for (const [hash, sign] of VIEWS) {
          await page.goto(`${root.url}/${hash}`);
          await page.locator(sign).first().waitFor();
          await assertFits(page);
        }
      },
      { viewport: { width, height: 780 }, colorScheme: width < 500 ? "dark" : "light" },
    );
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`text of the publisher has a contrast of 4.5 at least, in ${colorScheme} colours`, async () => {
    const root = await looked();
    await root.open(
      "",
      async (page) => {
        for (const [hash, sign] of VIEWS) {
          await page.goto(`${root.url}/${hash}`);
          await page.locator(sign).first().waitFor();
          assert.deepEqual(await faint(page), [], hash);
        }
      },
      { colorScheme },
    );
  });
}

test("every control of the publisher has a name, and headings follow each other", async () => {
  const root = await looked();
  await root.open("", async (page) => {
    for (const [hash, sign] of VIEWS) {
      await page.goto(`${root.url}/${hash}`);
      await page.locator(sign).first().waitFor();
      const nameless = await page.evaluate(() =>
        [
          ...document.querySelectorAll(
            "button, a[href], input, select, textarea, [role=application]",
          ),
        ]
          .filter((it) => it.checkVisibility())
          .filter((it) => {
            const label = it.getAttribute("aria-label") ?? (it as HTMLElement).innerText;
            const own = (it as HTMLInputElement).labels?.length ?? 0;
            return label.trim() === "" && own === 0;
          })
          .map((it) => it.outerHTML.slice(0, 120)),
      );
      assert.deepEqual(nameless, [], hash);
      const levels = await page.evaluate(() =>
        [...document.querySelectorAll("main :is(h1,h2,h3,h4,h5,h6)")]
          .filter((it) => it.checkVisibility())
          .map((it) => Number(it.tagName[1])),
      );
      assert.equal(levels[0], 1, hash);
      levels.forEach((level, n) =>
        assert.ok(level - (levels[n - 1] ?? 1) <= 1, `${hash}: heading ${n} jumps`),
      );
    }
    // Who went somewhere goes on at the document; who just came begins at the top.
    await page.reload();
    await page.locator(".route").first().waitFor();
    await page.keyboard.press("Tab");
    assert.equal(
      await page.evaluate(() => document.activeElement?.textContent),
      "Skip to the content",
    );
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "app");
  });
});

test("on a phone the fields are behind a button", async () => {
  const root = await looked();
  await root.open(
    "#/home/shop/shop.malloy?explore=orders",
    async (page) => {
      const city = page.getByRole("button", { name: "Group by city" });
      assert.equal(await city.isVisible(), false);
      await page.locator(".explore-side > summary").click();
      await city.click();
      await eventually(
        () => page.getByLabel("Malloy", { exact: true }).inputValue(),
        "run: orders -> {\n  group_by: city\n}",
      );
    },
    { viewport: { width: 390, height: 780 }, hasTouch: true },
  );
});
