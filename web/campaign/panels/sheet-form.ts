/** The form of an actor's sheet. */

import { h } from "../../kit/dom.ts";
import { attempt, type Desk } from "../desk.ts";
import { title } from "../state/names.ts";
import { TRAITS, type Actor, type Sheet, type Trait } from "../state/types.ts";
import { ask, field, numberInput } from "./fields.ts";

const NUMBERS: readonly [key: Exclude<keyof Sheet, "traits">, label: string, min: number][] = [
  ["hp_max", "Most HP", 1],
  ["stress_max", "Most Stress", 0],
  ["evasion", "Evasion", 0],
  ["major_threshold", "Major threshold", 0],
  ["severe_threshold", "Severe threshold", 0],
];

export function editSheet(desk: Desk, { id, name, sheet }: Actor): void {
  const traits = TRAITS.map((trait) => numberInput(sheet.traits[trait] ?? 0, -2, 4));
  const numbers = NUMBERS.map(([key, , min]) => numberInput(sheet[key], min));
  const read = (): Sheet => ({
    traits: Object.fromEntries(
      TRAITS.map((trait, n) => [trait, Number(traits[n]?.value)]),
    ) as Record<Trait, number>,
    ...(Object.fromEntries(
      NUMBERS.map(([key], n) => [key, Number(numbers[n]?.value)]),
    ) as unknown as Omit<Sheet, "traits">),
  });
  ask({
    title: `Sheet of ${name}`,
    content: [
      h(
        "div",
        { className: "thirds" },
        ...TRAITS.map((trait, n) => field(title(trait), traits[n] ?? h("input"))),
      ),
      h(
        "div",
        { className: "thirds" },
        ...NUMBERS.map(([, label], n) => field(label, numbers[n] ?? h("input"))),
      ),
    ],
    yes: "Save",
    submit: () => attempt(desk, () => desk.server.setSheet(id, read())),
  });
}
