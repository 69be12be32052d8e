import { describe, expect, it } from 'vitest';
import { createCollection } from '../../../../workers/analysis/collection.ts';
import { search } from '../../../../workers/analysis/search.ts';

/** Three texts on two axes of meaning. */
function collectionOf() {
  const collection = createCollection();
  collection.add(['a red car', 'a red rose', 'an automobile'], Float32Array.of(1, 0, 0, 1, 0.8, 0.6));
  return collection;
}
const CAR = Float32Array.of(1, 0);
const indices = (hits: readonly { index: number }[]) => hits.map(({ index }) => index);

describe('search', () => {
  it('finds what means the same in other words, and what shares words', () => {
    const hits = search(collectionOf(), { text: 'red', vector: CAR, share: 0.5 }, 10);
    expect(indices(hits)).toEqual([0, 1, 2]);
    expect(hits[1]).toMatchObject({ meaning: 0, terms: ['red'], cosine: 0 });
    expect(hits[2]).toMatchObject({ words: 0, terms: [] });
    expect(hits[2]?.meaning).toBeCloseTo(0.4, 6);
  });

  it('scores a hit by the sum of the shares that it tells', () => {
    for (const { score, meaning, words } of search(collectionOf(), { text: 'red car', vector: CAR, share: 0.3 }, 10)) {
      expect(score).toBe(meaning + words);
      expect(score).toBeLessThanOrEqual(1 + 1e-6);
    }
  });

  it.each([
    [0, [0, 1]],
    [1, [0, 2]],
  ])('counts meaning alone or words alone at a share of %s', (share, found) => {
    expect(indices(search(collectionOf(), { text: 'red', vector: CAR, share }, 10))).toEqual(found);
  });

  it('searches words alone where there is no vector', () => {
    const hits = search(collectionOf(), { text: 'rose', vector: null, share: 0.9 }, 10);
    expect(hits).toMatchObject([{ index: 1, score: 1, meaning: 0, words: 1 }]);
  });

  it('gives no more than are asked for, and none in an empty collection', () => {
    expect(search(collectionOf(), { text: 'red', vector: CAR, share: 0.5 }, 1)).toHaveLength(1);
    expect(search(createCollection(), { text: 'red', vector: CAR, share: 0.5 }, 9)).toEqual([]);
  });
});

describe('createCollection', () => {
  it('refuses vectors of another width', () => {
    const collection = collectionOf();
    expect(() => collection.add(['b'], Float32Array.of(1, 0, 0))).toThrow(RangeError);
  });

  it('knows nothing once it is cleared', () => {
    const collection = collectionOf();
    collection.clear();
    collection.add(['new'], Float32Array.of(1, 0, 0));
    expect(collection.vectors).toMatchObject({ count: 1, width: 3 });
    expect(collection.index.search('red')).toEqual([]);
  });
});
