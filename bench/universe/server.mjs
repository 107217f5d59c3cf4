// The route that `cargo xtask bench universe` measures, as one would write it in an afternoon: Express, the state as one
// JSON document in PostgreSQL, read, changed and written in a transaction. Says where it listens, ends with its input.
import express from "express";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.argv[2], max: 16 });
await pool.query(`
  create table if not exists universes (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    state jsonb not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now())`);

const record = (row) => ({
  id: row.id,
  name: row.name,
  state: row.state,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

function reduce(state, command) {
  switch (command.type) {
    case "tick":
      return { nextState: { ...state, time: (state.time ?? 0) + (command.dt ?? 1) }, events: [] };
    default:
      return { nextState: state, events: [{ type: "unknownCommand", command }] };
  }
}

async function inTransaction(work) {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

const app = express();
app.use(express.json({ limit: "200mb" }));

app.post("/universes", async (request, response) => {
  const { name, state } = request.body;
  const made = await pool.query("insert into universes (name, state) values ($1, $2) returning *", [name, state]);
  response.status(201).json(record(made.rows[0]));
});

app.post("/universes/:id/commands", async (request, response) => {
  const result = await inTransaction(async (client) => {
    const found = await client.query("select state from universes where id = $1 for update", [request.params.id]);
    if (found.rowCount === 0) return null;
    const next = reduce(found.rows[0].state, request.body);
    await client.query("update universes set state = $2, updated_at = now() where id = $1", [
      request.params.id,
      next.nextState,
    ]);
    return next;
  });
  if (result === null) return response.status(404).json({ error: "Universe not found" });
  response.json(result);
});

const server = app.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ listening: `http://127.0.0.1:${server.address().port}` }));
});
process.stdin.resume().on("end", () => process.exit(0));
