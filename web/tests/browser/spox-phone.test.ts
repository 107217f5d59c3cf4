import assert from "node:assert/strict";
import { assertFits, eventually } from "./browser.ts";
import { faint } from "./contrast.ts";
import { changeFiles, Project, specText, test, TWO } from "./projects.ts";

const LONG = "A-name-that-does-not-break-anywhere-at-all-however-narrow-the-screen-may-be";

const FILES = {
  ...TWO,
  [`specs/${LONG.toLowerCase()}/spec.md`]: specText(LONG, LONG, "Login").replace(
    "SHALL do Login.",
    "may do Login.",
  ),
  ...changeFiles("quick", LONG.toLowerCase(), LONG),
};

for (const width of [320, 390, 768, 1100, 1600]) {
  test(`every view fits into ${width} pixels, whatever is in the files`, async () => {
    const project = await Project.with(FILES);
    await project.ask("POST", "index");
    await project.open(
      "",
      async (page) => {
        await page.locator(".all-issues .issue").first().waitFor();
        await assertFits(page);
        const id = encodeURIComponent(LONG.toLowerCase());
        for (const [hash, sign] of [
          [`#/spec/${id}`, ".requirement"],
          [`#/spec/${id}?source`, ".source-line"],
          ["#/change/quick", ".delta"],
          ["#/spec/nothing", ".missing"],
        ] as const) {
          await page.evaluate((to) => (location.hash = to), hash);
          await page.locator(sign).first().waitFor();
          await assertFits(page);
        }
        await page.getByRole("combobox", { name: "Search requirements" }).fill("login");
        await page.locator(".search-panel").waitFor();
        await assertFits(page);
        await page.keyboard.press("Escape");
        const browse = page.getByRole("button", { name: "Browse" });
        if (await browse.isVisible()) await browse.click();
        await page.locator(".side-list a").first().waitFor();
        await assertFits(page);
      },
      { viewport: { width, height: 780 }, colorScheme: width < 500 ? "dark" : "light" },
    );
  });
}

test("on a phone the lists are behind a button and give way to what was chosen", async () => {
  const project = await Project.with(TWO);
  await project.open(
    "",
    async (page) => {
      const list = page.locator("#side-body");
      assert.equal(await list.isVisible(), false);
      await page.getByRole("button", { name: "Browse" }).click();
      await page.getByRole("link", { name: "auth, 2 requirements" }).click();
      await page.getByRole("article", { name: "Login" }).waitFor();
      assert.equal(await list.isVisible(), false);
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await eventually(() => page.getByRole("combobox").isVisible(), true);
      const box = await page.getByRole("combobox").boundingBox();
      assert.ok(box && box.y >= 0, "the search stays in sight");
    },
    { viewport: { width: 390, height: 780 }, hasTouch: true },
  );
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`text has a contrast of 4.5 at least, in ${colorScheme} colours`, async () => {
    const project = await Project.with({ ...TWO, ...FILES });
    await project.ask("POST", "index");
    await project.open(
      "",
      async (page) => {
        for (const [hash, sign] of [
          ["#/", ".all-issues .issue"],
          [`#/spec/${LONG.toLowerCase()}`, ".requirement"],
          [`#/spec/${LONG.toLowerCase()}?source`, ".source-line"],
          ["#/change/quick", ".delta"],
        ] as const) {
          await page.evaluate((to) => (location.hash = to), hash);
          await page.locator(sign).first().waitFor();
          assert.deepEqual(await faint(page), [], hash);
        }
      },
      { colorScheme },
    );
  });
}

test("every control has a name and every part its landmark", async () => {
  const project = await Project.with(FILES);
  await project.open("#/change/quick", async (page) => {
    await page.locator(".delta").first().waitFor();
    for (const role of ["banner", "main", "search"] as const) {
      assert.equal(await page.getByRole(role).count(), 1, role);
    }
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, a[href], input, [role=progressbar], [role=img]")]
        .filter((it) => it.checkVisibility())
        .filter((it) => {
          const label = it.getAttribute("aria-label") ?? (it as HTMLElement).innerText;
          return label.trim() === "" && document.querySelector(`label[for="${it.id}"]`) === null;
        })
        .map((it) => it.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(nameless, []);
    const levels = await page.evaluate(() =>
      [...document.querySelectorAll("main :is(h1,h2,h3,h4,h5,h6)")].map((it) =>
        Number(it.tagName[1]),
      ),
    );
    assert.equal(levels[0], 1);
    levels.forEach((level, n) =>
      assert.ok(level - (levels[n - 1] ?? 1) <= 1, `heading ${n} jumps`),
    );
    await page.keyboard.press("Tab");
    assert.equal(
      await page.evaluate(() => document.activeElement?.textContent),
      "Skip to the content",
    );
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "app");
  });
});
