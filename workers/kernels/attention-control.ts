import type { Span } from '../../src/contract/code-points.ts';
import type { TokenOverlap } from '../../src/contract/prompt.ts';

/** A factor on one position of the sequence; 1 changes nothing. */
export interface PositionFactor {
  readonly position: number;
  readonly factor: number;
}

/**
 * The factors that a control on a stretch of text puts on the tokens it touches.
 *
 * `partial` moves the factor towards 1 by the share of the token left uncovered: `1 + (factor − 1) × share`, so 2.0 over
 * 2 of 4 characters becomes 1.5. `complete` applies the full factor at any overlap. A token's characters are those of
 * its reported span, without the leading space, so a control on a whole word covers its tokens wholly.
 *
 * @param control  UTF-16 span and factor ≥ 0
 * @param tokens   span of each token, same units, `[tokens]`
 * @param first    position of the first token in the sequence
 * @returns        positions with an overlap only, in order
 * @source         interface.md, `control_token_overlap`; which characters count is decided here
 */
export function factorsOnText(
  control: Span & { readonly factor: number; readonly overlap: TokenOverlap },
  tokens: readonly Span[],
  first: number,
): PositionFactor[] {
  return tokens.flatMap((token, i) => {
    const covered = overlapOf(control, token);
    if (covered <= 0) return [];
    const share = control.overlap === 'complete' ? 1 : covered / token.length;
    // A token covered wholly takes the very factor, free of rounding.
    const factor = share === 1 ? control.factor : 1 + (control.factor - 1) * share;
    return [{ position: first + i, factor }];
  });
}

function overlapOf(a: Span, b: Span): number {
  return Math.min(a.start + a.length, b.start + b.length) - Math.max(a.start, b.start);
}

/** Several controls on one position multiply. */
export function combined(factors: readonly PositionFactor[]): Map<number, number> {
  const product = new Map<number, number>();
  for (const { position, factor } of factors) product.set(position, (product.get(position) ?? 1) * factor);
  return product;
}

/**
 * Spreads controls to similar tokens: a position j that no control names takes `(1 − f)(1 − cos) + f` of a controlled
 * position whose cosine similarity with it is at least `threshold`; negative similarities have no effect. Of several,
 * the factor furthest from 1 counts; a named position keeps its own.
 *
 * @param explicit    factor of each named position
 * @param similarity  cosine similarity of two positions' input embeddings, −1 … 1
 * @param positions   number of positions
 * @returns           `explicit` and what it spreads to
 * @source            AtMan, arXiv:2301.08110, Eq. 5-6; contract facts §2.2. Which of several factors counts is decided
 *                    here: the reference takes a minimum over a table of zeros, which suppresses everything
 */
export function spread(
  explicit: ReadonlyMap<number, number>,
  { threshold, positions, similarity }: SpreadOptions,
): Map<number, number> {
  const all = new Map(explicit);
  for (const [i, factor] of explicit) {
    if (factor === 1) continue;
    for (let j = 0; j < positions; j++) {
      if (explicit.has(j)) continue;
      const cosine = similarity(i, j);
      if (cosine < threshold || cosine < 0) continue;
      const adapted = (1 - factor) * (1 - cosine) + factor;
      if (Math.abs(adapted - 1) > Math.abs((all.get(j) ?? 1) - 1)) all.set(j, adapted);
    }
  }
  return all;
}

/** See `spread`. */
export interface SpreadOptions {
  readonly threshold: number;
  readonly positions: number;
  readonly similarity: (i: number, j: number) => number;
}

/**
 * Factors of all positions, 1 where nothing is set.
 *
 * @returns float64 `[positions]`; positions beyond the end are ignored (the last target token is never fed)
 */
export function denseFactors(factors: ReadonlyMap<number, number>, positions: number): Float64Array {
  const dense = new Float64Array(positions).fill(1);
  for (const [position, factor] of factors) if (position < positions) dense[position] = factor;
  return dense;
}

/** Guards the division by a zero norm. @source contract facts §2.2 */
const EPSILON = 1e-8;

/**
 * Cosine similarity between rows of a matrix.
 *
 * @param rows   float32, row-major `[rows, width]`
 * @returns      a function of two row indices, −1 … 1; exactly 1 for rows of the same numbers, so that a threshold of 1
 *               finds repeated tokens; a row of zeros is similar to nothing (0)
 * @throws       {RangeError} when `rows` is no whole number of rows
 */
export function cosineOf(rows: Float32Array, width: number): (i: number, j: number) => number {
  if (rows.length % width !== 0) throw new RangeError(`expected rows of width ${width}, got ${rows.length} numbers`);
  const squares = Float64Array.from({ length: rows.length / width }, (_, i) => dot(rows, i, i, width));
  return (i, j) => {
    // One root of the product: √(x · x) is x to the last bit, √x · √x is not.
    const product = Math.max(Math.sqrt((squares[i] ?? 0) * (squares[j] ?? 0)), EPSILON);
    return Math.min(1, Math.max(-1, dot(rows, i, j, width) / product));
  };
}

function dot(rows: Float32Array, i: number, j: number, width: number): number {
  let sum = 0;
  for (let k = 0; k < width; k++) sum += (rows[i * width + k] ?? 0) * (rows[j * width + k] ?? 0);
  return sum;
}
