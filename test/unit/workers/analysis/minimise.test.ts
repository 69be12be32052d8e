import { describe, expect, it } from 'vitest';
import { minimise, type Objective } from '../../../../workers/analysis/minimise.ts';

const STOP = { steps: 100, tolerance: 0 };

/** (x − 1)² + 10 (y + 2)². */
const bowl: Objective = (point, slope) => {
  const [x = NaN, y = NaN] = point;
  slope.set([2 * (x - 1), 20 * (y + 2)]);
  return (x - 1) ** 2 + 10 * (y + 2) ** 2;
};

/** Rosenbrock's valley, (1 − x)² + 100 (y − x²)². */
const valley: Objective = (point, slope) => {
  const [x = NaN, y = NaN] = point;
  slope.set([-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)]);
  return (1 - x) ** 2 + 100 * (y - x * x) ** 2;
};

describe('minimise', () => {
  it.each([
    ['a bowl', bowl, [0, 0], [1, -2]],
    ['a bent valley', valley, [-1.2, 1], [1, 1]],
  ])('finds the lowest point of %s', (_name, objective, start, lowest) => {
    const found = minimise(objective, Float64Array.from(start), STOP);
    lowest.forEach((value, at) => expect(found[at]).toBeCloseTo(value, 5));
  });
  it('leaves where it began as it is', () => {
    const start = new Float64Array([5, 5]);
    minimise(bowl, start, STOP);
    expect([...start]).toEqual([5, 5]);
  });
  it('stays at the lowest point', () => expect([...minimise(bowl, new Float64Array([1, -2]), STOP)]).toEqual([1, -2]));
  it('stops after so many steps', () => {
    const one = minimise(valley, new Float64Array([-1.2, 1]), { steps: 1, tolerance: 0 });
    expect(one[0]).not.toBeCloseTo(1, 1);
  });
});
