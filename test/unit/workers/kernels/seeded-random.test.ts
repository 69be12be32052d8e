import { describe, expect, it } from 'vitest';
import { seededRandom, shuffled } from '../../../../workers/kernels/seeded-random.ts';

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
