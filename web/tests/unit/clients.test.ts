import assert from "node:assert/strict";
import { test } from "node:test";
import { clients, type Target } from "../../home/clients.ts";

const endpoint = { url: "http://127.0.0.1:3000/mcp", command: ["tandem", "mcp"] };
const http: Target = { name: "tandem", endpoint, transport: "http", token: false };

function text(client: string, change: Partial<Target> = {}): string {
  const found = clients.find(({ id }) => id === client);
  assert.ok(found, client);
  return found.snippet({ ...http, ...change }).text;
}

function parsed(client: string, change: Partial<Target> = {}): unknown {
  return JSON.parse(text(client, change));
}

test("Claude Code is told by a command", () => {
  assert.equal(
    text("claude-code"),
    "claude mcp add --transport http tandem http://127.0.0.1:3000/mcp",
  );
  assert.equal(text("claude-code", { transport: "stdio" }), "claude mcp add tandem -- tandem mcp");
  assert.match(
    text("claude-code", { token: true }),
    /--header "Authorization: Bearer \$TANDEM_TOKEN"$/,
  );
});

test("words that a shell would split are quoted", () => {
  const command = ["/opt/my tools/tandem", "mcp", "--name", "it's"];
  const added = text("claude-code", { transport: "stdio", endpoint: { ...endpoint, command } });
  assert.equal(added, `claude mcp add tandem -- '/opt/my tools/tandem' mcp --name 'it'\\''s'`);
});

test("Claude Desktop starts programs only, so HTTP goes through a bridge", () => {
  assert.deepEqual(parsed("claude-desktop", { transport: "stdio" }), {
    mcpServers: { tandem: { command: "tandem", args: ["mcp"] } },
  });
  assert.deepEqual(parsed("claude-desktop", { token: true }), {
    mcpServers: {
      tandem: {
        command: "npx",
        args: ["-y", "mcp-remote", endpoint.url, "--header", "Authorization:${AUTH_HEADER}"],
        env: { AUTH_HEADER: "Bearer YOUR_TOKEN" },
      },
    },
  });
  const elsewhere = { ...endpoint, url: "http://192.0.2.1:3000/mcp" };
  assert.match(text("claude-desktop", { endpoint: elsewhere }), /--allow-http/);
});

test("Cursor and VS Code differ in the key and in where the token comes from", () => {
  assert.deepEqual(parsed("cursor", { token: true }), {
    mcpServers: {
      tandem: { url: endpoint.url, headers: { Authorization: "Bearer ${env:TANDEM_TOKEN}" } },
    },
  });
  assert.deepEqual(parsed("vscode"), { servers: { tandem: { type: "http", url: endpoint.url } } });
  const asked = parsed("vscode", { token: true }) as {
    inputs: { id: string; password: boolean }[];
  };
  assert.deepEqual(
    asked.inputs.map(({ id, password }) => [id, password]),
    [["tandem-token", true]],
  );
});

test("Codex reads TOML and takes the token from the environment", () => {
  assert.equal(
    text("codex", { token: true }),
    '[mcp_servers.tandem]\nurl = "http://127.0.0.1:3000/mcp"\nbearer_token_env_var = "TANDEM_TOKEN"',
  );
  assert.equal(
    text("codex", { transport: "stdio" }),
    '[mcp_servers.tandem]\ncommand = "tandem"\nargs = ["mcp"]',
  );
});

test("no configuration asks for a token that the server does not want", () => {
  for (const { id } of clients) {
    for (const transport of ["http", "stdio"] as const) {
      assert.doesNotMatch(text(id, { transport }), /token|authorization/i, `${id} ${transport}`);
    }
  }
});

test("every HTTP configuration tells of the token where the server wants one", () => {
  for (const { id } of clients) assert.match(text(id, { token: true }), /token/i, id);
});
