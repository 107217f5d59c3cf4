// Runs the official conformance suite, or the official clients, against servers that it starts itself.
//
//     node run.mjs suite   --fixture PATH
//     node run.mjs clients --fixture PATH [--tandem PATH] [--python1 PATH] [--python2 PATH]
//
// Each part ends with `N passed, N failed`; the exit code is 0 only if nothing failed.

import { parseArgs } from "node:util";
import { runClients } from "./lib/clients.mjs";
import { runSuite } from "./lib/suite.mjs";

const { values, positionals } = parseArgs({
  options: {
    fixture: { type: "string" },
    tandem: { type: "string" },
    python1: { type: "string" },
    python2: { type: "string" },
  },
  allowPositionals: true,
});

const parts = { suite: runSuite, clients: runClients };
const part = parts[positionals[0]];
if (part === undefined || values.fixture === undefined) {
  console.error("usage: node run.mjs suite|clients --fixture PATH …");
  process.exit(2);
}
const failed = await part(values);
process.exit(failed === 0 ? 0 : 1);
