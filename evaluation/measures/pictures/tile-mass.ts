import type { ImageScore } from '../../../src/contract/explain.ts';
import type { TileRange } from '../../data/scene-set.ts';

/** How much of an explanation lies on a part of a picture. */
export interface TileMass {
  /** Share of the positive scores; 0 where no score is positive. */
  readonly mass: number;
  /** Share of the tiles. */
  readonly area: number;
  /** Whether the greatest score lies there. */
  readonly holdsTop: boolean;
}

/**
 * What lies on some tiles of a picture that was explained tile by tile.
 *
 * @param scores  one for each tile, row by row
 * @throws {RangeError} when the scores form no square
 */
export function massOn(scores: readonly ImageScore[], { top, bottom, left, right }: TileRange): TileMass {
  const side = Math.sqrt(scores.length);
  if (!Number.isInteger(side) || side === 0) throw new RangeError(`expected a square of tiles, got ${scores.length}`);
  const isOn = scores.map(({ rect }) => {
    const [row, column] = [Math.round(rect.top * side), Math.round(rect.left * side)];
    return row >= top && row < bottom && column >= left && column < right;
  });
  const relevance = scores.map(({ score }) => Math.max(score, 0));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const all = sum(relevance);
  const greatest = scores.reduce((best, { score }, at) => (score > (scores[best]?.score ?? 0) ? at : best), 0);
  return {
    mass: all === 0 ? 0 : sum(relevance.filter((_, at) => isOn[at])) / all,
    area: isOn.filter(Boolean).length / scores.length,
    holdsTop: isOn[greatest] ?? false,
  };
}
