import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "./browser.ts";
import { WRONG } from "../mock/publisher/asked.ts";
import { looked, test, testReal } from "./packages.ts";

const editor = (page: Page) => page.getByLabel("Malloy", { exact: true });
const text = (page: Page) => editor(page).inputValue();
const cells = (page: Page) => page.locator(".explore-result tbody td").allTextContents();

test("a query is put together by clicking, and the address holds it", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy?explore=orders", async (page) => {
    await page.getByRole("button", { name: "Group by city" }).click();
    await page.getByRole("button", { name: "Add order_count" }).click();
    await page.getByLabel("Order by").selectOption("order_count");
    await page.getByLabel("Limit").fill("2");
    await page.getByLabel("Limit").press("Enter");
    await eventually(
      () => text(page),
      "run: orders -> {\n  group_by: city\n  aggregate: order_count\n  order_by: order_count desc\n  limit: 2\n}",
    );
    await eventually(async () => (await cells(page)).length, 4);
    await page.getByLabel("Draw as").selectOption("bar_chart");
    await page.locator(".explore-result .block").first().waitFor();
    assert.match(await text(page), /^# bar_chart\n/);
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    await page.locator(".explore-result .block").first().waitFor();
    assert.deepEqual(await page.locator(".chip > span:first-child").allTextContents(), [
      "city",
      "order_count",
      "order_count",
    ]);
    await page.getByRole("button", { name: "SQL" }).first().click();
    await page
      .locator(".query-sql")
      .getByText(/SELECT/i)
      .first()
      .waitFor();
  });
});

test("what is wrong is underlined while one types, with the name that was meant", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy?explore=orders", async (page) => {
    await editor(page).fill(WRONG);
    await page.locator(".editor .wrong", { hasText: "citty" }).waitFor();
    await page.locator(".problems").getByText(/citty/).waitFor();
    await page.locator(".problems").getByRole("button", { name: "city", exact: true }).click();
    assert.match(await text(page), /group_by: city /);
    await eventually(() => page.locator(".editor .wrong").count(), 0);
  });
});

test("text is run with the keyboard; what the builder cannot show stays text", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy?explore=orders", async (page) => {
    await editor(page).fill("run: orders -> by_city");
    await editor(page).press("Control+Enter");
    await page.locator(".explore-result .block").first().waitFor();
    await page.locator(".chip", { hasText: "by_city" }).waitFor();
    await editor(page).fill("run: orders -> { aggregate: n is count() + 1 }");
    await page.getByText("This query says more than can be shown as parts").waitFor();
    await page.getByRole("button", { name: "Start anew" }).click();
    await eventually(() => text(page), "");
  });
});

test("givens are inputs, and part of the address", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy?q=run%3A+orders+-%3E+large", async (page) => {
    await eventually(() => cells(page), ["60"]);
    await page.getByLabel("MINIMUM").fill("200");
    await page.getByLabel("MINIMUM").press("Enter");
    await eventually(async () => Number((await cells(page))[0]) < 60, true);
    assert.match(page.url(), /given\.MINIMUM=200/);
  });
});

testReal("filters have inputs that fit, and suggest values that are there", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy?explore=orders", async (page) => {
    await page.getByRole("button", { name: "Group by city" }).click();
    await page.getByRole("button", { name: "Add order_count" }).click();
    await page.getByRole("button", { name: "Filter by city" }).click();
    const values = page.getByLabel("city, values");
    await values.focus();
    await eventually(() => page.locator("datalist option").count(), 4);
    await values.fill("Porto, Faro");
    await values.press("Enter");
    await eventually(
      async () => (await cells(page)).filter((_, n) => n % 2 === 0).sort(),
      ["Faro", "Porto"],
    );
    await page.getByRole("button", { name: "Group by sold" }).click();
    await page.getByLabel("Unit of sold").selectOption("quarter");
    await eventually(async () => /sold_quarter is sold.quarter/.test(await text(page)), true);
    await page.getByRole("button", { name: "Nest", exact: true }).click();
    await page.getByRole("button", { name: "Group by product", exact: true }).click();
    await eventually(
      async () => /nest: nest_1 is \{\n\s+group_by: product/.test(await text(page)),
      true,
    );
    await page.locator(".explore-result th.group", { hasText: "nest_1" }).waitFor();
  });
});

test("a query that takes long says so and can be stopped", async () => {
  const root = await looked();
  await root.open("#/home/shop/shop.malloy?explore=orders", async (page) => {
    // Held back, as by a database that is busy.
    await page.route("**/query", () => undefined);
    await editor(page).fill("run: orders -> by_city");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.locator(".waiting-time", { hasText: /[1-9] s/ }).waitFor();
    const ended = page.waitForEvent("requestfailed");
    await page.locator(".waiting").getByRole("button", { name: "Cancel" }).click();
    await ended;
    await page.getByText("Stopped.").waitFor();
    await page.unroute("**/query");
    await page.getByRole("button", { name: "Run again" }).click();
    await page.locator(".explore-result .block").first().waitFor();
  });
});

test("every cut is said where the result is, and the age of an answer that was kept", async () => {
  const root = await looked();
  await root.open("", async (page) => {
    const asked: unknown[] = [];
    await page.route("**/query", async (route) => {
      asked.push(route.request().postDataJSON());
      const response = await route.fetch({ postData: { query: "run: orders -> every" } });
      const answer = (await response.json()) as Record<string, unknown>;
      const cut = { limitHit: true, queryRowLimit: 60, queryRowLimitSource: "server_default" };
      await route.fulfill({ response, json: { ...answer, ...cut, cachedAgeMs: 125_000 } });
    });
    await page.goto(`${root.url}/#/home/shop/shop.malloy?q=run%3A+orders+-%3E+every`);
    await page.getByText("Only the first 60 rows are here: that is the server's limit.").waitFor();
    await page.getByText("cached, 2 minutes ago").waitFor();
    await page.getByRole("button", { name: "Ask for more" }).click();
    await eventually(async () => asked.length, 2);
    assert.deepEqual(asked[1], { query: "run: orders -> every", rowLimit: 600 });
    await page.getByRole("button", { name: "Run fresh" }).click();
    await eventually(async () => asked.length, 3);
    assert.deepEqual(asked[2], { query: "run: orders -> every", rowLimit: 600, fresh: true });
    // The page goes after the answer that is on its way.
    await page.unrouteAll({ behavior: "wait" });
  });
});

test("a result of many rows is shown a page at a time", async () => {
  const root = await looked();
  await root.open("", async (page) => {
    await page.route("**/query", async (route) => {
      const response = await route.fetch({ postData: { query: "run: orders -> every" } });
      const answer = (await response.json()) as { result: string };
      const result = JSON.parse(answer.result) as { data: { array_value: unknown[] } };
      const rows = result.data.array_value;
      result.data.array_value = Array.from({ length: 2_500 }, (_, n) => rows[n % rows.length]);
      await route.fulfill({ response, json: { ...answer, result: JSON.stringify(result) } });
    });
    await page.goto(`${root.url}/#/home/shop/shop.malloy?q=run%3A+orders+-%3E+every`);
    await page.getByText("2,500 rows").waitFor();
    await page.getByText("Rows 1 to 100 of 2,500").waitFor();
    assert.equal(await page.locator(".explore-result tbody").count(), 100);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Rows 101 to 200 of 2,500").waitFor();
  });
});
