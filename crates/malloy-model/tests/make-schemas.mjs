// Writes schemas.json: the columns of every data file and SQL select of the conformance corpus, asked of DuckDB once.
//
//   cd <a folder with @duckdb/node-api installed> && node make-schemas.mjs <corpus> > schemas.json
import fs from 'node:fs';
import {createRequire} from 'node:module';

const {DuckDBInstance} = createRequire(process.cwd() + '/')('@duckdb/node-api');
process.chdir(process.argv[2]);
const connection = await (await DuckDBInstance.create(':memory:')).connect();

const files = folder => fs.readdirSync(folder, {withFileTypes: true})
  .flatMap(e => e.isDirectory() ? files(`${folder}/${e.name}`) : [`${folder}/${e.name}`]).sort();

const SIMPLE = {
  VARCHAR: 'string', BOOLEAN: 'boolean', JSON: 'json', BIGINT: {number: 'bigint'}, HUGEINT: {number: 'bigint'},
  UBIGINT: {number: 'bigint'}, INTEGER: {number: 'integer'}, SMALLINT: {number: 'integer'}, TINYINT: {number: 'integer'},
  DOUBLE: {number: 'float'}, FLOAT: {number: 'float'}, DATE: {date: null}, TIMESTAMP: {timestamp: null},
  'TIMESTAMP WITH TIME ZONE': {timestamptz: null},
};
function type(text) {
  text = text.trim();
  if (text.endsWith('[]')) return {array: type(text.slice(0, -2))};
  if (text.startsWith('STRUCT(')) return {record: members(text.slice(7, -1))};
  if (text.startsWith('DECIMAL(')) return {number: text.endsWith(',0)') ? 'bigint' : 'float'};
  return SIMPLE[text] ?? {sql: text};
}
function members(text) {
  const out = [];
  let depth = 0, quoted = false, start = 0;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (c === '"') quoted = !quoted;
    if (!quoted && c === '(') depth++;
    if (!quoted && c === ')') depth--;
    if (i === text.length || (c === ',' && depth === 0 && !quoted)) {
      const [, q, bare, rest] = text.slice(start, i).trim().match(/^(?:"([^"]+)"|(\w+)) (.*)$/);
      out.push({name: q ?? bare, type: type(rest)});
      start = i + 1;
    }
  }
  return out;
}
const columns = async from =>
  (await (await connection.run(`DESCRIBE SELECT * FROM ${from}`)).getRows()).map(r => ({name: r[0], type: type(r[1])}));

const out = {tables: {}, selects: {}};
for (const f of files('data')) out.tables[f] = await columns(`'${f}'`);
out.tables['information_schema.schemata'] = await columns('information_schema.schemata');
const texts = [...files('cases'), ...files('disputed')].map(f => JSON.parse(fs.readFileSync(f)).query)
  .concat([...files('models'), ...files('notebooks')].map(f => fs.readFileSync(f, 'utf8')));
for (const t of texts) {
  for (const m of t.matchAll(/duckdb\.sql\((?:"""([^]*?)"""|'([^']*)')\)/g)) {
    const text = m[1] ?? m[2];
    // The one select with a hole reads all of `teams`.
    out.selects[text.replace(/%\{.*?\} *\}/g, '%{}')] = await columns(`(${text.replace(/%\{.*?\} *\}/g, "SELECT * FROM 'data/teams.csv'")})`);
  }
}
// One line for a table, so that the file can be read.
const lines = o => Object.entries(o).map(([k, v]) => `  ${JSON.stringify(k)}: ${JSON.stringify(v)}`).join(',\n');
console.log(`{\n "tables": {\n${lines(out.tables)}\n },\n "selects": {\n${lines(out.selects)}\n }\n}`);
