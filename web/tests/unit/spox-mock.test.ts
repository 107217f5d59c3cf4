import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Refused } from "../mock/campaign/refused.ts";
import { Project } from "../mock/spox/project.ts";
import { SAMPLE, writeFiles } from "../mock/spox/sample.ts";

const folder = mkdtempSync(join(tmpdir(), "tandem-mock-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function project(name: string): Project {
  writeFiles(join(folder, name), SAMPLE);
  return new Project(join(folder, name));
}

test("the stand-in reads specs and changes as they are written", () => {
  const ledger = project("reads");
  assert.equal(ledger.specs().length, 7);
  const { requirements, issues } = ledger.spec("payments/transfers");
  assert.deepEqual(requirements[0]?.scenarios[0]?.then, [
    "the first holds 60.00",
    "the second holds 40.00 more",
  ]);
  assert.deepEqual(
    issues.map(({ code, line }) => `${code}:${line ?? 0}`),
    ["S07:39", "S06:48", "S10:50"],
  );
  const change = ledger.change("add-two-factor-auth");
  assert.deepEqual([change.tasks.completed, change.tasks.total, change.breaking], [4, 7, true]);
  const operations = change.deltas["auth"]?.items.map(({ operation }) => operation);
  assert.deepEqual(operations, ["added", "modified", "removed", "renamed"]);
});

test("the stand-in refuses what the server refuses, and archives the rest", () => {
  const ledger = project("archives");
  const refused = (id: string) => {
    try {
      ledger.archive(id, false);
      return "";
    } catch (error) {
      assert.ok(error instanceof Refused);
      return error.message;
    }
  };
  assert.match(refused("add-two-factor-auth"), /3 open of 7 tasks/);
  assert.match(refused("add-statements"), /does not fit/);
  assert.equal(refused("limit-by-person"), "");
  const names = () => ledger.spec("auth").requirements.map(({ name }) => name);
  const done = ledger.archive("add-two-factor-auth", true);
  assert.equal(done.specs.length, 2);
  assert.deepEqual(names(), ["User Login", "Account Lock", "End of a Session", "Second Factor"]);
  assert.equal(ledger.spec("recovery").requirements.length, 1);
  assert.deepEqual(
    ledger.changes().map(({ id }) => id),
    ["add-statements"],
  );
});

test("the stand-in tells what was touched, and finds only with an index", async () => {
  const ledger = project("touched");
  assert.equal(ledger.sweep(), undefined);
  writeFiles(ledger.folder, { "specs/new/spec.md": "# New\n" });
  assert.deepEqual(ledger.sweep()?.specs, ["new"]);
  assert.throws(() => ledger.search("password", 10, false), Refused);
  await ledger.buildIndex();
  assert.equal(ledger.search("wrong password", 10, false).results[0]?.spec_id, "auth");
  writeFiles(ledger.folder, { "specs/new/spec.md": "# Newer\n" });
  assert.equal(ledger.search("wrong password", 10, false).stale, true);
});
