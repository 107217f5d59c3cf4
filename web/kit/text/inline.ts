/**
 * Markdown inside a line, as plain values: code, bold, italic, struck, links. What is not understood stays as it was written.
 *
 * Nothing here ever becomes HTML: `draw.ts` makes elements and text nodes of these values.
 */

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "em" | "struck"; inner: Inline[] }
  | { kind: "link"; href: string; inner: Inline[] };

/** Deeper than anybody writes; what is nested further is text. */
const DEEPEST = 8;

/** In the order in which they are tried: code holds everything, and two stars are not one star twice. */
const PATTERNS: readonly [RegExp, (found: RegExpExecArray, depth: number) => Inline | undefined][] =
  [
    [/^\\([!-/:-@[-`{-~])/, (found) => ({ kind: "text", text: found[1] ?? "" })],
    [
      /^(`+)(?!`)([^]*?[^`])\1(?!`)/,
      (found) => ({ kind: "code", text: (found[2] ?? "").replace(/^ (.*[^ ].*) $/, "$1") }),
    ],
    [/^!?\[((?:[^[\]\\]|\\.)*)\]\(\s*([^()\s]*)(?:\s+"[^"]*")?\s*\)/, link],
    [/^<(https?:\/\/[^\s<>]+)>/, (found) => autolink(found[1] ?? "")],
    [/^\*\*(?=\S)((?:\\.|`[^`]*`|[^`\\])+?)(?<!\s)\*\*/, nested("strong")],
    [/^__(?=\S)((?:\\.|`[^`]*`|[^`\\])+?)(?<!\s)__(?!\w)/, nested("strong")],
    [/^~~(?=\S)((?:\\.|`[^`]*`|[^`\\])+?)(?<!\s)~~/, nested("struck")],
    [/^\*(?=[^\s*])((?:\\.|`[^`]*`|\*\*[^*]+\*\*|[^`\\*])+?)(?<!\s)\*(?!\*)/, nested("em")],
    [/^_(?=[^\s_])((?:\\.|`[^`]*`|[^`\\_])+?)(?<!\s)_(?!\w)/, nested("em")],
    [/^https?:\/\/[^\s<>()`*]*[^\s<>()`*.,;:!?'"]/, (found) => autolink(found[0])],
  ];

/** The characters that can begin something; all others are skipped over at once. */
const STARTS = /[\\`![<*_~h]/g;

export function inline(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    STARTS.lastIndex = at;
    const next = STARTS.exec(text)?.index ?? text.length;
    plain += text.slice(at, next);
    at = next;
    if (at === text.length) break;
    const [part, length] = special(text, at, depth);
    if (!part) {
      plain += text[at] ?? "";
      at += 1;
      continue;
    }
    if (part.kind === "text") plain += part.text;
    else {
      if (plain !== "") found.push({ kind: "text", text: plain });
      plain = "";
      found.push(part);
    }
    at += length;
  }
  if (plain !== "") found.push({ kind: "text", text: plain });
  return found;
}

/** The text alone, for names and labels. */
export function plainText(parts: readonly Inline[]): string {
  return parts.map((part) => ("inner" in part ? plainText(part.inner) : part.text)).join("");
}

function special(text: string, at: number, depth: number): [Inline | undefined, number] {
  if (depth >= DEEPEST) return [undefined, 0];
  const before = text[at - 1] ?? "";
  const rest = text.slice(at, at + LONGEST);
  for (const [pattern, make] of PATTERNS) {
    // An underscore or an address in the middle of a word is part of it: `snake_case`.
    if (/\w/.test(before) && /^[_h]/.test(rest)) return [undefined, 0];
    const found = pattern.exec(rest);
    const part = found ? make(found, depth) : undefined;
    if (found && part) return [part, found[0].length];
  }
  return [undefined, 0];
}

/** Nobody writes a bold text of this length, and a line without end must not hold up the page. */
const LONGEST = 2_000;

function nested(kind: "strong" | "em" | "struck") {
  return (found: RegExpExecArray, depth: number): Inline => ({
    kind,
    inner: inline(found[1] ?? "", depth + 1),
  });
}

function link(found: RegExpExecArray, depth: number): Inline | undefined {
  const [whole, text = "", href = ""] = found;
  const inner = inline(text, depth + 1);
  // A picture from elsewhere is not fetched; its words stand for it.
  if (whole.startsWith("!") || !isSafe(href)) {
    return { kind: "text", text: plainText(inner) };
  }
  return { kind: "link", href, inner };
}

function autolink(href: string): Inline {
  return { kind: "link", href, inner: [{ kind: "text", text: href }] };
}

/** Only the web and mail: anything else could run something, or lead to a file that this server does not show. */
function isSafe(href: string): boolean {
  return /^(https?:\/\/|mailto:)[^\s]+$/i.test(href);
}
