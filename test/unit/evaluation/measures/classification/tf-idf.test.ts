import { describe, expect, it } from 'vitest';
import { createTfIdf } from '../../../../../evaluation/measures/classification/tf-idf.ts';

describe('createTfIdf', () => {
  const weigh = createTfIdf(['a b', 'a c']);

  it('weighs a rare word more, each row of length 1', () => {
    const { values, places, columns } = weigh(['a b']);
    const [common, rare] = [1, 1 + Math.log(3 / 2)];
    expect(columns).toBe(3);
    expect([...places]).toEqual([0, 1]);
    expect(values[0]).toBeCloseTo(common / Math.hypot(common, rare), 6);
    expect(values[1]).toBeCloseTo(rare / Math.hypot(common, rare), 6);
  });
  it('damps repetition', () => {
    const { values } = weigh(['A a b']);
    expect((values[0] ?? 0) / (values[1] ?? 0)).toBeCloseTo((1 + Math.log(2)) / (1 + Math.log(3 / 2)), 6);
  });
  it('overlooks words that it does not know', () => {
    const { starts, values } = weigh(['x', 'x c']);
    expect([...starts]).toEqual([0, 0, 1]);
    expect([...values]).toEqual([1]);
  });
});
