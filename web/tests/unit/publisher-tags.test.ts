import assert from "node:assert/strict";
import { test } from "node:test";
import { planOf } from "../../publisher/render/plan.ts";
import { docOf, isCalculation, tagOf, type Tag } from "../../publisher/render/tag.ts";
import { column } from "./publisher-tables.ts";

/** A tag as short text: `bar_chart{x=a} label=b`. */
function told(tag: Tag): string {
  return tag
    .names()
    .map((name) => {
      const own = tag.get(name) as Tag;
      const value =
        typeof own.value === "string"
          ? `=${own.value}`
          : own.value
            ? `=[${tag.texts(name).join()}]`
            : "";
      const inner = told(own);
      return name + value + (inner === "" ? "" : `{${inner}}`);
    })
    .join(" ");
}

test("tags are words, values, lists, paths and nested properties", () => {
  const cases: [string, string][] = [
    ["# bar_chart\n", "bar_chart"],
    ["# line_chart { x=month y=[loans, fines] }", "line_chart{x=month y=[loans,fines]}"],
    ['# label="By month" size=lg', "label=By month size=lg"],
    ['# number="#,##0.0"', "number=#,##0.0"],
    ["# viz=bar { stack }", "viz=bar{stack}"],
    ["# big_value.sparkline=by_month", "big_value{sparkline=by_month}"],
    ["# percent hidden -percent", "hidden"],
    ["# currency=usd2m", "currency=usd2m"],
    ["# decimals=-2.5 x", "decimals=-2.5 x"],
    ['# label="say \\"hi\\""', 'label=say "hi"'],
    ["#", ""],
    ["# = } ] ,", ""],
    ["# bar_chart { x=", "bar_chart{x}"],
  ];
  for (const [line, expected] of cases) assert.equal(told(tagOf([line])), expected, line);
});

test("a later line has the last word, and only lines for renderers count", () => {
  const tag = tagOf([
    "# bar_chart\n",
    "# -bar_chart line_chart\n",
    '#" bar_chart\n',
    "#(malloy) list\n",
  ]);
  assert.equal(told(tag), "line_chart");
  assert.equal(told(tagOf(["## dashboard\n"])), "");
  assert.equal(told(tagOf(["## dashboard\n"], "##")), "dashboard");
});

test("docs are what is written for people", () => {
  assert.equal(
    docOf(['#" Every loan.\n', "# hidden\n", "#(doc) And its fine.\n"]),
    "Every loan.\nAnd its fine.",
  );
});

test("a measure is told by the compiler's line, not by a name that sounds like it", () => {
  assert.equal(isCalculation(['#(malloy) reference_id = "a" calculation drill { x = y }\n']), true);
  assert.equal(isCalculation(['#(malloy) reference_id = "calculation"\n']), false);
  assert.equal(isCalculation(["# calculation\n"]), false);
});

test("no text of a tag takes for ever", () => {
  for (const line of [
    "# " + "{".repeat(20_000),
    "# " + '"'.repeat(20_001),
    "# " + "a.".repeat(20_000),
  ]) {
    const started = performance.now();
    tagOf([line]);
    assert.ok(performance.now() - started < 2_000);
  }
});

test("the last shape that is named is drawn, if the columns allow it", () => {
  const columns = [column("genre"), column("loans", { kind: "number", measure: true })];
  const shape = (...lines: string[]) => planOf(tagOf(lines), columns).shape;
  assert.equal(shape(), "table");
  assert.equal(shape("# bar_chart"), "bar");
  assert.equal(shape("# bar_chart", "# line_chart"), "line");
  assert.equal(shape("# viz=scatter"), "table");
  assert.equal(shape("# viz=line"), "line");
  assert.equal(shape("# line_chart sparkline"), "sparkline");
  assert.match(planOf(tagOf(["# shape_map"]), columns).note, /Maps .*table/);
  assert.match(planOf(tagOf(["# bar_chart"]), [column("genre")]).note, /no number/);
  assert.equal(planOf(tagOf(["# bar_chart"]), [column("genre")]).shape, "table");
});
