import { describe, expect, it } from 'vitest';
import {
  accuracyOf,
  classify,
  featuresOf,
  fitLogistic,
  type SparseRow,
} from '../../../../workers/analysis/sort-by-examples.ts';
import { seededRandom } from '../../../../workers/kernels/seeded-random.ts';

const STOP = { steps: 200, tolerance: 1e-14 };

describe('fitLogistic', () => {
  it('without features gives each label its share', () => {
    const { weights } = fitLogistic(featuresOf([[], [], [], []], 0), Int32Array.of(0, 0, 0, 1), 2, {
      ...STOP,
      strength: 1,
    });
    expect((weights[0] ?? 0) - (weights[1] ?? 0)).toBeCloseTo(Math.log(3), 5);
  });

  it('balances loss and weights', () => {
    const features = featuresOf([[[0, 1]], [[0, -1]]], 1);
    const { weights } = fitLogistic(features, Int32Array.of(0, 1), 2, { ...STOP, strength: 1 });
    const [one = NaN, other = NaN, bias = NaN, otherBias = NaN] = weights;
    // By symmetry ±w without bias; the slope of 2 ln(1 + e^−2w) + w² is 0 where w = 2 / (1 + e^2w).
    expect(one).toBeCloseTo(2 / (1 + Math.exp(2 * one)), 5);
    expect(other).toBeCloseTo(-one, 6);
    expect(bias - otherBias).toBeCloseTo(0, 6);
  });

  it('sees as much over many blocks of rows as in one', () => {
    const random = seededRandom(1);
    const points = Array.from({ length: 600 }, () => ({ x: random(), y: random() }));
    const rows = points.map(({ x, y }): SparseRow => [
      [0, x],
      [1, y],
    ]);
    const labels = Int32Array.from(points, ({ x, y }) => (x + y > 1 ? 1 : 0));
    const features = featuresOf(rows, 2);
    const all = fitLogistic(features, labels, 2, { ...STOP, strength: 1 });
    const twice = fitLogistic(featuresOf([...rows, ...rows], 2), Int32Array.from([...labels, ...labels]), 2, {
      ...STOP,
      strength: 0.5,
    });
    all.weights.forEach((weight, at) => expect(twice.weights[at]).toBeCloseTo(weight, 3));
    expect(accuracyOf(features, labels, all)).toBeGreaterThan(0.97);
  });

  it('ends in the same place wherever it begins', () => {
    const features = featuresOf([[[0, 1]], [[0, -1]], [[1, 1]]], 2);
    const labels = Int32Array.of(0, 1, 2);
    const fit = (begin?: { weights: Float64Array; labels: number }) =>
      fitLogistic(features, labels, 3, { ...STOP, strength: 2, ...(begin && { begin }) });
    const [cold, warm] = [fit(), fit({ weights: Float64Array.from({ length: 9 }, (_, at) => at - 4), labels: 3 })];
    for (const at of [0, 1, 2, 3, 4, 5]) expect(warm.weights[at]).toBeCloseTo(cold.weights[at] ?? NaN, 4);
  });
});

describe('classify', () => {
  it('takes the label with the highest score, bias included', () => {
    const classifier = { labels: 2, weights: Float64Array.of(1, -1, 0, 0.5) };
    const features = featuresOf([[[0, 1]], [[0, -1]], [[0, 0.2]]], 1);
    expect([...classify(features, classifier)]).toEqual([0, 1, 1]);
    expect(accuracyOf(features, Int32Array.of(0, 1, 0), classifier)).toBeCloseTo(2 / 3, 12);
  });
});
