// Where clients are sent: each place is a URL or a command, and a description of what is to be found there.

import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withServer } from "./server.mjs";

const TARGETS = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), "targets");

/** Calls `visit` with every place of the fixture. */
export async function fixturePlaces(fixture, visit) {
  const target = path.join(TARGETS, "fixture.json");
  await visit({ name: "fixture, stdio", target, command: [fixture] });
  for (const mode of ["sessions", "cookie"]) {
    await withServer([fixture, "--http", "127.0.0.1:0", "--mode", mode], async (url) => {
      await visit({ name: `fixture, ${mode}`, target, url });
    });
  }
}

/** Calls `visit` with every place of the product: all applications, each of them, and all on stdio. */
export async function tandemPlaces(tandem, visit) {
  const home = await mkdtemp(path.join(tmpdir(), "interop-"));
  const data = ["--data-dir", path.join(home, "data")];
  try {
    const all = path.join(home, "all.json");
    await withServer([tandem, "serve", "--json", "--quiet", "--listen", "127.0.0.1:0", ...data], async (base) => {
      const universe = await createUniverse(base);
      const one = path.join(home, "one.json");
      await writeTarget(one, { universe, prefix: "" });
      await writeTarget(all, { universe, prefix: "universe_" });
      await visit({ name: "tandem, /mcp", target: all, url: `${base}/mcp` });
      await visit({ name: "tandem, /universe/mcp", target: one, url: `${base}/universe/mcp` });
      const campaign = path.join(TARGETS, "campaign.json");
      await visit({ name: "tandem, /campaign/mcp", target: campaign, url: `${base}/campaign/mcp` });
      const publisher = path.join(TARGETS, "publisher-host.json");
      await visit({ name: "tandem, /publisher/mcp", target: publisher, url: `${base}/publisher/mcp` });
    });
    // The publisher over its samples, on the stateless port of its own, which it tells after its first.
    const alone = ["publisher", "serve", "--json", "--quiet", "--listen", "127.0.0.1:0", "--mcp_port", "0"];
    await withServer([tandem, ...alone, "--data-dir", path.join(home, "alone")], async (base) => {
      const target = path.join(TARGETS, "publisher-alone.json");
      // The specification's name of its tool has a slash, which the inspector holds against it.
      await visit({ name: "tandem publisher, own port", target, url: `${base}/mcp`, odd_names: true });
    }, "also_listening");
    // The same data, now that the server has let go of it.
    await visit({ name: "tandem mcp, stdio", target: all, command: [tandem, "mcp", "--quiet", ...data] });
  } finally {
    await rm(home, { recursive: true });
  }
}

/** An agent cannot make a universe, so there must be one before it comes. */
async function createUniverse(base) {
  const body = JSON.stringify({ name: "Interop", state: {} });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${base}/universe/universes`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`no universe: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).id;
}

async function writeTarget(file, names) {
  const text = readFileSync(path.join(TARGETS, "tandem.json"), "utf8");
  await writeFile(file, text.replaceAll(/\{(universe|prefix)\}/g, (_, name) => names[name]));
}
