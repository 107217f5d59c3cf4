import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "../../publisher/render/chart.ts";
import { csv, objects, tableOf, type Column, type Row } from "../../publisher/render/data.ts";
import { gridOf, MOST_NESTED } from "../../publisher/render/grid.ts";
import { pivoted } from "../../publisher/render/pivot.ts";
import type { StableResult } from "../../publisher/render/stable.ts";
import { tagOf } from "../../publisher/render/tag.ts";
import { column, measure, tableWith } from "./publisher-tables.ts";

const text = (value: string) => ({ kind: "string_cell" as const, string_value: value });
const number = (value: number) => ({ kind: "number_cell" as const, number_value: value });

const RESULT: StableResult = {
  connection_name: "duckdb",
  annotations: [{ value: "# dashboard\n" }, { value: "#(malloy) limit = 10\n" }],
  schema: {
    fields: [
      {
        name: "branch",
        type: { kind: "string_type" },
        annotations: [{ value: '# label="Branch"\n' }],
      },
      {
        name: "loans",
        type: { kind: "number_type", subtype: "integer" },
        annotations: [{ value: "#(malloy) calculation\n" }],
      },
      {
        name: "top",
        type: {
          kind: "array_type",
          element_type: {
            kind: "record_type",
            fields: [
              { name: "genre", type: { kind: "string_type" } },
              { name: "n", type: { kind: "number_type", subtype: "bigint" } },
            ],
          },
        },
      },
      { name: "words", type: { kind: "array_type", element_type: { kind: "string_type" } } },
    ],
  },
  data: {
    kind: "array_cell",
    array_value: [
      {
        kind: "record_cell",
        record_value: [
          text("Garden"),
          number(12),
          {
            kind: "array_cell",
            array_value: [
              {
                kind: "record_cell",
                record_value: [
                  text("Travel"),
                  { kind: "number_cell", number_value: 0, string_value: "9007199254740993" },
                ],
              },
              { kind: "record_cell", record_value: [{ kind: "null_cell" }, number(2)] },
            ],
          },
          { kind: "array_cell", array_value: [text("a"), text("b")] },
        ],
      },
    ],
  },
};

test("a stable result becomes a table of plain values", () => {
  const table = tableOf(RESULT);
  assert.deepEqual(
    table.columns.map(({ label, kind, measure }) => [label, kind, measure]),
    [
      ["Branch", "string", false],
      ["loans", "number", true],
      ["top", "table", false],
      ["words", "table", false],
    ],
  );
  assert.ok(table.tag.has("dashboard"));
  assert.deepEqual(objects(table), [
    {
      branch: "Garden",
      loans: 12,
      top: [
        { genre: "Travel", n: "9007199254740993" },
        { genre: null, n: 2 },
      ],
      words: ["a", "b"],
    },
  ]);
});

test("rows are saved as comma-separated values that no spreadsheet runs", () => {
  const table = tableWith(
    [column("name"), measure("n"), column("note")],
    [
      ["=HYPERLINK(1)", -5, 'say "hi", all'],
      ["plain", null, "two\nlines"],
    ],
  );
  assert.equal(
    csv(table),
    'name,n,note\r\n\'=HYPERLINK(1),-5,"say ""hi"", all"\r\nplain,,"two\nlines"\r\n',
  );
});

function nest(name: string, ...columns: Column[]): Column {
  return column(name, { kind: "table", columns });
}

/** A grid as text: columns of a cell in order, spans behind it. */
function laid(table: Parameters<typeof gridOf>[0]): { head: string[]; body: string[] } {
  const grid = gridOf(table);
  const spans = (cell: { span: number; lines: number }) =>
    (cell.span > 1 ? `×${cell.span}` : "") + (cell.lines > 1 ? `↓${cell.lines}` : "");
  return {
    head: grid.head.map((line) => line.map((cell) => cell.column.name + spans(cell)).join(" ")),
    body: grid.body.flatMap((lines) =>
      lines.map((line) =>
        line
          .map((cell) => (cell.column ? String(cell.value) : `_${cell.more ?? ""}`) + spans(cell))
          .join(" "),
      ),
    ),
  };
}

test("a nest has its columns below its name and its rows beside the row they belong to", () => {
  const table = tableWith(
    [
      column("branch"),
      measure("loans"),
      nest("top", column("genre"), measure("n")),
      nest("days", column("day")),
    ],
    [
      [
        "Garden",
        9,
        [
          ["Travel", 7],
          ["Poetry", 2],
        ],
        [["Mon"], ["Tue"], ["Wed"]],
      ],
      ["Station", 1, [["Crime", 1]], []],
    ],
  );
  assert.deepEqual(laid(table), {
    head: ["branch↓2 loans↓2 top×2 days", "genre n day"],
    body: ["Garden↓3 9↓3 Travel 7 Mon", "Poetry 2 Tue", "_×2 Wed", "Station 1 Crime 1 _"],
  });
});

test("every line of a grid is as wide as the grid, whatever is nested in what", () => {
  const table = tableWith(
    [
      column("a"),
      nest("x", column("b"), nest("y", column("c"), column("d")), nest("z", column("e"))),
    ],
    [
      [
        "1",
        [
          [
            "p",
            [
              ["1", "2"],
              ["3", "4"],
            ],
            [["5"]],
          ],
          ["q", [], [["6"], ["7"], ["8"]]],
        ],
      ],
      ["2", []],
      ["3", [["r", [], []]]],
    ],
  );
  const grid = gridOf(table);
  for (const rows of grid.body) {
    const covered = rows.map(() => 0);
    rows.forEach((line, n) =>
      line.forEach((cell) => {
        for (let k = n; k < n + cell.lines; k += 1) covered[k] = (covered[k] ?? 0) + cell.span;
      }),
    );
    assert.deepEqual(
      covered,
      rows.map(() => grid.width),
    );
  }
});

test("a long nest is cut, and says by how much", () => {
  const rows: Row[] = Array.from({ length: MOST_NESTED + 5 }, (_, n) => [`g${n}`]);
  const table = tableWith([column("a"), nest("x", column("b"))], [["1", rows]]);
  const { body } = laid(table);
  assert.equal(body.length, MOST_NESTED + 1);
  assert.equal(body.at(-1), "_5");
  const open = gridOf(table, new Set([rows]));
  assert.equal(open.body[0]?.length, MOST_NESTED + 5);
});

test("hidden columns take no place, and a chart in a nest takes one", () => {
  const table = tableWith(
    [
      column("a"),
      column("secret", { tags: "hidden" }),
      column("x", { kind: "table", tags: "bar_chart", columns: [column("b"), measure("n")] }),
    ],
    [
      [
        "1",
        "s",
        [
          ["p", 1],
          ["q", 2],
        ],
      ],
    ],
  );
  assert.deepEqual(laid(table).head, ["a x"]);
  assert.equal(gridOf(table).body[0]?.length, 1);
});

test("a pivot turns the values of a nest into columns", () => {
  const table = tableWith(
    [
      column("kind"),
      column("by_year", { kind: "table", tags: "pivot", columns: [column("year"), measure("n")] }),
    ],
    [
      [
        "tanker",
        [
          ["2024", 5],
          ["2025", 7],
        ],
      ],
      ["ferry", [["2025", 3]]],
    ],
  );
  const { table: made } = pivoted(table);
  assert.deepEqual(laid(made), {
    head: ["kind↓2 2024 2025", "n n"],
    body: ["tanker 5 7", "ferry _ 3"],
  });
});

const MONTHS = tableWith(
  [
    column("month", { kind: "date", timeframe: "month" }),
    column("kind"),
    measure("calls"),
    measure("dues", "currency"),
  ],
  [
    ["2024-02-01", "tanker", 3, 30],
    ["2024-01-01", "tanker", 2, 20],
    ["2024-01-01", "ferry", 9, null],
  ],
);

test("a line runs along time, one for each value of the second dimension", () => {
  const chart = chartOf(MONTHS, "line");
  assert.equal(chart.x.kind, "time");
  assert.deepEqual(
    chart.series.map(({ name, points }) => [name, points.map(({ y }) => y)]),
    [
      ["tanker", [2, 3]],
      ["ferry", [9]],
    ],
  );
  assert.equal(chart.legend, "kind");
  assert.equal(chart.y.title, "calls");
  assert.deepEqual(chart.series[1]?.points[0]?.about, [
    ["month", "2024-01"],
    ["kind", "ferry"],
    ["calls", "9"],
    ["dues", "∅"],
  ]);
});

test("tags of a chart say which column is what", () => {
  const tag = tagOf(["# bar_chart { x=kind series=month y=dues }"]).get("bar_chart");
  const chart = chartOf(MONTHS, "bar", tag);
  assert.deepEqual(chart.x.names, ["tanker", "ferry"]);
  assert.deepEqual(
    chart.series.map(({ name, points }) => [name, points.length]),
    [
      ["2024-02", 1],
      ["2024-01", 1],
    ],
  );
  assert.equal(chart.y.format(4_500_000), "$4.5M");
  const both = chartOf(MONTHS, "bar", tagOf(["# bar_chart { y=[calls, dues] }"]).get("bar_chart"));
  assert.equal(both.series.length, 4);
});

test("stacked bars stand on each other, what is negative below zero", () => {
  const table = tableWith(
    [column("x"), column("s"), measure("y")],
    [
      ["a", "p", 2],
      ["a", "q", 3],
      ["a", "r", -4],
      ["a", "t", -1],
    ],
  );
  const chart = chartOf(table, "bar", tagOf(["# bar_chart { stack }"]).get("bar_chart"));
  assert.deepEqual(
    chart.series.map(({ points }) => [points[0]?.from, points[0]?.y]),
    [
      [0, 2],
      [2, 3],
      [0, -4],
      [-4, -1],
    ],
  );
});

test("what is too much for a chart is left out and said", () => {
  const rows: Row[] = Array.from({ length: 100 }, (_, n) => [`c${n}`, n]);
  const chart = chartOf(tableWith([column("x"), measure("y")], rows), "bar");
  assert.equal(chart.x.names.length, 60);
  assert.match(chart.notes.join(), /first 60 of 100/);
  const many: Row[] = Array.from({ length: 40 }, (_, n) => ["a", `s${n}`, n]);
  const wide = chartOf(tableWith([column("x"), column("s"), measure("y")], many), "bar");
  assert.equal(wide.series.length, 12);
  assert.match(wide.notes.join(), /first 12 of 40/);
});

test("points of a cloud need two numbers; what is no number is no point", () => {
  const table = tableWith(
    [column("ship"), measure("tons"), measure("hours")],
    [
      ["a", 10, 2],
      ["b", null, 3],
      ["c", 30, "NaN"],
    ],
  );
  const chart = chartOf(table, "scatter");
  assert.deepEqual([chart.x.title, chart.y.title], ["tons", "hours"]);
  assert.deepEqual(
    chart.series.flatMap(({ points }) => points.map(({ x, y }) => [x, y])),
    [[10, 2]],
  );
});
