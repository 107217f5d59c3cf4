/** The same query elsewhere: as Malloy, over HTTP, as a tool call of an agent. */

import { queryAddress } from "../state/server.ts";
import { codeBlock } from "./code.ts";
import type { Around } from "./result.ts";

export function snippets(around: Around): HTMLElement[] {
  return [
    codeBlock("Malloy", around.malloy, "malloy"),
    codeBlock("Shell", curl(around), "plain"),
    codeBlock("MCP tool call", toolCall(around), "plain"),
  ];
}

function curl({ at, question }: Around): string {
  const body = JSON.stringify(question).replaceAll("'", String.raw`'\''`);
  return `curl -s '${queryAddress(at)}' \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`;
}

export function toolCall({ at, question }: Around): string {
  const given = question.query
    ? { query: question.query }
    : {
        ...(question.sourceName ? { sourceName: question.sourceName } : {}),
        queryName: question.queryName,
      };
  const args = {
    projectName: at.project,
    packageName: at.name,
    modelPath: at.path,
    ...given,
    ...(question.givens && Object.keys(question.givens).length > 0
      ? { givens: question.givens }
      : {}),
  };
  return JSON.stringify({ name: "malloy_executeQuery", arguments: args }, null, 2);
}
