/** A diff as rows: which line stands beside which, what changed inside a line, what need not be shown. */

import type { DiffLine } from "./types.ts";

export interface Side {
  number: number | undefined;
  pieces: Piece[];
}

/** A piece of a line; `changed` marks what the line beside it says differently. */
export interface Piece {
  text: string;
  changed: boolean;
}

export type Row =
  | { kind: "same"; old: Side; new: Side }
  | { kind: "changed"; old: Side | undefined; new: Side | undefined }
  | { kind: "gap"; rows: Row[] };

/** Unchanged lines that are kept around a change. */
const CONTEXT = 3;
/** A gap hides more than the button that opens it takes. */
const LEAST_HIDDEN = 3;
/** Longer lines are compared as a whole: the work grows with the square. */
const MOST_WORDS = 300;

export function rowsOf(lines: readonly DiffLine[]): Row[] {
  const rows: Row[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    rows.push(...beside(removed, added));
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === "removed") {
      // Lines that go after lines that came are another change.
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === "added") added.push(line);
    else {
      flush();
      rows.push({ kind: "same", old: whole(line, line.old), new: whole(line, line.new) });
    }
  }
  flush();
  return rows;
}

/** The same rows without the long stretches in which nothing changed; a gap holds what it hides. */
export function folded(rows: readonly Row[]): Row[] {
  const found: Row[] = [];
  let at = 0;
  while (at < rows.length) {
    let end = at;
    while (end < rows.length && rows[end]?.kind === "same") end += 1;
    if (end === at) {
      const row = rows[at];
      if (row) found.push(row);
      at += 1;
      continue;
    }
    const from = at === 0 ? at : at + CONTEXT;
    const to = end === rows.length ? end : end - CONTEXT;
    const hidden = rows.slice(from, Math.max(from, to));
    if (hidden.length < LEAST_HIDDEN) found.push(...rows.slice(at, end));
    else found.push(...rows.slice(at, from), { kind: "gap", rows: hidden }, ...rows.slice(to, end));
    at = end;
  }
  return found;
}

/** Lines that went beside lines that came, in order. */
function beside(removed: readonly DiffLine[], added: readonly DiffLine[]): Row[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, n): Row => {
    const [old, new_] = [removed[n], added[n]];
    if (!old || !new_) {
      return {
        kind: "changed",
        old: old && whole(old, old.old),
        new: new_ && whole(new_, new_.new),
      };
    }
    const [before, after] = compare(old.text, new_.text);
    return {
      kind: "changed",
      old: { number: old.old, pieces: before },
      new: { number: new_.new, pieces: after },
    };
  });
}

function whole(line: DiffLine, number: number | undefined): Side {
  return { number, pieces: [{ text: line.text, changed: false }] };
}

/** What two lines have in common, word by word. Lines with little in common are not marked at all: it would all be marks. */
export function compare(old: string, new_: string): [Piece[], Piece[]] {
  const [a, b] = [words(old), words(new_)];
  const unmarked: [Piece[], Piece[]] = [
    [{ text: old, changed: false }],
    [{ text: new_, changed: false }],
  ];
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) return unmarked;
  const [keptA, keptB] = common(a, b);
  const kept = a.filter((word, n) => keptA.has(n) && /\w/.test(word)).length;
  const all = Math.max(a.filter((word) => /\w/.test(word)).length, 1);
  if (kept / all < 0.3) return unmarked;
  return [pieces(a, keptA), pieces(b, keptB)];
}

function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** The places of a longest common subsequence in both. */
function common(a: readonly string[], b: readonly string[]): [Set<number>, Set<number>] {
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => length[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      length[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const [inA, inB] = [new Set<number>(), new Set<number>()];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      inA.add(i++);
      inB.add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return [inA, inB];
}

function pieces(words: readonly string[], kept: ReadonlySet<number>): Piece[] {
  const found: Piece[] = [];
  words.forEach((text, n) => {
    // A blank between two changed words is part of the change.
    const bridged = text.trim() === "" && !kept.has(n - 1) && !kept.has(n + 1) && n > 0;
    const changed = !kept.has(n) || (bridged && n < words.length - 1);
    const last = found.at(-1);
    if (last && last.changed === changed) last.text += text;
    else found.push({ text, changed });
  });
  return found;
}

/** A line of a diff in one column. */
export interface Line {
  kind: DiffLine["kind"];
  old: number | undefined;
  new: number | undefined;
  pieces: Piece[];
}

/** Rows in one column: of lines that changed together, first all that went, then all that came. */
export function unified(rows: readonly Exclude<Row, { kind: "gap" }>[]): Line[] {
  const lines: Line[] = [];
  let came: Line[] = [];
  const flush = () => {
    lines.push(...came);
    came = [];
  };
  for (const row of rows) {
    const { old, new: new_ } = row;
    if (row.kind === "same") {
      flush();
      lines.push({ kind: "same", old: old?.number, new: new_?.number, pieces: row.new.pieces });
      continue;
    }
    if (old) lines.push({ kind: "removed", old: old.number, new: undefined, pieces: old.pieces });
    if (new_) came.push({ kind: "added", old: undefined, new: new_.number, pieces: new_.pieces });
  }
  flush();
  return lines;
}
