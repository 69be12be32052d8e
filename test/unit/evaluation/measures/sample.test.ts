import { describe, expect, it } from 'vitest';
import { sampleOf, seededRandom, shuffled } from '../../../../evaluation/measures/sample.ts';

describe('seededRandom', () => {
  it('is Mulberry32', () => expect(seededRandom(1)()).toBe(0.6270739405881613));
  it('gives the same numbers for the same seed, others for another', () => {
    const [a, b, c] = [seededRandom(7), seededRandom(7), seededRandom(8)].map((random) => [random(), random()]);
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
  });
});

describe('shuffled', () => {
  const items = Array.from({ length: 50 }, (_, index) => index);

  it('keeps every item once, and what it was given', () => {
    expect(shuffled(items).toSorted((a, b) => a - b)).toEqual(items);
    expect(items[0]).toBe(0);
  });
  it('depends on the seed alone', () => {
    expect(shuffled(items, 3)).toEqual(shuffled(items, 3));
    expect(shuffled(items, 3)).not.toEqual(shuffled(items, 4));
    expect(shuffled(items, 3)).not.toEqual(items);
  });
});

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
