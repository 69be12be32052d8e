import type { Rectangle, Square } from '../../src/protocol/model-job.ts';
import type { SectionGranularity } from '../../src/protocol/jobs.ts';

/** The arrangement of a picture's tokens on the square: row by row, or all on one tile where they form no square. */
export interface TileGrid {
  /** Tiles in a row, and rows. */
  readonly side: number;
  readonly tokensPerTile: number;
}

/** A picture and the square that the model sees. */
export interface SeenPicture {
  readonly width: number;
  readonly height: number;
  readonly square: Square;
  readonly grid: TileGrid;
}

/** Sections per side of a picture; `token` is the model's own number. @source contract facts §1.5 */
const SECTIONS_PER_SIDE = { word: 6, sentence: 3, paragraph: 1, custom: 1 } as const;

/** The grid of a number of tokens: 144 lie as 12 × 12. */
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
 * The sections of a picture, row by row: 12 × 12 for `token` (the model's own grid), 6 × 6 for `word`, 3 × 3 for `sentence`, the
 * whole picture for `paragraph` and for `custom`, since a picture has no delimiter. A model with a coarser grid has no more
 * sections than tiles. They cover the whole picture; a section outside the square that the model sees has no influence.
 *
 * @source contract facts §1.5; `custom` is decided here
 */
export function pictureSections(granularity: SectionGranularity['type'], { side }: TileGrid): Rectangle[] {
  const count = granularity === 'token' ? side : Math.min(side, SECTIONS_PER_SIDE[granularity]);
  return Array.from({ length: count * count }, (_, i) => ({
    left: (i % count) / count,
    top: Math.floor(i / count) / count,
    width: 1 / count,
    height: 1 / count,
  }));
}
