// Records what the official packages say about the models of this folder, for tests to compare with.
//
//   cd somewhere && npm install @malloydata/malloy@0.0.431 @malloydata/db-duckdb@0.0.431 @duckdb/node-api@1.5.5-r.4 antlr4ts@0.5.0-alpha.4
//   NODE_PATH is not used: copy this file there, then
//   node record.mjs <this folder> > <this folder>/recorded.json
//
// Places, reference ids and drill expressions are left out: they are the official compiler's own.
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {Runtime, API, modelDefToModelInfo} from '@malloydata/malloy';
import {DuckDBConnection} from '@malloydata/db-duckdb';

const root = path.resolve(process.argv[2]);
process.chdir(root);
const connection = new DuckDBConnection({
  name: 'duckdb', databasePath: ':memory:', workingDirectory: root,
  enableExternalAccess: false, allowedDirectories: [root],
});
const runtime = new Runtime({urlReader: {readURL: async url => fs.readFileSync(url, 'utf8')}, connection});
const model = runtime.loadModel(pathToFileURL(path.join(root, 'fair.malloy')));

const QUERIES = [
  'run: sales -> by_month',
  'run: sales -> by_stall',
  'run: sales -> listed',
  'run: sales -> twice',
  'run: sales -> words',
  'run: sales -> { aggregate: sale_count, total }',
  "run: sales -> { timezone: 'Europe/Lisbon' group_by: on_day is sold_at.day aggregate: sale_count }",
  'run: large_sales(least is 5) -> those',
  'run: overview',
];

const OURS = new Set(['location', 'drillExpression', 'referenceId', 'sourceClasses', 'at', 'drillable', 'sourceArguments']);
const without = (key, value) => (OURS.has(key) ? undefined : value);
const plainFacts = text => text
  .replace(/ ?reference_id = "[^"]*"/, '')
  .replace(/ ?drill_filters = \[.*?\}\]/, '')
  .replace(/ ?drill_expression(\.code = ("(\\.|[^"])*"|\w+)| \{[^}]*\})/, '')
  .replace(/ ?drillable/, '')
  .replace(/^#\(malloy\)\s*$/, '');
function plain(value) {
  if (Array.isArray(value)) return value.map(plain).filter(x => !(x && x.value === ''));
  if (value && typeof value === 'object') {
    const made = Object.fromEntries(Object.entries(value).map(([k, v]) => [k, k === 'value' && typeof v === 'string' ? plainFacts(v) : plain(v)]));
    if (Array.isArray(made.annotations) && made.annotations.length === 0) delete made.annotations;
    return made;
  }
  return value;
}

const cases = [];
for (const query of QUERIES) {
  const result = await model.loadQuery(query).run({rowLimit: 100});
  const raw = JSON.parse(JSON.stringify(result.toJSON().queryResult, without));
  const stable = plain(JSON.parse(JSON.stringify(API.util.wrapResult(result))));
  delete raw.sql; delete stable.sql;
  cases.push({query, raw, stable});
}
const compiled = await model.getModel();
const modelInfo = plain(JSON.parse(JSON.stringify(modelDefToModelInfo(compiled._modelDef))));
const tables = {};
for (const file of fs.readdirSync(root).filter(name => name.endsWith('.csv'))) {
  const found = await connection.fetchSchemaForTables({[file]: file}, {});
  tables[file] = found.schemas[file].fields.map(({name, type, numberType}) => ({
    name,
    type: type === 'number' ? {number: numberType ?? 'unknown'} : ['date', 'timestamp', 'timestamptz'].includes(type) ? {[type]: null} : type,
  }));
}
const line = value => JSON.stringify(value);
console.log(`{"tables": ${line(tables)},\n"modelInfo": ${line(modelInfo)},\n"cases": [\n${cases.map(line).join(',\n')}\n]}`);
process.exit(0);
