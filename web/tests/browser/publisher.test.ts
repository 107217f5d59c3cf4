import assert from "node:assert/strict";
import { eventually } from "./browser.ts";
import { looked, Root, test, testReal } from "./packages.ts";

test("packages are listed with what they are about and what is wrong with them", async () => {
  const root = await looked();
  await root.open("", async (page) => {
    await page.getByRole("heading", { level: 1, name: "Packages" }).waitFor();
    const card = (name: string) => page.locator(`[data-package="${name}"]`);
    await card("shop").getByText("A small shop").waitFor();
    await card("broken").getByText("Error").waitFor();
    await page.getByRole("heading", { name: "Serve your own" }).waitFor();
    await card("shop").getByRole("link", { name: "shop" }).click();
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
    await page.getByRole("link", { name: "shop.malloynb" }).waitFor();
    const data = page.locator(".data-file", { hasText: "data/orders.csv" });
    await data.getByText("60 rows").waitFor();
    await data.locator("summary").click();
    await data.getByText("product", { exact: true }).waitFor();
    assert.match(await page.title(), /^shop · /);
  });
});

test("a model that does not compile says where and why, and its neighbour works", async () => {
  const root = await looked();
  await root.open("#/home/half/wrong.malloy", async (page) => {
    await page.locator(".told").getByText(/nn/).first().waitFor();
    await page.goto(`${root.url}/#/home/half/fine.malloy`);
    await page.getByRole("heading", { level: 2, name: "numbers" }).waitFor();
    await page.goto(`${root.url}/#/home/shop/nothing.malloy`);
    await page.getByRole("heading", { name: /There is no model/ }).waitFor();
  });
});

test("a model shows its sources, and a view runs when it is opened", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy", async (page) => {
    const source = page.getByRole("region", { name: "orders", exact: true });
    await source.getByText("Every order, once.").waitFor();
    await source.getByText("Whether it was sent at once.").waitFor();
    assert.equal(await page.locator(".field-list [data-kind=measure]").count(), 3);
    const card = page.getByRole("article", { name: "by_city" });
    await card.getByRole("button", { name: "by_city" }).click();
    await card.locator(".chart .block").first().waitFor();
    assert.equal(await card.locator(".chart .block").count(), 4);
    await card.getByRole("button", { name: "Table", exact: true }).click();
    assert.deepEqual(await card.locator("th").allTextContents(), ["city", "order_count", "total"]);
    assert.match((await card.locator("td.num").last().textContent()) ?? "", /^\$[\d,]+\.\d\d$/);
    await card.getByRole("button", { name: "SQL", exact: true }).click();
    await card
      .getByText(/SELECT/i)
      .first()
      .waitFor();
    await card.getByRole("button", { name: "Use", exact: true }).click();
    await card.getByText("malloy_executeQuery").waitFor();
    await card.getByText(/curl -s/).waitFor();
  });
});

test("a link to a view opens and runs it", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy?at=orders%2Foverview", async (page) => {
    const card = page.getByRole("article", { name: "overview" });
    await card.locator(".figure-card").first().waitFor();
    assert.deepEqual(await card.locator(".figure-card dt").allTextContents(), [
      "order_count",
      "total",
      "express_share",
    ]);
    assert.equal(await card.locator(".figure-card dd").first().textContent(), "60");
    await card.getByRole("region", { name: "by_month" }).locator("path.line").waitFor();
    await card.getByRole("region", { name: "nested" }).locator("th.group").waitFor();
  });
});

test("nests stand in one table, beside the row they belong to", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy?at=orders%2Fnested", async (page) => {
    const card = page.getByRole("article", { name: "nested" });
    await card.locator("tbody").first().waitFor();
    assert.deepEqual(await card.locator("th").allTextContents(), [
      "product",
      "total",
      "top",
      "city",
      "order_count",
    ]);
    assert.equal(await card.locator("tbody").count(), 3);
    assert.equal(await card.locator("tbody").first().locator("tr").count(), 2);
    assert.equal(await card.locator("tbody td").first().getAttribute("rowspan"), "2");
  });
});

test("a chart can be walked through by keyboard, and a map says that it is a table", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy?at=orders%2Fby_month", async (page) => {
    const card = page.getByRole("article", { name: "by_month" });
    await card.locator("path.line").waitFor();
    await card.locator(".chart-stage").focus();
    await page.keyboard.press("ArrowRight");
    await card.locator(".chart-tip").getByText("2025-01").waitFor();
    await page.keyboard.press("End");
    await card.locator(".chart-tip").getByText("2025-06").waitFor();
    await page.keyboard.press("Escape");
    await eventually(() => card.locator(".chart-tip").isVisible(), false);
    await page.goto(`${root.url}/#/home/shop/shop.malloy?at=orders%2Fon_a_map`);
    const map = page.getByRole("article", { name: "on_a_map" });
    await map.getByText(/Maps .* are not drawn here/).waitFor();
    assert.equal(await map.locator("tbody").count(), 4);
  });
});

test("the text of a model is shown with lines that are addresses", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy", async (page) => {
    await page.getByRole("link", { name: "Malloy", exact: true }).click();
    await page.getByRole("link", { name: "Line 6", exact: true }).click();
    assert.match(page.url(), /line=6/);
    await page.locator(".source-line[data-target]", { hasText: "source: products" }).waitFor();
    assert.ok((await page.locator(".source-text .t-property").count()) > 10);
  });
});

test("a notebook is read: prose is text, cells run, the bad one says what is wrong", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloynb", async (page) => {
    await page.getByRole("heading", { level: 1, name: "The shop in numbers" }).waitFor();
    await page.getByText("<script>alert(1)</script> stays text").waitFor();
    assert.equal(await page.locator("main script").count(), 0);
    const cell = (n: number) => page.locator(`[data-cell="${n}"]`);
    await cell(3).locator("path.line").waitFor();
    await cell(4)
      .locator(".told")
      .getByText(/nothing_like_it/)
      .first()
      .waitFor();
    await cell(6).scrollIntoViewIfNeeded();
    await cell(6).locator("td").first().waitFor();
    assert.equal(await cell(3).locator("pre").isVisible(), false);
    await cell(3).getByRole("button", { name: "Show code" }).click();
    await cell(3).locator("pre").getByText("by_month").waitFor();
    await page.getByRole("button", { name: "Copy a link to cell 7" }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /cell=6$/);
    await page.goto(copied);
    await page.locator('[data-cell="6"][data-target]').waitFor();
  });
});

test("rows can be saved", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy?at=orders%2Fby_city", async (page) => {
    const card = page.getByRole("article", { name: "by_city" });
    const saved = page.waitForEvent("download");
    await card.getByRole("button", { name: "CSV" }).click();
    assert.equal((await saved).suggestedFilename(), "by_city.csv");
  });
});

test("what was asked is in the history, which grows while it is looked at", async () => {
  const root = await looked();
  await root.open("#/-/history", async (page) => {
    const before = await page.locator(".asked").count();
    await fetch(`${root.url}/api/v0/projects/home/packages/shop/models/shop.malloy/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ queryName: "biggest" }),
    });
    await eventually(
      async () => (await page.locator(".asked").count()) > before || before >= 100,
      true,
    );
    await page.locator(".asked").first().getByText("biggest").waitFor();
    await page.locator(".asked").first().getByText("Program", { exact: true }).waitFor();
    await page.locator(".asked").first().getByText("over HTTP").waitFor();
    await page.locator(".asked").first().getByRole("link", { name: "Explore" }).click();
    await page.getByRole("heading", { level: 1, name: "Explore" }).waitFor();
    assert.match(await page.getByLabel("Malloy", { exact: true }).inputValue(), /biggest/);
  });
});

test("the routes of the API and the connections are listed", async () => {
  const root = await looked();
  await root.open("#/-/api", async (page) => {
    await page.locator(".route", { hasText: "/query" }).first().waitFor();
    await page.getByRole("link", { name: "Connections" }).click();
    await page.getByRole("heading", { level: 1, name: "Connections" }).waitFor();
    await page.getByRole("region", { name: "Project home" }).waitFor();
  });
});

testReal("a model that is edited is shown anew, and one that breaks keeps answering", async () => {
  const root = await Root.with();
  await root.open("#/home/shop/shop.malloy", async (page) => {
    await page.getByRole("heading", { level: 2, name: "orders" }).waitFor();
    const { MODEL } = await import("../mock/publisher/sample.ts");
    root.write(
      "shop/shop.malloy",
      `${MODEL}\nsource: fresh is orders extend { view: newest is by_city }\n`,
    );
    await page.getByRole("heading", { level: 2, name: "fresh" }).waitFor();
    root.write("shop/shop.malloy", "source: orders is nothing_at_all\n");
    await page.goto(`${root.url}/#/home/shop`);
    await page.getByText(/Stale/).first().waitFor();
    await page.goto(`${root.url}/#/home/shop/shop.malloy?at=orders%2Fby_city`);
    await page
      .getByRole("article", { name: "by_city" })
      .first()
      .locator(".block")
      .first()
      .waitFor();
  });
  await root.stop();
});
