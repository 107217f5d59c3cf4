/** Code with its words coloured, and a way to copy it. */

import { copyButton } from "../../kit/copy.ts";
import { h } from "../../kit/dom.ts";
import { tokens } from "../malloy/tokens.ts";

export type Language = "malloy" | "sql" | "plain";

/** The text in coloured pieces. */
export function coloured(text: string, language: Language): (Node | string)[] {
  if (language === "plain") return [text];
  return tokens(text, language).map(({ kind, text: word }) =>
    kind === "space" || kind === "name" || kind === "sign"
      ? word
      : h("span", { className: `t-${kind}` }, word),
  );
}

export function codeBlock(title: string, text: string, language: Language): HTMLElement {
  return h(
    "div",
    { className: "code" },
    h(
      "div",
      { className: "code-head" },
      h("span", {}, title),
      copyButton(() => text, title),
    ),
    h("pre", { tabIndex: 0 }, h("code", {}, ...coloured(text, language))),
  );
}

/** A file with its lines numbered; each number is an address, and what is wrong stands below its line. */
export function sourceText(
  text: string,
  hrefOf: (line: number) => string,
  notes: ReadonlyMap<number, HTMLElement[]> = new Map(),
): HTMLElement {
  const lines: (Node | string)[][] = [[]];
  for (const { kind, text: word } of tokens(text.replace(/\n$/, ""))) {
    word.split("\n").forEach((part, n) => {
      if (n > 0) lines.push([]);
      if (part === "") return;
      const plain = kind === "space" || kind === "name" || kind === "sign";
      lines.at(-1)?.push(plain ? part : h("span", { className: `t-${kind}` }, part));
    });
  }
  const rows = lines.flatMap((line, n) => {
    const number = h(
      "a",
      { className: "line-number", href: hrefOf(n + 1), "aria-label": `Line ${n + 1}` },
      n + 1,
    );
    const row = h(
      "div",
      { className: "source-line", "data-line": n + 1 },
      number,
      h("span", { className: "line-text" }, ...line),
    );
    return [row, ...(notes.get(n + 1) ?? [])];
  });
  return h("div", { className: "code source-text" }, ...rows);
}
