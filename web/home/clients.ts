/**
 * MCP client configuration, ready to paste.
 *
 * Each client has its own format; what is here was read in their documentation. Where the server demands a
 * token, the text refers to it by name and never holds it, since such files are shared and committed.
 */

import type { Endpoint } from "./status.ts";

export type Transport = "http" | "stdio";

/** What a client is to be connected to. */
export interface Target {
  /** What the client will call it. */
  name: string;
  endpoint: Endpoint;
  transport: Transport;
  /** Whether HTTP requests need the token. */
  token: boolean;
}

/** A text to paste, where it goes, and what to know. */
export interface Snippet {
  where: string;
  text: string;
  note?: string;
}

export interface Client {
  id: string;
  label: string;
  snippet: (target: Target) => Snippet;
}

export const clients: Client[] = [
  { id: "claude-code", label: "Claude Code", snippet: claudeCode },
  { id: "claude-desktop", label: "Claude Desktop", snippet: claudeDesktop },
  { id: "cursor", label: "Cursor", snippet: cursor },
  { id: "vscode", label: "VS Code", snippet: vsCode },
  { id: "codex", label: "Codex", snippet: codex },
  { id: "other", label: "Other", snippet: other },
];

const TOKEN_NOTE = "Put the server's token into the environment variable TANDEM_TOKEN first.";

function claudeCode({ name, endpoint, transport, token }: Target): Snippet {
  const where = "Terminal";
  if (transport === "stdio") {
    return { where, text: `claude mcp add ${name} -- ${endpoint.command.map(shell).join(" ")}` };
  }
  const add = `claude mcp add --transport http ${name} ${shell(endpoint.url)}`;
  if (!token) return { where, text: add };
  const text = `${add} \\\n  --header "Authorization: Bearer $TANDEM_TOKEN"`;
  return { where, text, note: TOKEN_NOTE };
}

/** Its file knows programs only, so HTTP goes through the `mcp-remote` bridge. */
function claudeDesktop({ name, endpoint, transport, token }: Target): Snippet {
  const where = "claude_desktop_config.json (Settings → Developer → Edit Config)";
  if (transport === "stdio") {
    return { where, text: json({ mcpServers: { [name]: program(endpoint) } }) };
  }
  const args = ["-y", "mcp-remote", endpoint.url];
  if (!isSafe(endpoint.url)) args.push("--allow-http");
  // The value holds a space, which some systems split; the variable keeps it whole.
  if (token) args.push("--header", "Authorization:${AUTH_HEADER}");
  const server = {
    command: "npx",
    args,
    ...(token && { env: { AUTH_HEADER: "Bearer YOUR_TOKEN" } }),
  };
  return {
    where,
    text: json({ mcpServers: { [name]: server } }),
    note: token
      ? "Replace YOUR_TOKEN. Claude Desktop reaches HTTP through mcp-remote, which needs Node."
      : "Claude Desktop reaches HTTP through mcp-remote, which needs Node. With stdio it needs nothing.",
  };
}

function cursor({ name, endpoint, transport, token }: Target): Snippet {
  const where = "~/.cursor/mcp.json, or .cursor/mcp.json in a project";
  if (transport === "stdio") {
    return { where, text: json({ mcpServers: { [name]: program(endpoint) } }) };
  }
  const server = { url: endpoint.url, ...(token && bearer("${env:TANDEM_TOKEN}")) };
  const text = json({ mcpServers: { [name]: server } });
  return token ? { where, text, note: TOKEN_NOTE } : { where, text };
}

function vsCode({ name, endpoint, transport, token }: Target): Snippet {
  const where = ".vscode/mcp.json, or “MCP: Open User Configuration”";
  if (transport === "stdio") {
    return { where, text: json({ servers: { [name]: { type: "stdio", ...program(endpoint) } } }) };
  }
  const server = { type: "http", url: endpoint.url };
  if (!token) return { where, text: json({ servers: { [name]: server } }) };
  const input = {
    type: "promptString",
    id: "tandem-token",
    description: "Tandem token",
    password: true,
  };
  return {
    where,
    text: json({
      inputs: [input],
      servers: { [name]: { ...server, ...bearer("${input:tandem-token}") } },
    }),
    note: "VS Code asks for the token once and keeps it safe.",
  };
}

function codex({ name, endpoint, transport, token }: Target): Snippet {
  const where = "~/.codex/config.toml";
  const table = `[mcp_servers.${name}]`;
  // A JSON string is a TOML string too.
  if (transport === "stdio") {
    const [command = "", ...args] = endpoint.command;
    const list = args.map((arg) => JSON.stringify(arg)).join(", ");
    return { where, text: `${table}\ncommand = ${JSON.stringify(command)}\nargs = [${list}]` };
  }
  const text = `${table}\nurl = ${JSON.stringify(endpoint.url)}`;
  if (!token) return { where, text };
  return { where, text: `${text}\nbearer_token_env_var = "TANDEM_TOKEN"`, note: TOKEN_NOTE };
}

function other({ name, endpoint, transport, token }: Target): Snippet {
  const where = "The format most clients read";
  if (transport === "stdio") {
    return {
      where,
      text: json({ mcpServers: { [name]: { type: "stdio", ...program(endpoint) } } }),
    };
  }
  const server = { type: "http", url: endpoint.url, ...(token && bearer("YOUR_TOKEN")) };
  const text = json({ mcpServers: { [name]: server } });
  return token ? { where, text, note: "Replace YOUR_TOKEN." } : { where, text };
}

function program({ command: [command = "", ...args] }: Endpoint) {
  return { command, args };
}

function bearer(value: string) {
  return { headers: { Authorization: `Bearer ${value}` } };
}

function json(value: unknown): string {
  // Short lists read better on one line.
  return JSON.stringify(value, null, 2).replace(
    /\[\s+("[^[\]{}]*")\s+\]/g,
    (_, items: string) => `[${items.replace(/,\s+/g, ", ")}]`,
  );
}

/** Quotes a word for a POSIX shell, where it needs quoting. */
function shell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Whether a bridge may use this address without being told twice: encrypted, or never leaving the machine. */
function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
