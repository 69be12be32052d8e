import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../../../evaluation/measures/sample.ts';

describe('sampleOf', () => {
  const items = ['a', 'b', 'c', 'd', 'e', 'f'];

  it('takes so many, in their order', () => {
    const sample = sampleOf(items, 3);
    expect(sample).toHaveLength(3);
    expect(items.filter((item) => sample.includes(item))).toEqual(sample);
  });
  it('holds a smaller sample within a larger one', () =>
    expect(sampleOf(items, 4)).toEqual(expect.arrayContaining([...sampleOf(items, 2)])));
  it.each([undefined, 6, 100])('takes all for %s', (count) => expect(sampleOf(items, count)).toEqual(items));
});
