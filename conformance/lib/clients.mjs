// The official clients, over HTTP and stdio, against the fixture and against the product.

import path from "node:path";
import { fileURLToPath } from "node:url";
import { run, withServer } from "./server.mjs";

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const INSPECTOR = path.join(ROOT, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");

export async function runClients(programs) {
  const total = { passed: 0, failed: 0 };
  const note = (name, { passed, failed }) => {
    console.log(`${name}: ${passed} passed, ${failed} failed`);
    total.passed += passed;
    total.failed += failed;
  };
  for (const server of servers(programs)) {
    const clients = clientsOf(programs, server);
    const tryAll = async (where, reach) => {
      for (const client of clients) note(`${client.name} → ${where}`, await client.check(reach));
    };
    if (server.stdio) await tryAll(`${server.name}, stdio`, { command: server.stdio });
    if (server.http) {
      await withServer(server.http[0], server.http.slice(1), async (base) => {
        for (const url of server.paths.map((part) => new URL(part, base).href)) {
          await tryAll(`${server.name}, ${new URL(url).pathname}`, { url });
        }
      });
    }
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed;
}

function servers({ fixture }) {
  const http = (mode) => [fixture, "--http", "127.0.0.1:0", "--mode", mode];
  return [
    { name: "fixture", target: "fixture.json", stdio: [fixture], http: http("sessions"), paths: ["/mcp"] },
    { name: "fixture with cookies", target: "fixture.json", http: http("cookie"), paths: ["/mcp"] },
  ];
}

function clientsOf({ python1, python2 }, { target }) {
  const script = (name, program, file, ...options) => ({
    name,
    check: (reach) => checkScript(program, [path.join(ROOT, "clients", file), ...options], target, reach),
  });
  const node = process.execPath;
  return [
    script("typescript 1", node, "typescript-1.mjs"),
    script("typescript 2", node, "typescript-2.mjs", "--era", "auto"),
    script("typescript 2, legacy", node, "typescript-2.mjs", "--era", "legacy"),
    python1 && script("python 1", python1, "python_1.py"),
    python2 && script("python 2", python2, "python_2.py", "--era", "auto"),
    python2 && script("python 2, legacy", python2, "python_2.py", "--era", "legacy"),
    { name: "inspector", check: (reach) => inspect(reach, "modern") },
    { name: "inspector, legacy", check: (reach) => inspect(reach, "legacy") },
  ].filter(Boolean);
}

/** A client script prints its own tally last; one that dies before that has failed. */
async function checkScript(program, args, target, { url, command }) {
  const where = url ? ["--url", url] : ["--", ...command];
  const file = path.join(ROOT, "targets", target);
  const { code, stdout, stderr } = await run(program, [...args, "--target", file, ...where]);
  const counted = stdout.match(/(\d+) passed, (\d+) failed\s*$/);
  const tally = { passed: Number(counted?.[1] ?? 0), failed: Number(counted?.[2] ?? 1) };
  if (code !== 0 || tally.failed > 0) console.error(stdout, stderr);
  if (code !== 0 && tally.failed === 0) tally.failed = 1;
  return tally;
}

/** Are the tool definitions such that every host can use them? */
async function inspect({ url, command }, era) {
  const reach = url ? [url] : command;
  const args = [INSPECTOR, "--cli", ...reach, "--method", "tools/list", "--strict", "--protocol-era", era];
  const { code, stdout, stderr } = await run(process.execPath, args);
  if (code !== 0) console.error(stdout.slice(0, 2000), stderr);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}
