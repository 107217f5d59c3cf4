// The official clients, over HTTP and stdio, against the fixture and against the product.

import path from "node:path";
import { fileURLToPath } from "node:url";
import { fixturePlaces, tandemPlaces } from "./places.mjs";
import { run } from "./server.mjs";

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const INSPECTOR = path.join(ROOT, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");

export async function runClients(programs) {
  const total = { passed: 0, failed: 0 };
  const clients = clientsOf(programs);
  const visit = async (place) => {
    for (const client of clients) {
      const { passed, failed } = await client.check(place);
      console.log(`${client.name} → ${place.name}: ${passed} passed, ${failed} failed`);
      total.passed += passed;
      total.failed += failed;
    }
  };
  await fixturePlaces(programs.fixture, visit);
  if (programs.tandem) await tandemPlaces(programs.tandem, visit);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed;
}

function clientsOf({ python1, python2 }) {
  const script = (name, program, file, ...options) => ({
    name,
    check: (place) => checkScript([program, path.join(ROOT, "clients", file), ...options], place),
  });
  const node = process.execPath;
  return [
    script("typescript 1", node, "typescript-1.mjs"),
    script("typescript 2", node, "typescript-2.mjs", "--era", "auto"),
    script("typescript 2, legacy", node, "typescript-2.mjs", "--era", "legacy"),
    python1 && script("python 1", python1, "python_1.py"),
    python2 && script("python 2", python2, "python_2.py", "--era", "auto"),
    python2 && script("python 2, legacy", python2, "python_2.py", "--era", "legacy"),
    { name: "inspector", check: (place) => inspect(place, "modern") },
    { name: "inspector, legacy", check: (place) => inspect(place, "legacy") },
  ].filter(Boolean);
}

/** A client script prints its own tally last; one that dies before that has failed. */
async function checkScript(program, { target, url, command }) {
  const where = url ? ["--url", url] : ["--", ...command];
  const { code, stdout, stderr } = await run([...program, "--target", target, ...where]);
  const counted = stdout.match(/(\d+) passed, (\d+) failed\s*$/);
  const tally = { passed: Number(counted?.[1] ?? 0), failed: Number(counted?.[2] ?? 1) };
  if (code !== 0 || tally.failed > 0) console.error(stdout, stderr);
  if (code !== 0 && tally.failed === 0) tally.failed = 1;
  return tally;
}

/** Are the tool definitions such that every host can use them? */
async function inspect({ url, command, odd_names }, era) {
  if (odd_names) return { passed: 0, failed: 0 };
  const flags = ["--method", "tools/list", "--strict", "--protocol-era", era];
  // Options of the server's own would be taken for the inspector's without the dashes.
  const where = url ? [url, ...flags] : [...flags, "--", ...command];
  const { code, stdout, stderr } = await run([process.execPath, INSPECTOR, "--cli", ...where]);
  if (code !== 0) console.error(stdout.slice(0, 2000), stderr);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}
