import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFits, at, eventually, visit } from "./browser.ts";

interface Status {
  mcp: { url: string };
  applications: { title: string; about: string; mcp: { url: string } }[];
}

async function status(): Promise<Status> {
  return (await (await fetch(at("/api/status"))).json()) as Status;
}

test("the home page shows every application and its health", async () => {
  const { applications } = await status();
  assert.ok(applications.length > 0);
  await visit("/", async (page) => {
    await eventually(
      () => page.locator(".application h3").allTextContents(),
      applications.map(({ title }) => title),
    );
    for (const { title, about } of applications) {
      const card = page.locator(".application", { hasText: title });
      await card.getByText(about).waitFor();
      assert.equal(await card.locator(".pill").textContent(), "Well");
    }
    assert.equal(await page.locator("#summary").textContent(), "All well");
  });
});

test("a card leads to the application's page", async () => {
  await visit("/", async (page) => {
    await page.locator('.application a[href$="/universe/"]').click();
    await page.getByRole("heading", { name: "Universes" }).waitFor();
  });
});

test("copying an address puts it on the clipboard and says so", async () => {
  const { applications } = await status();
  await visit("/", async (page) => {
    const button = page.locator(".application").first().getByRole("button", { name: /^Copy/ });
    await button.click();
    await eventually(() => button.textContent(), "Copied");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, applications[0]?.mcp.url);
    await eventually(() => button.textContent(), "Copy");
  });
});

test("the configuration follows the client, the transport and the scope that were chosen", async () => {
  const { mcp } = await status();
  await visit("/", async (page) => {
    const shown = () => page.locator("#panel code").textContent();
    await eventually(shown, `claude mcp add --transport http tandem ${mcp.url}`);
    await page.getByRole("radio", { name: "stdio" }).check();
    await page.getByRole("combobox", { name: "Applications" }).selectOption("universe");
    await page.getByRole("radio", { name: "VS Code" }).check();
    const config = JSON.parse((await shown()) ?? "") as {
      servers: Record<string, { type: string }>;
    };
    assert.equal(config.servers["tandem-universe"]?.type, "stdio");
    await page.getByRole("button", { name: "Copy the configuration" }).click();
    await eventually(
      () => page.evaluate(() => navigator.clipboard.readText()),
      (await shown()) ?? "",
    );
  });
});

test("the choices work by keyboard alone", async () => {
  await visit("/", async (page) => {
    await page.locator("#panel code", { hasText: "claude mcp add" }).waitFor();
    await page.getByRole("radio", { name: "Claude Code" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("#panel code", { hasText: "mcpServers" }).waitFor();
  });
});

test("dark colours follow the system, and the toggle overrides it for good", async () => {
  await visit(
    "/",
    async (page) => {
      const scheme = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
      const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await paper();
      await page.getByRole("button", { name: "Switch to light colours" }).click();
      await eventually(scheme, "light");
      assert.notEqual(await paper(), dark);
      await page.reload();
      await eventually(scheme, "light");
    },
    { colorScheme: "dark" },
  );
});

for (const width of [320, 360, 768, 1440]) {
  test(`the home page fits into ${width} pixels, whatever is chosen`, async () => {
    await visit(
      "/",
      async (page) => {
        await page.locator("#panel code", { hasText: "claude mcp add" }).waitFor();
        for (const client of ["Claude Code", "Claude Desktop", "Codex"]) {
          await page.getByRole("radio", { name: client }).check();
          await assertFits(page);
        }
      },
      { viewport: { width, height: 800 } },
    );
  });
}

test("a server that goes away is said to be gone, and found again by itself", async () => {
  await visit("/", async (page) => {
    await page.locator(".application").first().waitFor();
    await page.route("**/api/status", (route) => route.abort());
    await page.getByText("Tandem cannot be reached").waitFor();
    await page.unroute("**/api/status");
    await eventually(() => page.locator("#summary").textContent(), "All well");
    assert.equal(await page.locator("#notice").textContent(), "");
  });
});

test("what is ill is said with its reason", async () => {
  await visit("/", async (page) => {
    await page.route("**/api/status", async (route) => {
      const answer = (await (await route.fetch()).json()) as {
        applications: { health: unknown }[];
      };
      answer.applications.forEach(
        (app) => (app.health = { status: "ill", reason: "the disk is full" }),
      );
      await route.fulfill({ json: answer });
    });
    await page.locator(".application .error", { hasText: "the disk is full" }).first().waitFor();
    await eventually(() => page.locator("#summary").getAttribute("data-state"), "ill");
  });
});
