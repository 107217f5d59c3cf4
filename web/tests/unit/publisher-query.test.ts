import assert from "node:assert/strict";
import { test } from "node:test";
import { isWhole, listed } from "../../publisher/explore/filter.ts";
import {
  condition,
  emptyDraft,
  emptyLevel,
  named,
  write,
  type Draft,
  type Filter,
} from "../../publisher/malloy/draft.ts";
import { marked, offsetOf, pieces } from "../../publisher/malloy/marks.ts";
import { ident } from "../../publisher/malloy/name.ts";
import { distance, nearest } from "../../publisher/malloy/near.ts";
import { readDraft, type Lookup } from "../../publisher/malloy/read.ts";
import { tokens } from "../../publisher/malloy/tokens.ts";

const KINDS: Record<string, Filter["kind"]> = {
  "copies.books.genre": "string",
  lent: "date",
  at: "time",
  is_late: "boolean",
  pages: "number",
  loan_count: "number",
  "odd name": "string",
};

const lookup: Lookup = (path) => {
  const kind = KINDS[path.join(".")];
  return kind && { kind, measure: path.join(".") === "loan_count" };
};
const read = (text: string) =>
  readDraft(text, (source) => (source === "loans" ? lookup : undefined));

function filter(path: string, operator: Filter["operator"], ...values: string[]): Filter {
  const kind = KINDS[path] ?? "string";
  return { path: path.split("."), kind, operator, values, measure: path === "loan_count" };
}

const FULL: Draft = {
  source: "loans",
  view: undefined,
  chart: "bar_chart { stack }",
  level: {
    groupBy: [{ path: ["copies", "books", "genre"] }, { path: ["lent"], unit: "month" }],
    aggregate: [{ path: ["loan_count"] }],
    filters: [
      filter("copies.books.genre", "is", "Crime", "Children's"),
      filter("lent", "during", "2024-01-01", "2025"),
      filter("is_late", "false"),
      filter("pages", ">=", "-2.5"),
      filter("loan_count", ">", "15"),
      filter("odd name", "contains", "50"),
      filter("odd name", "null"),
    ],
    nests: [
      { name: "by_branch", chart: "", view: "by_branch" },
      {
        name: "parts",
        chart: "line_chart",
        level: {
          ...emptyLevel(),
          groupBy: [{ path: ["at"], unit: "hour", as: "hour_of" }],
          aggregate: [{ path: ["loan_count"], as: "n" }],
          nests: [
            { name: "deep", chart: "", level: { ...emptyLevel(), groupBy: [{ path: ["pages"] }] } },
          ],
        },
      },
    ],
    orderBy: [
      { name: "loan_count", direction: "desc" },
      { name: "genre", direction: "asc" },
    ],
    limit: 10,
  },
};

test("a query that was clicked together is written as Malloy", () => {
  assert.equal(
    write(FULL),
    `# bar_chart { stack }
run: loans -> {
  where: copies.books.genre = 'Crime' | 'Children\\'s', lent ? @2024-01-01 to @2025, not is_late, pages >= -2.5, \`odd name\` ~ '%50%', \`odd name\` is null
  group_by: copies.books.genre, lent_month is lent.month
  aggregate: loan_count
  nest: by_branch
  # line_chart
  nest: parts is {
    group_by: hour_of is \`at\`.hour
    aggregate: n is loan_count
    nest: deep is {
      group_by: pages
    }
  }
  having: loan_count > 15
  order_by: loan_count desc, genre asc
  limit: 10
}`,
  );
});

test("what the builder writes it can read", () => {
  const again = read(write(FULL));
  assert.ok(again);
  assert.equal(write(again), write(FULL));
  for (const text of [
    "run: loans -> by_month",
    "# line_chart\nrun: loans -> by_month",
    "run: loans -> by_month + {\n  where: is_late\n  limit: 5\n}",
  ]) {
    assert.equal(write(read(text) as Draft), text);
  }
});

test("every filter comes back as it was", () => {
  const filters = [
    filter("copies.books.genre", "is not", "a", "b"),
    filter("copies.books.genre", "starts", "Cr"),
    filter("copies.books.genre", "ends", "me"),
    filter("copies.books.genre", "not null"),
    filter("copies.books.genre", "is", "it's \\ a `trap`' | x"),
    filter("lent", "before", "2024-03-09"),
    filter("lent", "after", "2024"),
    filter("at", "during", "2024-03-09 12:00"),
    filter("pages", "is", "3", "4"),
    filter("is_late", "true"),
    filter("loan_count", "<=", "7"),
  ];
  for (const each of filters) {
    const draft = emptyDraft("loans");
    draft.level = { ...emptyLevel(), groupBy: [{ path: ["pages"] }], filters: [each] };
    assert.deepEqual(read(write(draft))?.level.filters, [each], condition(each));
  }
});

test("a text that says more than the builder can show is left alone", () => {
  for (const text of [
    "",
    "run: others -> by_month",
    "run: loans -> { group_by: x is pages + 1 }",
    "run: loans -> { aggregate: n is count() }",
    "run: loans -> { group_by: pages } -> { limit: 3 }",
    "run: loans -> { where: pages > 3 or is_late group_by: pages }",
    "run: loans -> { calculate: r is rank() }",
    "source: x is loans extend {}\nrun: x -> by_month",
    "# a\n# b\nrun: loans -> by_month",
    "run: loans -> { group_by: pages, lent aggregate: loan_count ",
  ]) {
    assert.equal(read(text), undefined, text);
  }
});

test("names and values cannot leave their place", () => {
  assert.equal(ident("plain_1"), "plain_1");
  assert.equal(ident("group by"), "`group by`");
  assert.equal(ident("count"), "`count`");
  assert.equal(ident("a`b\\c"), "`a\\`b\\\\c`");
  const evil = filter("copies.books.genre", "is", "x' or true -- ");
  assert.equal(condition(evil), "copies.books.genre = 'x\\' or true -- '");
  assert.equal(condition(filter("pages", "is", "1 or true")), "pages = 0");
  assert.equal(condition(filter("lent", "before", "2024' | x")), "lent < @2024");
});

test("two fields of the same name get names of their own", () => {
  const level = emptyLevel();
  level.groupBy.push(named(level, { path: ["members", "name"] }));
  level.groupBy.push(named(level, { path: ["books", "name"] }));
  level.groupBy.push(named(level, { path: ["books", "name"] }));
  assert.deepEqual(
    level.groupBy.map(({ as }) => as),
    [undefined, "books_name", "books_name_2"],
  );
});

test("a filter without a value filters nothing", () => {
  assert.equal(isWhole(filter("pages", ">", "")), false);
  assert.equal(isWhole(filter("pages", ">", "x")), false);
  assert.equal(isWhole(filter("copies.books.genre", "is", "")), false);
  assert.equal(isWhole(filter("copies.books.genre", "null")), true);
  assert.deepEqual(listed('Crime, "Food, wine" ,Art'), ["Crime", "Food, wine", "Art"]);
  assert.deepEqual(listed(" , "), [""]);
});

const kinds = (text: string, language: "malloy" | "sql" = "malloy") =>
  tokens(text, language)
    .filter(({ kind }) => kind !== "space")
    .map(({ kind, text: word }) => `${kind}:${word}`);

test("the words of Malloy are told apart", () => {
  assert.deepEqual(
    kinds("# bar_chart\nrun: loans -> { where: lent > @2024-03 and `odd name` = 'x' -- no\n}"),
    [
      "tag:# bar_chart",
      "property:run",
      "sign::",
      "name:loans",
      "sign:->",
      "sign:{",
      "property:where",
      "sign::",
      "name:lent",
      "sign:>",
      "time:@2024-03",
      "keyword:and",
      "name:`odd name`",
      "sign:=",
      "text:'x'",
      "comment:-- no",
      "sign:}",
    ],
  );
  assert.deepEqual(kinds('SELECT "a" FROM t WHERE x=1.5', "sql"), [
    "keyword:SELECT",
    'name:"a"',
    "keyword:FROM",
    "name:t",
    "keyword:WHERE",
    "name:x",
    "sign:=",
    "number:1.5",
  ]);
});

test("no sign of a text gets lost, whatever it is", () => {
  const parts = [
    "'",
    '"',
    "`",
    "#",
    "--",
    "/*",
    "\n",
    "a",
    "@2024",
    "é",
    "\\",
    "{",
    "->",
    "$X",
    "1.",
    "😀",
  ];
  let seed = 3;
  for (let n = 0; n < 2_000; n += 1) {
    let text = "";
    for (let k = 0; k < 10; k += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      text += parts[seed % parts.length] ?? "";
    }
    for (const language of ["malloy", "sql"] as const) {
      assert.equal(
        tokens(text, language)
          .map((token) => token.text)
          .join(""),
        text,
      );
    }
    read(text);
  }
});

test("problems are found in the text and underlined, no more and no less", () => {
  const text = "run: loans -> {\n  group_by: weekdy\n}";
  assert.equal(offsetOf(text, { line: 1, character: 12 }), text.indexOf("weekdy"));
  assert.equal(offsetOf(text, { line: 9, character: 0 }), text.length);
  const range = { start: { line: 1, character: 12 }, end: { line: 1, character: 18 } };
  const at = marked(text, [{ message: "no", at: { range } }]);
  assert.equal(
    pieces(text, at)
      .filter(({ wrong }) => wrong)
      .map((piece) => piece.text)
      .join(""),
    "weekdy",
  );
  assert.equal(
    pieces(text, at)
      .map((piece) => piece.text)
      .join(""),
    text,
  );
  const point = { start: range.start, end: range.start };
  const [mark] = marked(text, [{ message: "no", at: { range: point } }]);
  assert.equal(text.slice(mark?.from, mark?.to), "weekdy");
});

test("names that may have been meant are near", () => {
  const names = ["weekday", "week", "loan_count", "late_count", "is_late"];
  assert.deepEqual(nearest("weekdy", names), ["weekday", "week"]);
  assert.deepEqual(nearest("laon_count", names), ["loan_count", "late_count"]);
  assert.deepEqual(nearest("zzz", names), []);
  assert.equal(distance("abc", "acb", 5), 1);
});
