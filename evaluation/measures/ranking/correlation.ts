/**
 * Pearson's correlation of pairs, −1 … 1.
 *
 * @returns null for fewer than two pairs, and where one side is the same number throughout
 */
export function correlationOf(pairs: readonly (readonly [x: number, y: number])[]): number | null {
  const [meanX, meanY] = [meanAt(pairs, 0), meanAt(pairs, 1)];
  let [both, ofX, ofY] = [0, 0, 0];
  for (const [x, y] of pairs) {
    both += (x - meanX) * (y - meanY);
    ofX += (x - meanX) ** 2;
    ofY += (y - meanY) ** 2;
  }
  const scale = Math.sqrt(ofX * ofY);
  return scale === 0 ? null : both / scale;
}

function meanAt(pairs: readonly (readonly [number, number])[], side: 0 | 1): number {
  return pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length;
}
