import type { Span } from '../../src/contract/code-points.ts';
import { touching } from './ranking/relevance.ts';

/**
 * Attention that the last `rows` positions pay to each position: the mean over heads and those positions.
 *
 * @param weights     after the softmax, `[1, heads, queries, keys]`
 * @param dimensions  of `weights`
 * @returns           `[keys]`
 * @throws {RangeError} for other ranks, several sequences, or fewer queries than rows
 */
export function attendedBy(weights: Float32Array, dimensions: readonly number[], rows: number): Float64Array {
  const [batch = 0, heads = 0, queries = 0, keys = 0] = dimensions;
  if (dimensions.length !== 4 || batch !== 1 || queries < rows)
    throw new RangeError(`expected attention [1, heads, at least ${rows}, keys], got [${dimensions.join(', ')}]`);
  const mean = new Float64Array(keys);
  for (let head = 0; head < heads; head++)
    for (let query = queries - rows; query < queries; query++) {
      const first = (head * queries + query) * keys;
      for (let key = 0; key < keys; key++) mean[key] = (mean[key] ?? 0) + (weights[first + key] ?? 0) / (heads * rows);
    }
  return mean;
}

/** Sum of the values of each word's tokens; a token that reaches over two words counts to both. Spans in one unit. */
export function sumOverTokens(values: ArrayLike<number>, tokens: readonly Span[], words: readonly Span[]): number[] {
  return words.map((word) =>
    touching(tokens, word).reduce((sum, touches, token) => sum + touches * (values[token] ?? 0), 0),
  );
}
