/** A server root with one project and packages that have one of everything, for the tests of the publisher's page. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type Files = Record<string, string>;

const CITIES = ["Porto", "Lisbon", "Braga", "Faro"];
/** Not the same every month: a line that is flat says nothing. */
const MONTHS = [1, 1, 1, 2, 2, 3, 4, 4, 4, 4, 5, 6, 6];
const PRODUCTS = ["lamp", "chair", "table"];

/** Sixty orders over half a year, the same on every machine. */
function orders(): string {
  const lines = ["order_id,sold,city,product,amount,express"];
  for (let n = 0; n < 60; n += 1) {
    const month = String(MONTHS[n % 13] ?? 1).padStart(2, "0");
    const day = String(((n * 7) % 27) + 1).padStart(2, "0");
    const city = CITIES[[0, 0, 1, 2, 1, 0, 3][n % 7] ?? 0] ?? "";
    const product = PRODUCTS[n % 3] ?? "";
    const amount = ((n * 37) % 250) + 20 + (n % 4) / 4;
    lines.push([n + 1, `2025-${month}-${day}`, city, product, amount, n % 5 === 0].join(","));
  }
  return `${lines.join("\n")}\n`;
}

export const MODEL = `##! experimental { givens }
## A small shop: what was ordered, where, and for how much.

given: MINIMUM :: number is 0

source: products is duckdb.table('data/products.csv') extend {
  primary_key: product
}

#" Every order, once.
source: orders is duckdb.table('data/orders.csv') extend {
  primary_key: order_id
  join_one: products with product

  dimension:
    #" Whether it was sent at once.
    is_express is express
    is_large is amount >= $MINIMUM and amount > 100

  measure:
    order_count is count()
    # currency
    total is sum(amount)
    # percent
    express_share is count() { where: express } / nullif(count(), 0)

  # bar_chart
  view: by_city is {
    group_by: city
    aggregate: order_count, total
    order_by: order_count desc, city
  }

  # line_chart
  view: by_month is {
    group_by: in_month is sold.month
    aggregate: order_count
    order_by: in_month
  }

  view: by_product is {
    group_by: product
    aggregate: order_count, express_share
    nest: cities is by_city
    order_by: product
  }

  # scatter_chart
  view: spread is {
    group_by: city
    aggregate: order_count, total
  }

  # shape_map
  view: on_a_map is {
    group_by: city
    aggregate: order_count
  }

  view: nested is {
    group_by: product
    aggregate: total
    nest: top is {
      group_by: city
      aggregate: order_count
      order_by: order_count desc, city
      limit: 2
    }
    order_by: product
  }

  # dashboard
  view: overview is {
    aggregate: order_count, total, express_share
    nest: by_month, by_city, nested
  }

  view: large is {
    where: amount >= $MINIMUM
    aggregate: order_count
  }

  view: every is {
    select: order_id, sold, city, product, amount
    order_by: order_id
  }
}

query: biggest is orders -> {
  group_by: product
  aggregate: total
  order_by: total desc
  limit: 1
}
`;

export const NOTEBOOK = `>>>markdown
# The shop in numbers

What people order. <script>alert(1)</script> stays text.
>>>malloy
import "shop.malloy"
>>>markdown
## By month
>>>malloy
run: orders -> by_month
>>>malloy
run: orders -> { group_by: nothing_like_it }
>>>markdown
## The biggest
>>>malloy
run: biggest
`;

/** One package without a fault, as files. */
export const SHOP: Files = {
  "publisher.json": `{ "name": "shop", "version": "1.0.0", "description": "A small shop" }`,
  "shop.malloy": MODEL,
  "shop.malloynb": NOTEBOOK,
  "data/orders.csv": orders(),
  "data/products.csv": "product,kind\nlamp,light\nchair,seat\ntable,board\n",
};

/** The same server root with a package that cannot be read and one with a model that does not compile. */
export function rootFiles(): Files {
  const all: Files = {};
  for (const [path, text] of Object.entries(SHOP)) all[`shop/${path}`] = text;
  return {
    ...all,
    "broken/publisher.json": `{ "name": `,
    "half/publisher.json": `{ "name": "half", "description": "One model of it does not compile" }`,
    "half/fine.malloy":
      "source: numbers is duckdb.sql('select 1 as n') extend { measure: c is count() }\n",
    "half/wrong.malloy":
      "source: numbers is duckdb.sql('select 1 as n') extend {\n  dimension: m is nn + 1\n}\n",
  };
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
