/** Moments as people say them. */

/** Today by the hour, older by the day too. */
export function timeOf(ts: string): string {
  const then = new Date(ts);
  const hour = then.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });
  const today = then.toDateString() === new Date().toDateString();
  return today ? hour : `${dayOf(ts)}, ${hour}`;
}

export function dayOf(ts: string): string {
  return new Date(ts).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}
