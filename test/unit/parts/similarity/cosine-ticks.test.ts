import { expect, it } from 'vitest';
import { cosineTicks, type SimilarityFound } from '../../../../src/parts/similarity/similarity.ts';

const ticksOf = (...values: number[]) =>
  cosineTicks({ cosines: { mean: [values] } } as unknown as SimilarityFound, 'mean');

it.each([
  [
    [0.65, 0.91],
    [0.6, 0.7, 0.8, 0.9, 1],
  ],
  [
    [0.2, 0.95],
    [0.2, 0.4, 0.6, 0.8, 1],
  ],
  [
    [-0.6, 0.9],
    [-1, -0.5, 0, 0.5, 1],
  ],
  [
    [1, 1],
    [0.9, 1],
  ],
  [
    [0.75, 0.75],
    [0.7, 0.8],
  ],
])('the axis of %j has the numbers %j', (values, ticks) => expect(ticksOf(...values)).toEqual(ticks));
