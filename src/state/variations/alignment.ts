/** Indices of two entries that match, one of each list. */
export type Match = readonly [a: number, b: number];

/**
 * Matches entries of two lists that are equal, in the order of both: as many as possible, so that a word that was put in,
 * taken out or moved leaves the others matched. Of several ways the one that matches earlier entries of `a` is taken.
 *
 * @param a  at most a few thousand entries: time and memory grow with the product of both lengths
 * @returns  in order; empty when nothing matches
 * @source   longest common subsequence, Wagner and Fischer 1974
 */
export function alignedMatches(a: readonly string[], b: readonly string[]): Match[] {
  const width = b.length + 1;
  const most = mostBehind(a, b);
  const matches: Match[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const here = most[i * width + j] ?? 0;
    if (a[i] === b[j]) matches.push([i++, j++]);
    else if ((most[i * width + j + 1] ?? 0) === here) j++;
    else i++;
  }
  return matches;
}

/** Most matches from each pair of places on, row-major, `[a + 1, b + 1]`. */
function mostBehind(a: readonly string[], b: readonly string[]): Uint16Array {
  const width = b.length + 1;
  const most = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [down, right] = [most[(i + 1) * width + j] ?? 0, most[i * width + j + 1] ?? 0];
      const across = most[(i + 1) * width + j + 1] ?? 0;
      most[i * width + j] = a[i] === b[j] ? across + 1 : Math.max(down, right);
    }
  }
  return most;
}
