import type { TokenOverlap } from '../../../src/contract/prompt.ts';
import type { Rectangle, Square } from '../../../src/protocol/prompt.ts';
import type { Granularity } from '../../../src/protocol/target-jobs.ts';
import type { PositionFactor } from '../attention-control.ts';

/** How a picture's tokens lie on the square: row by row, or all of them on one tile where they form no square. */
export interface TileGrid {
  /** Tiles in a row, and rows. */
  readonly side: number;
  readonly tokensPerTile: number;
}

/** A picture with the part of it that the model sees. */
export interface SeenPicture {
  readonly width: number;
  readonly height: number;
  readonly square: Square;
  readonly grid: TileGrid;
}

/** Sections per side of a picture; `token` is the model's own number. @source contract facts §1.5 */
const SECTIONS_PER_SIDE = { word: 6, sentence: 3, paragraph: 1, custom: 1 } as const;

/** Overlaps, in tiles, that are rounding: rectangles of thirds and twelfths do not end exactly where tiles do. */
const ROUNDING = 1e-6;

/** The grid of so many tokens: 144 lie as 12 × 12. */
export function gridOf(tokens: number): TileGrid {
  const side = Math.sqrt(tokens);
  return Number.isInteger(side) ? { side, tokensPerTile: 1 } : { side: 1, tokensPerTile: tokens };
}

/** The largest square in the middle of a picture. @source contract facts §1.2 */
export function centreSquare(width: number, height: number): Square {
  const size = Math.min(width, height);
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size };
}

/**
 * The factors that a control on a rectangle puts on the tiles it touches. The rectangle is relative to the whole picture,
 * the tiles lie on the square that the model sees; what a rectangle covers beside the square has no effect.
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
      const share = control.overlap === 'complete' ? 1 : ofRow * ofColumn;
      // A tile covered wholly takes the very factor, free of rounding.
      const factor = share === 1 ? control.factor : 1 + (control.factor - 1) * share;
      const begin = first + (row * grid.side + column) * grid.tokensPerTile;
      return Array.from({ length: grid.tokensPerTile }, (_, i) => ({ position: begin + i, factor }));
    }),
  );
}

/** Share of each of `count` tiles, 0 … 1, that a stretch covers along one axis; pixels from the square's edge. */
function covered(start: number, length: number, tile: number, count: number): number[] {
  const from = start / tile;
  const to = (start + length) / tile;
  return Array.from({ length: count }, (_, i) => {
    const share = Math.min(to, i + 1) - Math.max(from, i);
    if (share <= ROUNDING) return 0;
    return share >= 1 - ROUNDING ? 1 : share;
  });
}

/**
 * The rectangles that a picture is explained by: 12 × 12 for `token` (the model's own grid), 6 × 6 for `word`, 3 × 3 for
 * `sentence`, the whole picture for `paragraph` and for `custom`, whose delimiter a picture does not hold. A model with a
 * coarser grid has no more sections than tiles.
 *
 * They cover the whole picture, row by row, also where the model sees a square of it: a section beside the square has no
 * influence.
 *
 * @source contract facts §1.5; `custom` is decided here
 */
export function pictureSections(granularity: Granularity['type'], { side }: TileGrid): Rectangle[] {
  const count = granularity === 'token' ? side : Math.min(side, SECTIONS_PER_SIDE[granularity]);
  return Array.from({ length: count * count }, (_, i) => ({
    left: (i % count) / count,
    top: Math.floor(i / count) / count,
    width: 1 / count,
    height: 1 / count,
  }));
}
