/** Throwing dice: they come in from the side, tumble, bounce and rest on what was rolled. */

import type { Die } from "./die.ts";

/** Long enough to hold one's breath, short enough for the next roll. */
const LASTS_MS = 1_150;
/** Each die takes a little longer than the one before. */
const LATER_MS = 130;

export function wantsStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}

interface Flight {
  die: Die;
  axis: [number, number, number];
  turns: number;
  from: [number, number];
  lasts: number;
}

/** Throws `dice` so that each lands on its value. Resolves when all rest; `signal` puts them down at once. */
export function throwDice(
  dice: readonly { die: Die; value: number }[],
  signal: AbortSignal,
): Promise<void> {
  dice.forEach(({ die, value }) => die.aim(value));
  const flights = dice.map(({ die }, index) => flight(die, index));
  return new Promise((resolve) => {
    const started = performance.now();
    const rest = () => {
      for (const { die } of flights) place(die, 0, 0, 1);
      dice.forEach(({ die, value }) => die.land(value));
      resolve();
    };
    const step = (now: number) => {
      const over = flights.map((one) => fly(one, Math.max(0, now - started)));
      if (signal.aborted || over.every(Boolean)) return rest();
      requestAnimationFrame(step);
    };
    // A page in the background is given no frames; the dice then lie there when it is looked at.
    signal.addEventListener("abort", rest, { once: true });
    step(started);
  });
}

/** Chance decides only how it looks: the server has rolled already. */
function flight(die: Die, index: number): Flight {
  const side = index % 2 === 0 ? -1 : 1;
  return {
    die,
    axis: [0.4 + Math.random() * 0.6, side * (0.3 + Math.random() * 0.7), Math.random() * 0.5],
    turns: (2.2 + Math.random()) * 2 * Math.PI,
    from: [side * (190 + Math.random() * 60), -90 - Math.random() * 50],
    lasts: LASTS_MS + index * LATER_MS,
  };
}

/** Draws one moment; gives whether the flight is over. */
function fly({ die, axis, turns, from, lasts }: Flight, passed: number): boolean {
  const t = Math.min(1, passed / lasts);
  const left = 1 - easeOut(t);
  die.spin(axis, turns * left);
  const height = bounce(t);
  place(die, from[0] * left, from[1] * left - 46 * height, 1 + 0.1 * height);
  return t === 1;
}

function place(die: Die, x: number, y: number, scale: number): void {
  const moved = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale.toFixed(3)})`;
  die.element.style.transform = scale === 1 ? "" : moved;
}

function easeOut(t: number): number {
  return 1 - (1 - t) ** 3;
}

/** How high above the felt, from 1 to 0: each bounce is shorter and lower than the last. */
function bounce(t: number): number {
  const arcs: [until: number, height: number][] = [
    [0.34, 1],
    [0.6, 0.42],
    [0.78, 0.16],
    [0.9, 0.05],
  ];
  let start = 0;
  for (const [until, height] of arcs) {
    if (t < until) {
      const part = (t - start) / (until - start);
      return height * 4 * part * (1 - part) + (start === 0 ? (1 - part) * 0.6 : 0);
    }
    start = until;
  }
  return 0;
}
