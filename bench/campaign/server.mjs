// What `cargo xtask bench campaign` measures Tandem against: the same tools on the official TypeScript SDK, set up as
// `bench/server.mjs` explains, with SQLite as strict as Tandem's: a write-ahead log, on the disk before the answer.
//
//   node server.mjs DATABASE
//
// It prints the address it listens on as its first line. It ends when its standard input does.

import { randomInt, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const gmMode = z.enum(['HUMAN', 'AI', 'HYBRID']);
const role = z.enum(['GM', 'PLAYER']);
const controller = z.enum(['HUMAN', 'AI']);
const name = z.string().trim().min(1).max(1024);

const campaign = {
  id: z.string(),
  name: z.string(),
  gm_mode: gmMode,
  participant_count: z.int(),
  actor_count: z.int(),
  theme_prompt: z.string(),
};

const participant = {
  id: z.string(),
  campaign_id: z.string(),
  display_name: z.string(),
  role,
  controller,
  created_at: z.string(),
  updated_at: z.string(),
};

const roll = {
  hope: z.int().min(1).max(12),
  fear: z.int().min(1).max(12),
  modifier: z.int(),
  difficulty: z.int().optional(),
  total: z.int(),
  is_crit: z.boolean(),
  meets_difficulty: z.boolean(),
  outcome: z.enum([
    'ROLL_WITH_HOPE',
    'ROLL_WITH_FEAR',
    'SUCCESS_WITH_HOPE',
    'SUCCESS_WITH_FEAR',
    'FAILURE_WITH_HOPE',
    'FAILURE_WITH_FEAR',
    'CRITICAL_SUCCESS',
  ]),
};

const database = new DatabaseSync(process.argv[2]);
database.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table campaigns (
    id text primary key, name text not null, gm_mode text not null, theme_prompt text not null,
    participant_count integer not null default 0, actor_count integer not null default 0);
  create table participants (
    id text primary key, campaign_id text not null references campaigns (id), display_name text not null,
    role text not null, controller text not null, created_at text not null, updated_at text not null);`);
const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');
const insertCampaign = database.prepare(
  'insert into campaigns (id, name, gm_mode, theme_prompt) values (:id, :name, :gm_mode, :theme_prompt) returning *',
);
const listCampaigns = database.prepare('select * from campaigns order by rowid');
const countParticipant = database.prepare(
  'update campaigns set participant_count = participant_count + 1 where id = ?',
);
const insertParticipant = database.prepare(
  `insert into participants (id, campaign_id, display_name, role, controller, created_at, updated_at)
   values (:id, :campaign_id, :display_name, :role, :controller, :created_at, :updated_at)`,
);

function inTransaction(work) {
  begin.run();
  try {
    const result = work();
    commit.run();
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function createParticipant({ campaign_id, display_name, role, controller }) {
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const id = `part_${randomUUID()}`;
  const made = { id, campaign_id, display_name, role, controller, created_at: now, updated_at: now };
  return inTransaction(() => {
    if (countParticipant.run(campaign_id).changes === 0) throw new Error('NotFound: campaign not found');
    insertParticipant.run(made);
    return made;
  });
}

function actionRoll({ modifier, difficulty }) {
  const hope = randomInt(1, 13);
  const fear = randomInt(1, 13);
  const total = hope + fear + modifier;
  const is_crit = hope === fear;
  const judged = difficulty !== undefined;
  const meets_difficulty = judged && (is_crit || total >= difficulty);
  const ruling = !judged ? 'ROLL' : meets_difficulty ? 'SUCCESS' : 'FAILURE';
  const outcome = is_crit ? 'CRITICAL_SUCCESS' : `${ruling}_WITH_${hope > fear ? 'HOPE' : 'FEAR'}`;
  return { hope, fear, modifier, ...(judged && { difficulty }), total, is_crit, meets_difficulty, outcome };
}

const answer = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value });

function campaignServer() {
  const server = new McpServer({ name: 'campaign', version: '1.0.0' });
  server.registerTool(
    'campaign_create',
    {
      description: 'Create a campaign.',
      inputSchema: z.strictObject({ name, gm_mode: gmMode, theme_prompt: z.string().default('') }),
      outputSchema: campaign,
    },
    async (given) => answer(insertCampaign.get({ id: `camp_${randomUUID()}`, ...given })),
  );
  server.registerTool(
    'participant_create',
    {
      description: 'Let somebody join a campaign.',
      inputSchema: z.strictObject({
        campaign_id: z.string(),
        display_name: name,
        role,
        controller: controller.default('HUMAN'),
      }),
      outputSchema: participant,
    },
    async (given) => answer(createParticipant(given)),
  );
  server.registerTool(
    'duality_action_roll',
    {
      description: 'Roll the Duality dice.',
      inputSchema: z.strictObject({ modifier: z.int().default(0), difficulty: z.int().min(0).optional() }),
      outputSchema: roll,
      annotations: { readOnlyHint: true },
    },
    async (given) => answer(actionRoll(given)),
  );
  server.registerResource('campaigns', 'campaigns://list', { mimeType: 'application/json' }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify({ campaigns: listCampaigns.all() }) }],
  }));
  return server;
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** One transport and one server for each session, as the SDK wants it. */
const sessions = new Map();
async function handle(request, response) {
  const body = await read(request);
  let transport = sessions.get(request.headers['mcp-session-id']);
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    await campaignServer().connect(transport);
  }
  await transport.handleRequest(request, response, body);
}

const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
});
// The load keeps its connections open longer than node's default of five seconds.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => console.log(`127.0.0.1:${server.address().port}`));
process.stdin.resume().on('end', () => process.exit(0));
