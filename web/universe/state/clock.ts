/** The shared clock: the same moment on every screen, whatever the screens' own clocks say. */

import type { Clock } from "./types.ts";

export const PAUSED: Clock = { playing: false, rate: 1, time: 0, at: 0 };

/** The simulation's time at the server's wall time `now`, in milliseconds. */
export function timeAt(clock: Clock, now: number): number {
  if (!clock.playing) return clock.time;
  return clock.time + (clock.rate * (now - moment(clock.at))) / 1000;
}

/** How far the server's clock is ahead, from a state that says what time it was there when it was read at `now`. */
export function skewOf(clock: Clock, time: number, now: number): number | undefined {
  if (!clock.playing || clock.rate === 0) return undefined;
  return moment(clock.at) + ((time - clock.time) / clock.rate) * 1000 - now;
}

/** A wall time of the wire, in milliseconds. */
export function moment(at: string | number): number {
  return typeof at === "number" ? at : Date.parse(at);
}
