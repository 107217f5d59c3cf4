/** Everything that the tests ask of the publisher, so that it can be recorded. */

import { MODEL } from "./sample.ts";

const SHOP = "api/v0/projects/home/packages/shop";
const HALF = "api/v0/projects/home/packages/half";

/** Queries that tests write or click together. */
export const CLICKED = [
  "run: orders -> {\n  group_by: city\n}",
  "run: orders -> {\n  group_by: city\n  aggregate: order_count\n}",
  "run: orders -> {\n  group_by: city\n  aggregate: order_count\n  order_by: order_count desc\n}",
  "run: orders -> {\n  group_by: city\n  aggregate: order_count\n  order_by: order_count desc\n  limit: 2\n}",
  "# bar_chart\nrun: orders -> {\n  group_by: city\n  aggregate: order_count\n  order_by: order_count desc\n  limit: 2\n}",
  "run: orders -> large",
  "run: orders -> by_city",
  "run: orders -> every",
];

export const WRONG = "run: orders -> { group_by: citty }";

const GETS = [
  "api/v0/status",
  "api/v0/projects",
  "api/v0/projects/home",
  "api/v0/projects/home/packages",
  "api/v0/projects/home/connections",
  "api/v0/openapi.json",
  SHOP,
  `${SHOP}/models`,
  `${SHOP}/notebooks`,
  `${SHOP}/databases`,
  `${SHOP}/schedules`,
  `${SHOP}/connections`,
  `${SHOP}/models/shop.malloy`,
  `${SHOP}/models/nothing.malloy`,
  `${SHOP}/notebooks/shop.malloynb?run=false`,
  ...[0, 1, 2, 3, 4, 5, 6].map((n) => `${SHOP}/notebooks/shop.malloynb/cells/${n}`),
  HALF,
  `${HALF}/models`,
  `${HALF}/notebooks`,
  `${HALF}/databases`,
  `${HALF}/schedules`,
  `${HALF}/connections`,
  `${HALF}/models/wrong.malloy`,
  `${HALF}/models/fine.malloy`,
];

export interface Ask {
  method: "GET" | "POST";
  path: string;
  body?: unknown;
}

export function everything(): Ask[] {
  const views = [...MODEL.matchAll(/view: (\w+)/g)].map(([, name]) => name);
  const model = `${SHOP}/models/shop.malloy`;
  const compiled = [...CLICKED, WRONG].map((source) => ({
    source,
    scope: "append",
    includeSql: true,
  }));
  return [
    ...GETS.map((path): Ask => ({ method: "GET", path })),
    ...views.map((queryName): Ask => ({
      method: "POST",
      path: `${model}/query`,
      body: { sourceName: "orders", queryName },
    })),
    { method: "POST", path: `${model}/query`, body: { queryName: "biggest" } },
    ...[...CLICKED, WRONG].map((query): Ask => ({
      method: "POST",
      path: `${model}/query`,
      body: { query },
    })),
    {
      method: "POST",
      path: `${model}/query`,
      body: { query: "run: orders -> large", givens: { MINIMUM: 200 } },
    },
    {
      method: "POST",
      path: `${model}/query`,
      body: { query: "run: orders -> every", rowLimit: 10 },
    },
    ...compiled.map((body): Ask => ({ method: "POST", path: `${model}/compile`, body })),
  ];
}
