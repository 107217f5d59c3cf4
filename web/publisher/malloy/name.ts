/** Names and values as Malloy writes them. */

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Words that mean something where a name may stand. */
const RESERVED = new Set(
  "all and as asc avg boolean by case cast count date day days desc distinct else end exclude extend false for from full having hour hours import in index inner is join json left like limit max min minute minutes month months not now null number on or order pick quarter quarters right sample second seconds select source string sum table then this timestamp timestamptz to top true week weeks when with year years at".split(
    " ",
  ),
);

/** A name, quoted where it must be. */
export function ident(name: string): string {
  if (PLAIN.test(name) && !RESERVED.has(name.toLowerCase())) return name;
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}

/** A path of names. */
export function path(names: readonly string[]): string {
  return names.map(ident).join(".");
}

export function text(value: string): string {
  return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** The name that a quoted or plain word stands for. */
export function unquoted(word: string): string {
  if (!word.startsWith("`")) return word;
  return word.slice(1, word.endsWith("`") ? -1 : undefined).replace(/\\(.)/g, "$1");
}
