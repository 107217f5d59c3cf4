import assert from "node:assert/strict";
import { test } from "node:test";
import { blocks, type Block } from "../../kit/text/blocks.ts";
import { inline, plainText, type Inline } from "../../kit/text/inline.ts";
import { pieces } from "../../spox/text/marked.ts";

/** Values as short text: `*bold*`, `‹code›`, `link→address`. */
function told(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if (part.kind === "text") return part.text;
      if (part.kind === "code") return `‹${part.text}›`;
      if (part.kind === "link") return `${told(part.inner)}→${part.href}`;
      return `${part.kind}(${told(part.inner)})`;
    })
    .join("");
}

test("code, bold, italic and links are understood, and what is not is left as it was", () => {
  const cases: [string, string][] = [
    ["plain words", "plain words"],
    ["a `code` b", "a ‹code› b"],
    ["`` a`b `` c", "‹a`b› c"],
    ["**bold** and *soft*", "strong(bold) and em(soft)"],
    ["**`POST /x`** is", "strong(‹POST /x›) is"],
    ["**WHEN** it", "strong(WHEN) it"],
    ["`- **THEN** …`", "‹- **THEN** …›"],
    ["snake_case_name and __init__", "snake_case_name and strong(init)"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["a ** b ** c", "a ** b ** c"],
    ["unclosed `code and **bold", "unclosed `code and **bold"],
    ["~~old~~ new", "struck(old) new"],
    ["[spec](https://example.org/a_b)", "spec→https://example.org/a_b"],
    ["see https://example.org/a.", "see https://example.org/a→https://example.org/a."],
    ["\\*not\\* \\`this\\`", "*not* `this`"],
    ["![chart](https://example.org/x.png)", "chart"],
    ["", ""],
  ];
  for (const [text, expected] of cases) assert.equal(told(inline(text)), expected, text);
});

test("only links to the web and to mail are links", () => {
  for (const href of [
    "javascript:alert(1)",
    "JavaScript:alert`1`",
    "data:text/html,x",
    "file:///etc/passwd",
    "//example.org",
    "../secret.md",
    "vbscript:x",
  ]) {
    const found = inline(`[click](${href})`);
    assert.ok(!found.some(({ kind }) => kind === "link"), href);
  }
  assert.equal(told(inline("[x](mailto:a@example.org)")), "x→mailto:a@example.org");
});

test("markup of other kinds stays text", () => {
  const evil = `<img src=x onerror="x()"> <script>alert(1)</script>`;
  assert.equal(plainText(inline(evil)), evil);
});

test("no text takes long, however many stars it has", () => {
  for (const text of [
    "*".repeat(5_000),
    "**a ".repeat(3_000),
    "[".repeat(5_000),
    "`".repeat(5_001),
  ]) {
    const started = performance.now();
    inline(text);
    assert.ok(performance.now() - started < 2_000, text.slice(0, 10));
  }
});

const kinds = (found: readonly Block[]) => found.map(({ kind }) => kind);

test("blocks are found: headings, lists, code, quotes, tables, rules", () => {
  const text = `# Title

Words on
two lines.

- one
- two
  more of two
  - inner

1. first
2. second

\`\`\`rust
# no heading
- no list
\`\`\`

> said

| a | b |
|---|:-:|
| 1 | 2 |

---
`;
  const found = blocks(text);
  assert.deepEqual(kinds(found), [
    "heading",
    "paragraph",
    "list",
    "list",
    "code",
    "quote",
    "table",
    "rule",
  ]);
  const [, paragraph, list, ordered, code, , table] = found;
  assert.deepEqual(paragraph, { kind: "paragraph", text: "Words on\ntwo lines." });
  assert.ok(list?.kind === "list" && !list.ordered);
  assert.deepEqual(
    list.items.map((item) => kinds(item.blocks)),
    [["paragraph"], ["paragraph", "list"]],
  );
  assert.ok(ordered?.kind === "list" && ordered.ordered && ordered.items.length === 2);
  assert.deepEqual(code, { kind: "code", language: "rust", text: "# no heading\n- no list" });
  assert.deepEqual(table, { kind: "table", head: ["a", "b"], rows: [["1", "2"]] });
});

test("boxes are ticked or not, and comments are left out", () => {
  const [list] = blocks("<!-- - [ ] not this -->\n- [x] done\n- [ ] open\n- plain");
  assert.ok(list?.kind === "list");
  assert.deepEqual(
    list.items.map(({ done }) => done),
    [true, false, undefined],
  );
});

test("a list may follow its paragraph at once, and an open fence goes to the end", () => {
  assert.deepEqual(kinds(blocks("It holds:\n- a\n- b\nand so on")), ["paragraph", "list"]);
  assert.deepEqual(kinds(blocks("~~~\nnever closed\n# x")), ["code"]);
  assert.deepEqual(blocks(""), []);
  assert.deepEqual(kinds(blocks("-".repeat(40) + "\n" + ">".repeat(60))), ["rule", "quote"]);
});

test("every text ends, whatever it is made of", () => {
  const parts = ["- ", "  ", "\n", "> ", "```", "#", "|", "---", "a", "1. ", "[ ] ", "\t"];
  let seed = 7;
  for (let n = 0; n < 3_000; n += 1) {
    let text = "";
    for (let k = 0; k < 12; k += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      text += parts[seed % parts.length] ?? "";
    }
    blocks(text);
  }
});

test("the words of a query are marked where they begin a word", () => {
  const marked = (text: string, query: string) =>
    pieces(text, query)
      .map(({ text: piece, hit }) => (hit ? `[${piece}]` : piece))
      .join("");
  assert.equal(marked("five wrong passwords", "wrong password"), "five [wrong] [passwords]");
  assert.equal(marked("The lock is locked", "locking the door"), "The [lock] is [locked]");
  assert.equal(marked("nothing here", "a the"), "nothing here");
  assert.equal(marked("", "x"), "");
  assert.equal(marked("ÄRGER über alles", "ärger"), "[ÄRGER] über alles");
});
