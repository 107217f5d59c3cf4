// Asks the official implementation again for the answers that our tests rest on, and says where it answers otherwise.
//
//   node drift.mjs ROOT MODEL|- FILE...
//
// Paths of tables and models are relative to ROOT. A FILE is a case or a list of cases, as the conformance corpus has them; MODEL is
// for those that name none. Of a disputed case, whose official answer was wrong, a right one is news.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { API, MalloyError, Runtime } from "@malloydata/malloy";
import { DuckDBConnection } from "@malloydata/db-duckdb";

const [folder, fallback, ...names] = process.argv.slice(2);
const files = names.map((name) => resolve(name));
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
const runtime = new Runtime({ urlReader, connection });
const models = new Map();

function model(file) {
  if (!models.has(file ?? "")) {
    const loaded = file
      ? runtime.loadModel(pathToFileURL(join(root, file)))
      : runtime.loadModel("", { importBaseURL: pathToFileURL(`${root}/`) });
    models.set(file ?? "", loaded);
  }
  return models.get(file ?? "");
}

/** A cell of the official result in the form of the corpus. */
function value(cell, type) {
  switch (cell.kind) {
    case "null_cell":
      return null;
    case "string_cell":
      return cell.string_value;
    case "boolean_cell":
      return cell.boolean_value;
    case "number_cell": {
      const digits = cell.string_value;
      if (digits !== undefined && /^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits))) return digits;
      return Number.isFinite(cell.number_value) ? cell.number_value : String(cell.number_value);
    }
    case "date_cell":
      return new Date(cell.date_value).toISOString().slice(0, 10);
    case "timestamp_cell":
      return new Date(cell.timestamp_value).toISOString();
    case "json_cell":
      return JSON.parse(cell.json_value);
    case "sql_native_cell":
      return JSON.parse(cell.sql_native_value);
    case "array_cell":
      return cell.array_value.map((item) => value(item, type?.element_type));
    case "record_cell":
      return Object.fromEntries(
        cell.record_value.map((item, index) => [type.fields[index].name, value(item, type.fields[index].type)]),
      );
    default:
      throw new Error(`a cell of an unknown kind, ${cell.kind}`);
  }
}

async function rows(asked) {
  const { query, givens } = asked;
  const result = await model(asked.model ?? (fallback === "-" ? null : fallback))
    .loadQuery(query)
    .run({ rowLimit: 1_000_000, ...(givens ? { givens } : {}) });
  const { schema, data } = API.util.wrapResult(result);
  return data.array_value.map((row) => value(row, schema));
}

/** Numbers that count as equal look the same, and lists have an order that depends on nothing but what is in them. */
function settled(item) {
  if (typeof item === "number") return Number(item.toPrecision(8));
  if (Array.isArray(item)) return item.map(settled).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (item && typeof item === "object") {
    return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, settled(inner)]));
  }
  return item;
}

async function answer(asked) {
  try {
    return { rows: await rows(asked) };
  } catch (error) {
    // What the engine fails at, or the compiler itself, was not refused.
    return { error: String(error.message).split("\n")[0], refused: error instanceof MalloyError };
  }
}

/** What is wrong with an answer, or nothing. */
function difference(expect, got) {
  if (expect.kind === "error") return got.refused ? undefined : "is not refused any more";
  if (got.error !== undefined) return `is refused: ${got.error}`;
  const same = JSON.stringify(settled(expect.rows)) === JSON.stringify(settled(got.rows));
  return same ? undefined : "gives other rows";
}

let [asked, drifted] = [0, 0];
for (const file of files) {
  const content = JSON.parse(readFileSync(file, "utf8"));
  for (const one of Array.isArray(content) ? content : [content]) {
    asked += 1;
    const why = difference(one.expect, await answer(one));
    if (one.why !== undefined) {
      // Disputed: the official answer was wrong when the case was written.
      if (why === undefined) console.log(`repaired: ${one.name} is right now; it need not be disputed any more`);
      continue;
    }
    if (why !== undefined) {
      drifted += 1;
      console.log(`drift: ${one.name} ${why}`);
    }
  }
}
console.log(`${asked - drifted} of ${asked} official answers are as they were`);
process.exit(drifted ? 1 : 0);
