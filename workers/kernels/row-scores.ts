/** Attention of an unmodified pass, as a network shows it: of each pair of positions the greatest weight of any head. */
export interface SeenAttention {
  /** All layers but the last, `[layers − 1, tokens, tokens]`. */
  readonly earlier: Float32Array;
  /** Last layer, of the positions that predict, `[rows, tokens]`. */
  readonly last: Float32Array;
}

/** Positions whose attention is scaled. */
export interface Scaled {
  /** First of them. */
  readonly start: number;
  /** How much each position is scaled, 0: not at all, `[tokens]`. */
  readonly change: ArrayLike<number>;
}

/**
 * How much each position in front of those that predict passes on of each change: the attention that it pays to the changed
 * positions, in each layer as much as up to there, times how much of what the last rows read comes from it in the layers behind.
 *
 * @param tokens  positions of the sequence
 * @returns       float32 `[tokens − rows]` for each change, 0 in front of it; the unit is arbitrary
 * @source        the flow of attention, Abnar and Zuidema 2020 (arXiv:2005.00928), in first order; docs/how-it-works.md
 */
export function rowScores(attention: SeenAttention, tokens: number, changes: readonly Scaled[]): Float32Array[] {
  const layers = attention.earlier.length / tokens ** 2;
  const reading = importances(attention, tokens);
  const count = tokens - attention.last.length / tokens;
  return changes.map(({ start, change }) => {
    const scores = new Float32Array(count);
    const columns = Array.from(change, (_, column) => column).filter((column) => change[column] !== 0);
    for (let row = Math.max(0, start); row < count; row++) {
      let paid = 0;
      for (let layer = 0; layer < layers; layer++) {
        const at = (layer * tokens + row) * tokens;
        for (const column of columns)
          if (column <= row) paid += (change[column] ?? 0) * (attention.earlier[at + column] ?? 0);
        scores[row] = (scores[row] ?? 0) + paid * (reading[layer + 1]?.[row] ?? 0);
      }
    }
    return scores;
  });
}

/** What of the rows that predict comes from each position in front of each layer, half by attention and half straight on. */
function importances({ earlier, last }: SeenAttention, tokens: number): Float64Array[] {
  const layers = earlier.length / tokens ** 2;
  const rows = last.length / tokens;
  const found: Float64Array[] = [];
  let above = new Float64Array(tokens).fill(1, tokens - rows);
  found[layers + 1] = above;
  for (let layer = layers; layer >= 0; layer--) {
    const [weights, first] = layer === layers ? [last, tokens - rows] : [earlier, 0];
    const offset = layer === layers ? 0 : layer * tokens;
    const below = above.map((value) => value / 2);
    for (let row = first; row < tokens; row++) {
      const value = above[row] ?? 0;
      if (value === 0) continue;
      const at = (offset + row - first) * tokens;
      let sum = 0;
      for (let column = 0; column <= row; column++) sum += weights[at + column] ?? 0;
      const share = sum > 0 ? value / (2 * sum) : 0;
      for (let column = 0; column <= row; column++)
        below[column] = (below[column] ?? 0) + share * (weights[at + column] ?? 0);
    }
    found[layer] = below;
    above = below;
  }
  return found;
}

/**
 * Scores where attention is not shown: the positions right behind a change carry most of it on, and the last ones gather what
 * the rows that predict read. Measured, docs/benchmarks.md.
 */
export function nearbyRowScores(count: number, starts: readonly number[]): Float32Array[] {
  return starts.map((start) =>
    Float32Array.from({ length: count }, (_, row) => (row < start ? 0 : 1 / (1 + row - start) + 1 / (count - row) / 2)),
  );
}
