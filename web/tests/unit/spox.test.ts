import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../kit/api.ts";
import { compare, folded, rowsOf, unified, type Row } from "../../spox/state/diff.ts";
import { clausesOf, descriptionOf, keysOf, placeIssues } from "../../spox/state/outline.ts";
import { hashOf, isSameDocument, placeOf, type Place } from "../../spox/state/place.ts";
import { Reader } from "../../kit/reader.ts";
import type { Diff, DiffLine, Issue, Requirement } from "../../spox/state/types.ts";
import {
  deltaSigns,
  deltaWords,
  obstacles,
  percent,
  problems,
  shortTitle,
  tell,
} from "../../spox/state/words.ts";

test("an address names a place and comes back from it, slashes and all", () => {
  const places: Place[] = [
    { view: "overview" },
    { view: "spec", id: "auth", requirement: undefined, source: false, line: undefined },
    {
      view: "spec",
      id: "platform/auth",
      requirement: "100% of it? #1",
      source: false,
      line: undefined,
    },
    { view: "spec", id: "auth", requirement: undefined, source: true, line: 12 },
    { view: "spec", id: "auth", requirement: undefined, source: true, line: undefined },
    { view: "change", id: "add-x", requirement: "Login", part: undefined },
    { view: "change", id: "add-x", requirement: undefined, part: "tasks" },
  ];
  for (const place of places) assert.deepEqual(placeOf(hashOf(place)), place, hashOf(place));
});

test("an address that nobody wrote leads to the overview, never to an error", () => {
  for (const hash of ["", "#", "#/", "#/spec", "#/spec/", "#/what/ever", "#%E0%A4%A"]) {
    assert.deepEqual(placeOf(hash), { view: "overview" }, hash);
  }
  assert.deepEqual(placeOf("#/spec/%E0%A4%A"), {
    view: "spec",
    id: "%E0%A4%A",
    requirement: undefined,
    source: false,
    line: undefined,
  });
  const auth = placeOf("#/spec/auth");
  assert.ok(isSameDocument(auth, placeOf("#/spec/auth/Login")));
  assert.ok(!isSameDocument(auth, placeOf("#/change/auth")));
});

const scenario = { name: "s", when: "", then: [] as string[], line: 1 };

test("conditions and outcomes are told apart, whichever way the server gives the conditions", () => {
  const told = (more: object) =>
    clausesOf({ ...scenario, ...more }).map(({ word, text }) => `${word} ${text}`);
  assert.deepEqual(told({ when: "a AND b", conditions: ["a", "b"], then: ["c", "d"] }), [
    "WHEN a",
    "AND b",
    "THEN c",
    "AND d",
  ]);
  assert.deepEqual(told({ when: "a", conditions: ["a"], then: ["c"] }), ["WHEN a", "THEN c"]);
  assert.deepEqual(told({ when: "a", then: [] }), ["WHEN a"]);
  assert.deepEqual(told({ when: "", conditions: [], then: ["c"] }), ["THEN c"]);
  // An AND that somebody wrote inside a condition is no border.
  assert.deepEqual(told({ when: "a AND b", conditions: ["a AND b"], then: [] }), ["WHEN a AND b"]);
});

function requirement(name: string, line: number, ...scenarios: number[]): Requirement {
  const inner = scenarios.map((at) => ({ ...scenario, line: at }));
  return { name, description: "", line, scenarios: inner };
}

test("a description keeps its lines when file and answer agree, and only then", () => {
  const text = "### Requirement: R\n\nIt SHALL:\n\n- be\n- stay\n\n#### Scenario: s\n";
  const said = { ...requirement("R", 1, 8), description: "It SHALL: - be - stay" };
  assert.equal(
    descriptionOf({ text, requirements: [said] }, 0).trim(),
    "It SHALL:\n\n- be\n- stay",
  );
  const other = { ...said, description: "It SHALL be" };
  assert.equal(descriptionOf({ text, requirements: [other] }, 0), "It SHALL be");
});

test("an issue belongs to what its line is in: the file, a requirement, a scenario", () => {
  const requirements = [requirement("A", 9, 13, 20), requirement("B", 30)];
  const at = (line?: number): Issue => ({
    severity: "error",
    code: `at ${line ?? "none"}`,
    file: "f",
    description: "",
    ...(line === undefined ? {} : { line }),
  });
  const placed = placeIssues(requirements, [at(), at(1), at(9), at(12), at(25), at(31)]);
  assert.deepEqual(
    placed.file.map(({ code }) => code),
    ["at none", "at 1"],
  );
  const of = (n: number) => placed.requirements.get(n)?.map(({ code }) => code);
  assert.deepEqual([of(0), of(1)], [["at 9", "at 12"], ["at 31"]]);
  const second = requirements[0]?.scenarios[1];
  assert.ok(second);
  assert.deepEqual(
    placed.scenarios.get(second)?.map(({ code }) => code),
    ["at 25"],
  );
});

test("two of the same name have keys of their own", () => {
  assert.deepEqual(keysOf([{ name: "A" }, { name: "B" }, { name: "A" }]), ["A", "B", "A (2)"]);
});

const lines = (text: string): DiffLine[] =>
  text.split("\n").map((each) => ({
    kind: each.startsWith("+") ? "added" : each.startsWith("-") ? "removed" : "same",
    text: each.slice(1),
  }));

const sides = (rows: readonly Row[]) =>
  rows.map((row) => {
    if (row.kind === "gap") return `… ${row.rows.length}`;
    const text = (side: typeof row.old) => side?.pieces.map((piece) => piece.text).join("") ?? "";
    return `${text(row.old)}|${text(row.new)}`;
  });

test("lines that went stand beside lines that came, and what is left over stands alone", () => {
  const rows = rowsOf(lines(" a\n-b\n-c\n+B\n d\n+e\n-f\n+F"));
  assert.deepEqual(sides(rows), ["a|a", "b|B", "c|", "d|d", "|e", "f|F"]);
  const one = unified(rows as Exclude<Row, { kind: "gap" }>[]);
  assert.deepEqual(
    one.map(({ kind, pieces }) => `${kind[0] ?? ""}${pieces.map(({ text }) => text).join("")}`),
    ["sa", "rb", "rc", "aB", "sd", "rf", "ae", "aF"],
  );
});

test("what did not change is folded away from a change, unless that would save nothing", () => {
  const same = (n: number) => Array.from({ length: n }, (_, i) => ` s${i}`).join("\n");
  const middle = folded(rowsOf(lines(`+x\n${same(12)}\n+y`)));
  assert.deepEqual(sides(middle), [
    "|x",
    "s0|s0",
    "s1|s1",
    "s2|s2",
    "… 6",
    "s9|s9",
    "s10|s10",
    "s11|s11",
    "|y",
  ]);
  assert.equal(folded(rowsOf(lines(`+x\n${same(8)}\n+y`))).length, 10);
  assert.deepEqual(sides(folded(rowsOf(lines(`+x\n${same(9)}`)))).at(-1), "… 6");
  assert.deepEqual(sides(folded(rowsOf(lines(same(5))))), ["… 5"]);
});

test("inside a line the words that differ are marked, and lines with little in common are not", () => {
  const marked = (old: string, new_: string) =>
    compare(old, new_).map((side) =>
      side.map(({ text, changed }) => (changed ? `[${text}]` : text)).join(""),
    );
  assert.deepEqual(marked("at least 128 bits of it", "at least 256 bits of it"), [
    "at least [128] bits of it",
    "at least [256] bits of it",
  ]);
  assert.deepEqual(marked("do it.", "do it within a second."), [
    "do it.",
    "do it[ within a second].",
  ]);
  assert.deepEqual(marked("entirely other words", "nothing in common here"), [
    "entirely other words",
    "nothing in common here",
  ]);
  for (const side of compare("a b c d", "a x c y")) {
    assert.equal(side.map(({ text }) => text).join("").length, 7);
  }
});

test("a line without end is compared as a whole, in no time", () => {
  const long = "word ".repeat(20_000);
  const started = performance.now();
  assert.equal(compare(long, `${long}more`)[0].length, 1);
  assert.ok(performance.now() - started < 500);
});

test("numbers are told in words, and what is almost done is not done", () => {
  assert.equal(problems({ errors: 1, warnings: 2 }), "1 error, 2 warnings");
  assert.equal(problems({ errors: 0, warnings: 0 }), "");
  assert.equal(percent({ completed: 199, total: 200 }), 99);
  assert.equal(percent({ completed: 0, total: 0 }), 0);
  assert.equal(deltaSigns({ added: 1, modified: 2, removed: 1, renamed: 1 }), "+1 ~2 →1 −1");
  assert.equal(deltaWords({ added: 2, removed: 1 }), "2 requirements added, 1 removed");
  assert.equal(shortTitle("Auth Specification"), "Auth");
  assert.equal(shortTitle("Specification"), "Specification");
});

test("a refusal is two sentences: what is wrong, and the way out", () => {
  const refused = new ApiError("x: y", 409, { said: "2 tasks are open", hint: "tick them off" });
  assert.deepEqual(tell(refused), { said: "2 tasks are open.", hint: "Tick them off." });
  assert.deepEqual(tell(new Error("lost")), { said: "Lost.", hint: "" });
});

test("open tasks are no obstacle worth telling, all else is, one by one", () => {
  const diff = (refusal: Diff["refusal"]): Diff => ({
    change_id: "x",
    capabilities: [],
    ...(refusal ? { refusal } : {}),
  });
  const open = { error: "change `x` has 1 open of 3 tasks" };
  const gone = { error: "`R` of `auth`: MODIFIED, but the main spec has no such requirement" };
  assert.deepEqual(obstacles(diff(undefined)), []);
  assert.deepEqual(obstacles(diff(open)), []);
  assert.deepEqual(obstacles(diff(gone)), [gone]);
  assert.deepEqual(obstacles(diff({ error: "both", reasons: [open, gone] })), [gone]);
});

test("a reader reads once more when it is asked during a read, and shows the last answer last", async () => {
  const shown: number[] = [];
  const waiting: ((value: number) => void)[] = [];
  const reader = new Reader(
    () => new Promise<number>((done) => waiting.push(done)),
    (value) => shown.push(value),
    () => assert.fail("nothing fails here"),
  );
  reader.ask();
  reader.ask();
  reader.ask();
  assert.equal(waiting.length, 1);
  waiting[0]?.(1);
  await new Promise((done) => setTimeout(done, 0));
  assert.equal(waiting.length, 2);
  waiting[1]?.(2);
  await new Promise((done) => setTimeout(done, 0));
  assert.deepEqual(shown, [1, 2]);
  assert.equal(waiting.length, 2);
  reader.close();
  reader.ask();
  assert.equal(waiting.length, 2);
});

test("a reader asks a silent server again, and takes a refusal for an answer", async () => {
  let asked = 0;
  const failing = (status: number) =>
    new Reader(
      () => {
        asked += 1;
        return Promise.reject(new ApiError("no", status));
      },
      () => undefined,
      () => undefined,
    );
  const silent = failing(0);
  silent.ask();
  await new Promise((done) => setTimeout(done, 1_900));
  silent.close();
  assert.equal(asked, 2);
  asked = 0;
  const refused = failing(404);
  refused.ask();
  await new Promise((done) => setTimeout(done, 1_900));
  refused.close();
  assert.equal(asked, 1);
});
