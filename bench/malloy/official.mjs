// How long the official compiler takes: once to load a model whose tables it has seen before, and for each of the queries in
// a JSON list on standard input, with the model loaded. Prints JSON; times are medians in milliseconds.
//
//   node official.mjs FOLDER MODEL ROUNDS < queries.json

import { readFileSync } from "node:fs";
import { resolve, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Runtime } from "@malloydata/malloy";
import { DuckDBConnection } from "@malloydata/db-duckdb";

const [folder, model, count] = process.argv.slice(2);
const rounds = Number(count);
const queries = JSON.parse(readFileSync(0, "utf8"));
const root = resolve(folder);
process.chdir(root);

const connection = new DuckDBConnection({
  name: "duckdb",
  databasePath: ":memory:",
  workingDirectory: root,
  enableExternalAccess: false,
  allowedDirectories: [root],
});
const urlReader = { readURL: async (url) => readFileSync(url, "utf8") };
const load = () => {
  const runtime = new Runtime({ urlReader, connection });
  return runtime.loadModel(pathToFileURL(join(root, model)));
};

async function median(work) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

// The first asks for the columns of the tables, which the connection remembers.
await load().getModel();
const loading = await median(() => load().getModel());

const loaded = load();
await loaded.getModel();
const compiled = [];
for (const query of queries) {
  let sql;
  const ms = await median(async () => {
    sql = await loaded.loadQuery(query).getSQL();
  });
  compiled.push({ query, ms, sql });
}
console.log(JSON.stringify({ load: loading, queries: compiled }));
process.exit(0);
