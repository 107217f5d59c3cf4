/**
 * Records what the program answers on the sample, for the stand-in.
 *
 * Serve the sample first (`writeFiles(folder, rootFiles())`, then `tandem publisher serve --server_root folder`), then run the compiled
 * form of this file with `PUBLISHER_URL`. Times are taken out, so that recording again changes only what is really different.
 */

import { writeFileSync } from "node:fs";
import { everything } from "./asked.ts";
import { keyOf, type Recording } from "./serve.ts";

const base = process.env["PUBLISHER_URL"] ?? "http://127.0.0.1:4000";
const recording: Recording = {};
for (const { method, path, body } of everything()) {
  const response = await fetch(`${base}/${path}`, {
    method,
    headers: { "content-type": "application/json", accept: "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = text === "" ? null : (JSON.parse(text) as Record<string, unknown>);
  recording[keyOf(method, path, body)] = { status: response.status, body: settled(answer) };
}
writeFileSync("tests/mock/publisher/recorded.json", `${JSON.stringify(recording)}\n`);

function settled(answer: Record<string, unknown> | null): unknown {
  if (answer === null || Array.isArray(answer)) return answer;
  // Nobody who reads this page needs them, and they are long.
  const { modelDef: _, queryResult: __, dataStyles: ___, cachedAgeMs: ____, ...rest } = answer;
  if ("executionTimeMs" in rest) rest["executionTimeMs"] = 7;
  if ("timestamp" in rest) rest["timestamp"] = 0;
  return rest;
}
