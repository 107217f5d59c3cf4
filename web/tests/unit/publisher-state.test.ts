import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf, valueOf } from "../../publisher/explore/givens.ts";
import { flat, groupOf, shapeWord, sourcesOf } from "../../publisher/state/fields.ts";
import { hashOf, isSameDocument, placeOf, type Place } from "../../publisher/state/place.ts";
import { toldOf, type SourceInfo } from "../../publisher/state/types.ts";
import { age, bytes, milliseconds, sentence } from "../../publisher/state/words.ts";

test("every address leads back to its place", () => {
  const places: Place[] = [
    { view: "home", project: undefined },
    { view: "home", project: "my project" },
    { view: "package", project: "home", name: "50% off" },
    {
      view: "model",
      project: "home",
      name: "k",
      path: "sub/dir/x.malloy",
      item: "loans/by month",
      text: false,
      line: undefined,
    },
    {
      view: "model",
      project: "home",
      name: "k",
      path: "x.malloy",
      item: undefined,
      text: true,
      line: 12,
    },
    { view: "notebook", project: "home", name: "k", path: "a b.malloynb", cell: 3 },
    {
      view: "explore",
      project: "home",
      name: "k",
      path: "x.malloy",
      query: "# bar_chart\nrun: loans -> { where: a = 'x & y + 50%?#' }",
      source: undefined,
      givens: { SIZE: "5 & 6" },
    },
    {
      view: "explore",
      project: "home",
      name: "k",
      path: "x.malloy",
      query: undefined,
      source: "loans",
      givens: undefined,
    },
    { view: "connections", project: "home", connection: "db" },
    { view: "history" },
    { view: "api" },
  ];
  for (const place of places) {
    const back = placeOf(hashOf(place));
    assert.deepEqual(
      JSON.parse(JSON.stringify(back)),
      JSON.parse(JSON.stringify(place)),
      hashOf(place),
    );
  }
});

test("an address that means nothing is the home page", () => {
  assert.equal(placeOf("").view, "home");
  assert.equal(placeOf("#/-/nothing").view, "home");
  assert.equal(placeOf("#/a/b/%E0%A4%A").view, "model");
});

test("the same file at another line is the same document", () => {
  const [a, b, c] = ["#/h/k/x.malloy?line=3", "#/h/k/x.malloy?at=loans", "#/h/k/y.malloy"].map(
    placeOf,
  );
  assert.ok(a && b && c);
  assert.equal(isSameDocument(a, b), true);
  assert.equal(isSameDocument(a, c), false);
});

const SOURCE: SourceInfo = {
  kind: "source",
  name: "loans",
  schema: {
    fields: [
      {
        kind: "dimension",
        name: "lent",
        type: { kind: "date_type" },
        annotations: [{ value: '#" The day.\n' }],
      },
      { kind: "measure", name: "n", type: { kind: "number_type", subtype: "integer" } },
      {
        kind: "view",
        name: "by_month",
        schema: { fields: [] },
        annotations: [{ value: "# line_chart\n" }],
      },
      {
        kind: "join",
        name: "copies",
        relationship: "one",
        schema: { fields: [{ kind: "dimension", name: "id", type: { kind: "string_type" } }] },
      },
    ],
  },
};

test("fields are known by their path, joins included", () => {
  const group = groupOf(SOURCE);
  assert.deepEqual(
    flat(group).map(({ path, kind, values }) => [path.join("."), kind, values]),
    [
      ["lent", "dimension", "date"],
      ["n", "measure", "number"],
      ["by_month", "view", "other"],
      ["copies.id", "dimension", "string"],
    ],
  );
  assert.equal(group.dimensions[0]?.doc, "The day.");
  assert.equal(group.joins[0]?.relationship, "one");
  assert.equal(shapeWord(["# line_chart\n", "# percent\n"]), "line_chart");
  assert.equal(shapeWord([]), "table");
});

test("sources are read from either of their two forms, and a broken one does no harm", () => {
  const model = { type: "source", modelPath: "x.malloy" };
  assert.equal(sourcesOf({ ...model, sourceInfos: [JSON.stringify(SOURCE), "{"] }).length, 1);
  assert.equal(sourcesOf({ ...model, modelInfo: JSON.stringify({ entries: [SOURCE] }) }).length, 1);
  assert.deepEqual(sourcesOf(model), []);
});

test("every shape of an error is understood", () => {
  assert.equal(toldOf(undefined), undefined);
  assert.deepEqual(toldOf("bad"), { message: "bad" });
  assert.deepEqual(
    toldOf({
      message: "no",
      place: { file: "x.malloy", line: 3, column: 7 },
      suggestions: ["yes"],
    }),
    {
      message: "no",
      file: "x.malloy",
      line: 3,
      column: 7,
      suggestions: ["yes"],
    },
  );
});

test("givens have the type that the model wants", () => {
  assert.equal(kindOf({ name: "A", type: { kind: "number_type" } }), "number");
  assert.equal(kindOf({ name: "A", type: "boolean" }), "boolean");
  assert.equal(kindOf({ name: "A" }), "string");
  assert.deepEqual(
    [valueOf("5", "number"), valueOf("true", "boolean"), valueOf("5", "string")],
    [5, true, "5"],
  );
});

test("words for sizes, times and refusals", () => {
  assert.deepEqual([12, 1_500, 2_345_678].map(bytes), ["12 bytes", "1.5 kB", "2.3 MB"]);
  assert.deepEqual([3, 1_500, 120_000].map(milliseconds), ["3 ms", "1.5 s", "2 min"]);
  assert.deepEqual([10, 1_000, 7_200_000].map(age), ["just now", "1 second ago", "2 hours ago"]);
  assert.equal(sentence("no such thing"), "No such thing.");
});
