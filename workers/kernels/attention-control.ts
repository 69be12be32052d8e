import type { Span } from '../../src/contract/code-points.ts';
import type { TokenOverlap } from '../../src/contract/prompt.ts';
import type { JobControl, Rectangle } from '../../src/protocol/model-job.ts';
import type { SeenPicture } from './image-tiles.ts';

/** A factor on one position of the sequence; 1 changes nothing. */
interface PositionFactor {
  readonly position: number;
  readonly factor: number;
}

/**
 * The factors of a control on a part of a text, for the tokens that it overlaps.
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
    const covered =
      Math.min(control.start + control.length, token.start + token.length) - Math.max(control.start, token.start);
    if (covered <= 0) return [];
    return [{ position: first + i, factor: factorOn(control, covered / token.length) }];
  });
}

/** The factor on a token or tile of which a share is covered; one that is covered wholly gets the exact factor, without rounding. */
function factorOn({ factor, overlap }: { factor: number; overlap: TokenOverlap }, share: number): number {
  return overlap === 'complete' || share === 1 ? factor : 1 + (factor - 1) * share;
}

/** The product of all factors on each position. */
export function combined(factors: readonly PositionFactor[]): Map<number, number> {
  const product = new Map<number, number>();
  for (const { position, factor } of factors) product.set(position, (product.get(position) ?? 1) * factor);
  return product;
}

/**
 * Spreads controls to similar tokens: a position j that no control names takes `(1 − f)(1 − cos) + f` of a controlled
 * position whose cosine similarity with it is at least `threshold`; negative similarities have no effect. Of several,
 * the factor furthest from 1 counts; a named position has its own factor.
 *
 * @param explicit    factor of each named position
 * @param similarity  cosine similarity of two positions' input embeddings, −1 … 1
 * @param positions   number of positions
 * @returns           `explicit` and the factors spread to other positions
 * @source            AtMan, arXiv:2301.08110, Eq. 5-6; contract facts §2.2. Which of several factors counts is decided
 *                    here: the reference takes a minimum over a table of zeros, which suppresses everything
 */
export function spread(
  explicit: ReadonlyMap<number, number>,
  {
    threshold,
    positions,
    similarity,
  }: {
    threshold: number;
    positions: number;
    similarity: (i: number, j: number) => number;
  },
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

/** @returns float64 `[positions]`, 1 where none is set; those beyond the end (the last target token) are left out */
export function denseFactors(factors: ReadonlyMap<number, number>, positions: number): Float64Array {
  const dense = new Float64Array(positions).fill(1);
  for (const [position, factor] of factors) if (position < positions) dense[position] = factor;
  return dense;
}

/** Avoids division by a zero norm. @source contract facts §2.2 */
const EPSILON = 1e-8;

/**
 * Cosine similarity between rows of a matrix.
 *
 * @param rows   float32, row-major `[rows, width]`
 * @returns      a function of two row indices, −1 … 1; exactly 1 for equal rows, so that a threshold of 1 finds repeated
 *               tokens; 0 for a row of zeros
 * @throws       {RangeError} when `rows` is not a whole number of rows
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

/** Smaller overlaps, in tiles, are rounding errors: rectangles of thirds and twelfths do not end exactly where tiles do. */
const ROUNDING = 1e-6;

/**
 * The factors of a control on a rectangle, for the tiles that it overlaps. The rectangle is relative to the whole picture, the
 * tiles cover the square that the model sees; the rectangle has no effect outside the square.
 *
 * `partial` moves the factor towards 1 by the share of the tile's area left uncovered, `1 + (factor − 1) × share`;
 * `complete` applies the full factor at any overlap.
 *
 * @param first  position of the picture's first token in the sequence
 * @returns      positions with an overlap only, in order
 * @source       interface.md, `control_token_overlap`; contract facts §1.2
 */
export function factorsOnPicture(
  control: Rectangle & { readonly factor: number; readonly overlap: TokenOverlap },
  picture: SeenPicture,
  first: number,
): PositionFactor[] {
  const { grid, width, height, square } = picture;
  const columns = covered(control.left * width - square.x, control.width * width, square.size / grid.side, grid.side);
  const rows = covered(control.top * height - square.y, control.height * height, square.size / grid.side, grid.side);
  return rows.flatMap((ofRow, row) =>
    columns.flatMap((ofColumn, column) => {
      if (ofRow === 0 || ofColumn === 0) return [];
      const factor = factorOn(control, ofRow * ofColumn);
      const begin = first + (row * grid.side + column) * grid.tokensPerTile;
      return Array.from({ length: grid.tokensPerTile }, (_, i) => ({ position: begin + i, factor }));
    }),
  );
}

/** Share of each of `count` tiles, 0 … 1, that an interval covers along one axis; pixels from the square's edge. */
function covered(start: number, length: number, tile: number, count: number): number[] {
  const from = start / tile;
  const to = (start + length) / tile;
  return Array.from({ length: count }, (_, i) => {
    const share = Math.min(to, i + 1) - Math.max(from, i);
    if (share <= ROUNDING) return 0;
    return share >= 1 - ROUNDING ? 1 : share;
  });
}

/** An item's first position in the sequence, and its tokens or tiles. */
export type PlacedItem =
  | { readonly type: 'text'; readonly first: number; readonly tokenized: { readonly spans: readonly Span[] } }
  | { readonly type: 'token_ids'; readonly first: number }
  | { readonly type: 'image'; readonly first: number; readonly seen: SeenPicture };

/** A control and the index of its item. */
export interface ItemControl extends JobControl {
  readonly item: number;
}

/**
 * Factors of controls on the positions of a sequence; several on one position multiply. A control that does not fit its item, such
 * as a rectangle on a text, has no effect.
 *
 * @returns positions that a control overlaps
 */
export function controlFactors(
  items: readonly PlacedItem[],
  controls: readonly ItemControl[],
): ReadonlyMap<number, number> {
  return combined(controls.flatMap((control) => factorsOf(items[control.item], control)));
}

function factorsOf(item: PlacedItem | undefined, { span, rect, index, factor, overlap }: JobControl): PositionFactor[] {
  if (item?.type === 'text')
    return span ? factorsOnText({ ...span, factor, overlap }, item.tokenized.spans, item.first) : [];
  if (item?.type === 'image') return rect ? factorsOnPicture({ ...rect, factor, overlap }, item.seen, item.first) : [];
  return item && index !== undefined ? [{ position: item.first + index, factor }] : [];
}
