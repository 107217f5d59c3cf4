import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertFits, eventually } from "./browser.ts";
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

/** Texts whose colour is too near to what is behind them, worked out from what the browser draws. */
function faint(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const paint = (...layers: string[]): number[] => {
      if (!canvas) return [];
      canvas.clearRect(0, 0, 1, 1);
      for (const layer of layers) {
        canvas.fillStyle = layer;
        canvas.fillRect(0, 0, 1, 1);
      }
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = (rgb: number[]) => {
      const [r = 0, g = 0, b = 0] = rgb.map((part) => {
        const c = part / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element: Element): string[] => {
      const layers: string[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) {
        layers.unshift(getComputedStyle(at).backgroundColor);
      }
      return [getComputedStyle(document.body).backgroundColor, ...layers];
    };
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element?.checkVisibility() || (node.textContent ?? "").trim() === "") continue;
      if (element.closest(".visually-hidden, .skip, noscript, script")) continue;
      const layers = behind(element);
      const [a, b] = [
        light(paint(...layers)),
        light(paint(...layers, getComputedStyle(element).color)),
      ];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < 4.5) {
        found.push(
          `${ratio.toFixed(2)} ${element.className}: ${(node.textContent ?? "").slice(0, 40)}`,
        );
      }
    }
    return [...new Set(found)];
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
