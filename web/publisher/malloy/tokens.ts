/** Words of Malloy and SQL, for colouring and for reading small queries back. Every sign of the text is in some token. */

export type TokenKind =
  | "space"
  | "comment"
  | "tag"
  | "text"
  | "number"
  | "time"
  | "keyword"
  | "property"
  | "name"
  | "given"
  | "sign";

export interface Token {
  kind: TokenKind;
  text: string;
  at: number;
}

const MALLOY =
  "and as asc avg by calculate compose count cross day days desc distinct else exclude exists extend false for from full having hour hours import in include index inner is join_cross join_many join_one left like limit max min minute minutes month months not now null nest on or order_by pick private public internal quarter quarters query right run sample second seconds select source sum super table then this timezone to top true type union_schema view week weeks when where with year years given accept except rename dimension measure primary_key group_by aggregate declare sql all connection export";
const SQL =
  "all and any array as asc between bigint boolean by case cast count cross date desc distinct double else end except exists extract false filter first from full group having if ignore in inner intersect into interval is join last lateral left like limit list max min not null nulls offset on or order outer over partition range right row rows select set struct sum table then timestamp timestamptz to true try_cast union unnest using values varchar when where window with within";

const KEYWORDS = { malloy: new Set(MALLOY.split(" ")), sql: new Set(SQL.split(" ")) };

/** In the order in which they are tried. */
const PATTERNS: readonly [TokenKind, RegExp, language?: "malloy" | "sql"][] = [
  ["space", /\s+/y],
  ["comment", /--[^\n]*|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/y],
  ["tag", /#[^\n]*/y, "malloy"],
  ["text", /[fFrR]?'''[^]*?(?:'''|$)|"""[^]*?(?:"""|$)|[fFrR]?'(?:\\.|''|[^'\\])*(?:'|$)/y],
  ["text", /[fFrR]?"(?:\\.|[^"\\\n])*(?:"|$)/y, "malloy"],
  ["name", /"(?:""|[^"])*(?:"|$)/y, "sql"],
  [
    "time",
    /@\d{4}(?:-(?:Q[1-4]|\d\d(?:-\d\d)?))?(?:-WK)?(?:[ T]\d\d(?::\d\d(?::\d\d(?:[.,]\d+)?)?)?)?(?:\[[^\]]*\])?/y,
    "malloy",
  ],
  ["given", /\$[A-Za-z_]\w*/y, "malloy"],
  ["number", /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ["name", /`(?:[^`\\]|\\.)*(?:`|$)/y],
  ["keyword", /[\p{L}_][\p{L}\p{N}_]*/uy],
  ["sign", /->|<=|>=|!=|!~|::|\?\?|[^]/y],
];

export function tokens(text: string, language: "malloy" | "sql" = "malloy"): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const token = next(text, at, language);
    found.push(token);
    at += token.text.length;
  }
  return found;
}

function next(text: string, at: number, language: "malloy" | "sql"): Token {
  for (const [kind, pattern, only] of PATTERNS) {
    if (only && only !== language) continue;
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (!found) continue;
    return {
      kind: kind === "keyword" ? wordKind(text, at, found, language) : kind,
      text: found,
      at,
    };
  }
  return { kind: "sign", text: text[at] ?? "", at };
}

/** `group_by:` is a property, `genre` a name, `is` a word of the language. */
function wordKind(text: string, at: number, word: string, language: "malloy" | "sql"): TokenKind {
  const after = text.slice(at + word.length);
  if (language === "malloy" && /^\s*:(?!:)/.test(after)) return "property";
  // `loans.count()` is a word, `x.month` a name like any other.
  const lower = word.toLowerCase();
  return KEYWORDS[language].has(lower) && text[at - 1] !== "." ? "keyword" : "name";
}
