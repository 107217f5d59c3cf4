/** The rules of the dice, as far as the page shows them. */

import { randomInt } from "node:crypto";
import type { Advantage, Odds, Outcome, Pool, Step } from "../../../campaign/state/types.ts";
import { Refused } from "./refused.ts";

export interface Result {
  hope: number;
  fear: number;
  modifier: number;
  difficulty?: number;
  total: number;
  is_crit: boolean;
  meets_difficulty: boolean;
  outcome: Outcome;
}

export function evaluate(
  hope: number,
  fear: number,
  modifier: number,
  difficulty?: number,
): Result {
  if (difficulty !== undefined && difficulty < 0) {
    throw new Refused("InvalidArgument", "difficulty must be non-negative");
  }
  const total = hope + fear + modifier;
  const is_crit = hope === fear;
  const meets_difficulty = difficulty !== undefined && (is_crit || total >= difficulty);
  const class_ = difficulty === undefined ? "ROLL" : meets_difficulty ? "SUCCESS" : "FAILURE";
  const outcome = is_crit
    ? "CRITICAL_SUCCESS"
    : (`${class_}_WITH_${hope > fear ? "HOPE" : "FEAR"}` as Outcome);
  return {
    hope,
    fear,
    modifier,
    ...(difficulty === undefined ? {} : { difficulty }),
    total,
    is_crit,
    meets_difficulty,
    outcome,
  };
}

export function explain(asked: Record<string, unknown>): object {
  const [hope, fear] = [Number(asked["hope"]), Number(asked["fear"])];
  const modifier = Number(asked["modifier"] ?? 0);
  const result = evaluate(hope, fear, modifier, optional(asked["difficulty"]));
  const { total, is_crit, meets_difficulty, outcome, difficulty } = result;
  const base_total = hope + fear;
  const against = difficulty === undefined ? {} : { difficulty };
  const override = is_crit && difficulty !== undefined ? { critical_override: true } : {};
  const coarse = is_crit ? outcome : (outcome.split("_")[0] ?? "");
  const steps: Step[] = [
    { code: "SUM_DICE", message: "Sum hope and fear dice", data: { hope, fear, base_total } },
    {
      code: "APPLY_MODIFIER",
      message: "Apply modifier to base total",
      data: { base_total, modifier, total },
    },
    { code: "CHECK_CRIT", message: "Check for critical outcome", data: { hope, fear, is_crit } },
    {
      code: "CHECK_DIFFICULTY",
      message: "Compare total against difficulty",
      data: { total, ...against, meets_difficulty, ...override },
    },
    {
      code: "SELECT_OUTCOME",
      message: "Select final outcome based on roll",
      data: { outcome: coarse },
    },
  ];
  return { ...result, rules_version: "1.0.0", steps };
}

const ORDER: Outcome[] = [
  "CRITICAL_SUCCESS",
  "SUCCESS_WITH_HOPE",
  "SUCCESS_WITH_FEAR",
  "FAILURE_WITH_HOPE",
  "FAILURE_WITH_FEAR",
];

export function probability(modifier: number, difficulty: number, advantage: Advantage): Odds {
  const counts = new Map<Outcome, number>(ORDER.map((outcome) => [outcome, 0]));
  const extra = advantage === "NONE" ? [0] : [1, 2, 3, 4, 5, 6];
  const sign = advantage === "DISADVANTAGE" ? -1 : 1;
  const faces = Array.from({ length: 12 }, (_, n) => n + 1);
  for (const hope of faces)
    for (const fear of faces)
      for (const die of extra) {
        const { outcome } = evaluate(hope, fear, modifier + sign * die, difficulty);
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      }
  const of = (...names: Outcome[]) => names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  return {
    total_outcomes: 144 * extra.length,
    crit_count: of("CRITICAL_SUCCESS"),
    success_count: of("SUCCESS_WITH_HOPE", "SUCCESS_WITH_FEAR"),
    failure_count: of("FAILURE_WITH_HOPE", "FAILURE_WITH_FEAR"),
    outcome_counts: ORDER.map((outcome) => ({ outcome, count: of(outcome) })),
  };
}

/** Gives the next die with so many sides; a test may have laid out which. */
export type Draw = (sides: number) => number;

export function drawer(laidOut: number[] = []): Draw {
  return (sides) => laidOut.shift() ?? randomInt(sides) + 1;
}

export interface Rolled extends Result {
  advantage?: Advantage;
  advantage_die?: number;
}

/** Two d12, hope first, then the d6 of an advantage. */
export function roll(
  draw: Draw,
  modifier: number,
  difficulty: number | undefined,
  advantage: Advantage,
): Rolled {
  const [hope, fear] = [draw(12), draw(12)];
  if (advantage === "NONE") return evaluate(hope, fear, modifier, difficulty);
  const die = draw(6);
  const signed = advantage === "ADVANTAGE" ? die : -die;
  const result = evaluate(hope, fear, modifier + signed, difficulty);
  return { ...result, modifier, advantage, advantage_die: die };
}

export function rollDice(draw: Draw, asked: unknown): { rolls: Pool[]; total: number } {
  const specs = (asked ?? []) as { sides: number; count: number }[];
  if (specs.length === 0) throw new Refused("InvalidArgument", "at least one die must be provided");
  if (specs.some(({ sides, count }) => !(sides > 0) || !(count > 0))) {
    throw new Refused("InvalidArgument", "dice must have positive sides and count");
  }
  const rolls = specs.map(({ sides, count }): Pool => {
    const results = Array.from({ length: count }, () => draw(sides));
    return { sides, results, total: results.reduce((sum, one) => sum + one, 0) };
  });
  return { rolls, total: rolls.reduce((sum, { total }) => sum + total, 0) };
}

export function optional(value: unknown): number | undefined {
  return value === undefined || value === null ? undefined : Number(value);
}
