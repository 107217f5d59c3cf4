/** Where the words of a query are in a text, so that they can be marked. */

export interface Piece {
  text: string;
  hit: boolean;
}

/** Words that are in every text and say nothing. */
const COMMON = new Set(
  "a an and are as at be by for from in is it of on or that the to was with".split(" "),
);

/** The text in pieces: a word that begins like one of the query's is a hit, so `logs` is found by `login` no more than by chance. */
export function pieces(text: string, query: string): Piece[] {
  const wanted = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word.length > 1 && !COMMON.has(word))
    .map(stem);
  const found: Piece[] = [];
  for (const text_ of text.split(/([\p{L}\p{N}_]+)/u)) {
    if (text_ === "") continue;
    const word = text_.toLowerCase();
    const hit = wanted.some((start) => word.startsWith(start));
    const last = found.at(-1);
    if (last && last.hit === hit) last.text += text_;
    else found.push({ text: text_, hit });
  }
  return found;
}

/** Roughly the part of an English word that stays the same. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(ing|ed|es|s)$/, "") : word;
}
