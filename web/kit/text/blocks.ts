/** Markdown by lines, as plain values: paragraphs, headings, lists, code, quotes, tables, rules. Comments are left out. */

export type Block =
  | { kind: "paragraph"; text: string }
  | { kind: "heading"; level: number; text: string }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; ordered: boolean; start: number; items: ListItem[] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "rule" };

export interface ListItem {
  /** Whether its box is ticked, where it has one. */
  done: boolean | undefined;
  blocks: Block[];
}

const DEEPEST = 12;
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const BULLET = /^(\s*)([-*+]|\d{1,9}[.)])(\s+|$)(.*)$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export function blocks(text: string): Block[] {
  const lines = text.replace(/<!--[^]*?(-->|$)/g, "").split(/\r?\n/);
  return read(lines, 0);
}

function read(lines: readonly string[], depth: number): Block[] {
  const found: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, after] = next(lines, at, depth);
    if (block) found.push(block);
    at = after;
  }
  return found;
}

/** The block that begins at line `at`, and the line after it. */
function next(lines: readonly string[], at: number, depth: number): [Block | undefined, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [undefined, at + 1];
  if (FENCE.test(line)) return fenced(lines, at);
  const heading = HEADING.exec(line);
  if (heading) {
    const level = heading[1]?.length ?? 1;
    return [{ kind: "heading", level, text: heading[2] ?? "" }, at + 1];
  }
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  if (depth < DEEPEST) {
    if (/^ {0,3}>/.test(line)) return quoted(lines, at, depth);
    if (BULLET.test(line)) return listed(lines, at, depth);
  }
  if (line.includes("|") && DIVIDER.test(lines[at + 1] ?? "")) return tabled(lines, at);
  return paragraph(lines, at);
}

function fenced(lines: readonly string[], at: number): [Block, number] {
  const [, fence = "```", language = ""] = FENCE.exec(lines[at] ?? "") ?? [];
  const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}\\s*$`);
  let end = at + 1;
  while (end < lines.length && !closing.test(lines[end] ?? "")) end += 1;
  const text = lines.slice(at + 1, end).join("\n");
  return [{ kind: "code", language: language.trim(), text }, end + 1];
}

function quoted(lines: readonly string[], at: number, depth: number): [Block, number] {
  let end = at;
  while (end < lines.length && /^ {0,3}>/.test(lines[end] ?? "")) end += 1;
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
  return [{ kind: "quote", blocks: read(inner, depth + 1) }, end];
}

function listed(lines: readonly string[], at: number, depth: number): [Block, number] {
  const [, indent = "", mark = "-"] = BULLET.exec(lines[at] ?? "") ?? [];
  const ordered = /\d/.test(mark);
  const items: ListItem[] = [];
  let end = at;
  while (end < lines.length) {
    const found = BULLET.exec(lines[end] ?? "");
    if (!found || (found[1] ?? "").length > indent.length + 1) break;
    if (/\d/.test(found[2] ?? "") !== ordered || (found[1] ?? "").length < indent.length) break;
    const after = endOfItem(lines, end + 1, indent.length);
    items.push(item([found[4] ?? "", ...lines.slice(end + 1, after)], depth));
    end = after;
  }
  return [{ kind: "list", ordered, start: Number.parseInt(mark, 10) || 1, items }, end];
}

/** An item goes on over indented lines, and over lines without a mark that follow at once. */
function endOfItem(lines: readonly string[], from: number, indent: number): number {
  let end = from;
  while (end < lines.length) {
    const line = lines[end] ?? "";
    const deeper = /^\s*/.exec(line)?.[0].length ?? 0;
    if (line.trim() === "") {
      const following = lines[end + 1] ?? "";
      const inside = (/^\s*/.exec(following)?.[0].length ?? 0) > indent + 1;
      if (following.trim() === "" || !inside) {
        return BULLET.test(following) ? end + 1 : end;
      }
    } else if (deeper <= indent + 1 && (begins(line) || BULLET.test(line))) {
      return end;
    }
    end += 1;
  }
  return end;
}

function item(lines: string[], depth: number): ListItem {
  const box = /^\[([ xX])\]\s+(.*)$/.exec(lines[0] ?? "");
  const first = box ? (box[2] ?? "") : (lines[0] ?? "");
  const rest = lines.slice(1);
  const indents = rest.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const margin = Math.min(...indents, 8);
  const inner = [first, ...rest.map((line) => line.slice(Math.min(margin, line.search(/\S|$/))))];
  return { done: box ? box[1] !== " " : undefined, blocks: read(inner, depth + 1) };
}

function tabled(lines: readonly string[], at: number): [Block, number] {
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) end += 1;
  const rows = lines.slice(at + 2, end).map(cells);
  return [{ kind: "table", head: cells(lines[at] ?? ""), rows }, end];
}

function cells(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function paragraph(lines: readonly string[], at: number): [Block, number] {
  let end = at + 1;
  while (end < lines.length) {
    const line = lines[end] ?? "";
    if (line.trim() === "" || begins(line) || BULLET.test(line)) break;
    end += 1;
  }
  const text = lines.slice(at, end).map((line) => line.trim());
  return [{ kind: "paragraph", text: text.join("\n") }, end];
}

/** Whether a line begins something of its own, whatever stands before it. */
function begins(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line) || /^ {0,3}>/.test(line);
}
