/** Nearness of a vector to each of many. */
export type Nearness = (vector: ArrayLike<number>) => Float32Array;

/**
 * Inner products with each of `vectors`, which is their cosine where all have length 1. Places that are 0 in the asked
 * vector cost nothing.
 *
 * @param vectors  all of the length of the vectors that will be asked about
 */
export function nearnessTo(vectors: readonly ArrayLike<number>[]): Nearness {
  const [count, size] = [vectors.length, vectors[0]?.length ?? 0];
  const columns = new Float32Array(size * count);
  vectors.forEach((vector, index) => {
    for (let place = 0; place < size; place++) columns[place * count + index] = vector[place] ?? NaN;
  });
  return (vector) => {
    const sums = new Float32Array(count);
    for (let place = 0; place < size; place++) {
      const factor = vector[place] ?? NaN;
      if (factor === 0) continue;
      for (let index = 0; index < count; index++)
        sums[index] = (sums[index] ?? 0) + factor * (columns[place * count + index] ?? 0);
    }
    return sums;
  };
}

/** Place of the right one, from 1, when the highest score comes first; ties count against it. */
export function rankOf(scores: ArrayLike<number>, right: number): number {
  const own = scores[right];
  if (own === undefined) throw new RangeError(`expected a place within ${scores.length} scores, got ${right}`);
  let rank = 0;
  for (let index = 0; index < scores.length; index++) if ((scores[index] ?? NaN) >= own) rank++;
  return rank;
}

/** Share of ranks that are among the first `among`. */
export function recallAt(among: number, ranks: readonly number[]): number {
  return ranks.filter((rank) => rank <= among).length / ranks.length;
}
