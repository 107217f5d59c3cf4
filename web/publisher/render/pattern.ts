/** Number patterns as spreadsheets have them: `0`, `#,##0.00`, `0.0%`, `$#,##0,"k"`, `0.0;(0.0)`. */

import { fixed } from "./format.ts";

export function pattern(text: string): (value: number) => string {
  const [positive = "0", negative, zero] = sections(text).map(section);
  const first = positive as Section;
  return (value) => {
    if (value === 0 && zero) return apply(zero as Section, 0);
    if (value < 0 && negative) return apply(negative as Section, -value);
    const written = apply(first, Math.abs(value));
    return value < 0 && /[1-9]/.test(written) ? `-${written}` : written;
  };
}

interface Section {
  before: string;
  after: string;
  /** Digits that are always there, before and behind the point. */
  whole: number;
  least: number;
  most: number;
  grouped: boolean;
  /** What the value is multiplied with. */
  by: number;
  digits: boolean;
}

/** Parts for positive, negative and zero, at `;` outside of quotes. */
function sections(text: string): string[] {
  return text.match(/(?:"[^"]*"|\\.|[^;])+/g) ?? ["0"];
}

function section(text: string): Section {
  const core = /[#0?][#0?,.]*/.exec(maskQuotes(text));
  const at = core?.index ?? text.length;
  const middle = core?.[0] ?? "";
  const [whole = "", fraction = ""] = middle.split(".", 2);
  const ends = /,*$/.exec(middle.includes(".") ? fraction : whole)?.[0].length ?? 0;
  const after = text.slice(at + middle.length);
  const percent = maskQuotes(text).includes("%");
  const zeros = (part: string) => part.replaceAll(/[^0]/g, "").length;
  return {
    before: literal(text.slice(0, at)),
    after: literal(after),
    whole: zeros(whole),
    least: zeros(fraction),
    most: fraction.replaceAll(",", "").length,
    grouped: /[#0?],[#0?]/.test(whole),
    by: (percent ? 100 : 1) / 1000 ** ends,
    digits: middle !== "",
  };
}

/** The same length, with what is quoted or escaped made harmless. */
function maskQuotes(text: string): string {
  return text.replace(/"[^"]*"|\\./g, (found) => "_".repeat(found.length));
}

function literal(text: string): string {
  return text.replace(/"([^"]*)"|\\(.)|_.|\*./g, (_, quoted?: string, escaped?: string) => {
    return quoted ?? escaped ?? "";
  });
}

function apply(part: Section, value: number): string {
  if (!part.digits) return part.before + part.after;
  let text = fixed(value * part.by, Math.min(part.most, 20));
  if (part.most > part.least) text = cutZeros(text, part.most - part.least);
  if (!part.grouped) text = text.replaceAll(",", "");
  const [whole = ""] = text.split(".");
  if (part.whole === 0 && whole === "0" && text.includes(".")) text = text.slice(1);
  else text = "0".repeat(Math.max(0, part.whole - whole.replaceAll(",", "").length)) + text;
  return part.before + text + part.after;
}

function cutZeros(text: string, most: number): string {
  let cut = 0;
  while (cut < most && text.endsWith("0", text.length - cut)) cut += 1;
  const kept = text.slice(0, text.length - cut);
  return kept.endsWith(".") ? kept.slice(0, -1) : kept;
}
