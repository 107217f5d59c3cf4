/** Where problems are in a text, as offsets, and the text in pieces between them. */

import type { Position, Problem } from "../state/types.ts";
import { tokens, type TokenKind } from "./tokens.ts";

export interface Marked {
  from: number;
  to: number;
  problem: Problem;
}

/** Lines and characters count from 0. What is outside of the text is at its end. */
export function offsetOf(text: string, { line, character }: Position): number {
  let at = 0;
  for (let n = 0; n < line; n += 1) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  const end = text.indexOf("\n", at);
  return Math.min(at + Math.max(0, character), end < 0 ? text.length : end);
}

/** The ranges of the problems; one without length covers the word that it stands at. */
export function marked(text: string, problems: readonly Problem[]): Marked[] {
  return problems.flatMap((problem) => {
    if (!problem.at) return [];
    const from = offsetOf(text, problem.at.range.start);
    let to = offsetOf(text, problem.at.range.end);
    if (to <= from) to = from + (/^\w+/.exec(text.slice(from))?.[0].length ?? 1);
    return [
      {
        from: Math.min(from, Math.max(0, text.length - 1)),
        to: Math.min(to, text.length),
        problem,
      },
    ];
  });
}

export interface Piece {
  text: string;
  kind: TokenKind;
  wrong: boolean;
}

export function pieces(text: string, marks: readonly Marked[]): Piece[] {
  const edges = [...new Set(marks.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const found: Piece[] = [];
  for (const token of tokens(text)) {
    const end = token.at + token.text.length;
    const cuts = [token.at, ...edges.filter((edge) => edge > token.at && edge < end), end];
    for (let n = 0; n + 1 < cuts.length; n += 1) {
      const [from = 0, to = 0] = [cuts[n], cuts[n + 1]];
      const wrong = marks.some((mark) => mark.from <= from && mark.to >= to);
      found.push({ text: text.slice(from, to), kind: token.kind, wrong });
    }
  }
  return found;
}
