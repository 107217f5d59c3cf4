// The official conformance suite against the fixture, in each way that sessions are kept.

import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { run, withServer } from "./server.mjs";

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const SUITE = path.join(ROOT, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

const REVISIONS = ["2025-11-25", "2026-07-28"];
const EXPECTED_FAILURES = { "stateless 2025-11-25": "stateless-expected-failures.yaml" };
// A warning about any server without sessions, in a scenario that counts as passed nevertheless.
const WITHOUT_SESSIONS = ["server-sse-polling-session"];

export async function runSuite({ fixture }) {
  const total = { passed: 0, failed: 0 };
  for (const mode of ["sessions", "cookie", "stateless"]) {
    await withServer([fixture, "--http", "127.0.0.1:0", "--mode", mode], async (url) => {
      for (const revision of REVISIONS) {
        const { passed, failed } = await runRevision(url, mode, revision);
        console.log(`conformance ${revision}, ${mode}: ${passed} passed, ${failed} failed`);
        total.passed += passed;
        total.failed += failed;
      }
    });
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed;
}

async function runRevision(url, mode, revision) {
  const results = await mkdtemp(path.join(tmpdir(), "conformance-"));
  try {
    const command = [process.execPath, SUITE, "server", "--url", url, "--requirements", revision, "--output-dir", results];
    const expected = EXPECTED_FAILURES[`${mode} ${revision}`];
    if (expected) command.push("--expected-failures", path.join(ROOT, expected));
    const { code, stdout, stderr } = await run(command);
    const excused = expected ? [...(await expectedNames(expected)), ...WITHOUT_SESSIONS] : [];
    const tally = await tallyOf(results, excused);
    if (code !== 0 || tally.failed > 0) console.error(stdout, stderr);
    if (code !== 0 && tally.failed === 0) tally.failed = 1;
    return tally;
  } finally {
    await rm(results, { recursive: true });
  }
}

/** Counts checks, those of scenarios that the suite runs without scoring them included. */
async function tallyOf(results, excused) {
  const tally = { passed: 0, failed: 0 };
  for (const entry of await readdir(results, { withFileTypes: true, recursive: true })) {
    if (entry.name !== "checks.json") continue;
    const file = path.join(entry.parentPath, entry.name);
    const isExcused = ({ id }) => excused.some((name) => name === id || file.includes(`${name}-`));
    for (const check of JSON.parse(await readFile(file, "utf8"))) {
      if (check.status === "SUCCESS") tally.passed += 1;
      if (isExcused(check) || (check.status !== "FAILURE" && check.status !== "WARNING")) continue;
      tally.failed += 1;
      console.error(`${check.status} ${check.id}: ${check.errorMessage}`);
    }
  }
  return tally;
}

async function expectedNames(file) {
  const text = await readFile(path.join(ROOT, file), "utf8");
  return [...text.matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name);
}
