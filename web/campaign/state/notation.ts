/** Dice as people write them: `2d20+1d6`, `d12`, `3d6+2`. */

export interface Wanted {
  dice: { sides: number; count: number }[];
  modifier: number;
}

const PART = /^(?:(\d*)\s*[dw]\s*(\d+)|(\d+))$/i;

/** Reads the notation; a string says what cannot be read. How many and how large they may be is the server's business. */
export function readNotation(text: string): Wanted | string {
  const wanted: Wanted = { dice: [], modifier: 0 };
  const parts = text
    .trim()
    .replace(/[−–]/g, "-")
    .split(/([+-])/);
  let sign = 1;
  for (const raw of parts) {
    const part = raw.trim();
    if (part === "+" || part === "-") {
      sign = part === "-" ? -1 : 1;
      continue;
    }
    if (part === "" && parts.length > 1 && wanted.dice.length === 0) continue;
    const read = PART.exec(part);
    if (!read)
      return part === "" ? "Write dice such as 2d20+1d6" : `“${part}” is no dice; write 2d6`;
    const [, count, sides, bonus] = read;
    if (bonus !== undefined) wanted.modifier += sign * Number(bonus);
    else if (sign < 0) return `“−${part}”: dice can only be added`;
    else wanted.dice.push({ sides: Number(sides), count: count === "" ? 1 : Number(count) });
  }
  return wanted.dice.length > 0 ? wanted : "Write at least one die, such as d20";
}
