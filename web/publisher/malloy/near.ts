/** Names that may have been meant. */

/** The nearest of `names` to `word`, at most three, none that is far. */
export function nearest(word: string, names: readonly string[]): string[] {
  const wanted = word.toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
  return [...new Set(names)]
    .map((name) => ({ name, far: distance(wanted, name.toLowerCase(), most + 1) }))
    .filter(
      ({ name, far }) => far <= most || (wanted.length > 2 && name.toLowerCase().includes(wanted)),
    )
    .sort((a, b) => a.far - b.far || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** How many letters differ, a swap counting once; anything from `most` on is `most`. */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) >= most) return most;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      next.push(cost);
    }
    [before, row] = [row, next];
  }
  return Math.min(most, row[b.length] ?? most);
}
