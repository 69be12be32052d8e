import { describe, expect, it } from 'vitest';
import { createCollection, search, createAnalysisTasks } from '../../../../workers/analysis/tasks.ts';

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
    const hits = search(collectionOf(), { query: 'red', vector: CAR, share: 0.5, most: 10 });
    expect(indices(hits)).toEqual([0, 1, 2]);
    expect(hits[1]).toMatchObject({ meaning: 0, terms: ['red'], cosine: 0 });
    expect(hits[2]).toMatchObject({ words: 0, terms: [] });
    expect(hits[2]?.meaning).toBeCloseTo(0.4, 6);
  });

  it('scores a hit by the sum of the shares that it tells', () => {
    for (const { score, meaning, words } of search(collectionOf(), {
      query: 'red car',
      vector: CAR,
      share: 0.3,
      most: 10,
    })) {
      expect(score).toBe(meaning + words);
      expect(score).toBeLessThanOrEqual(1 + 1e-6);
    }
  });

  it.each([
    [0, [0, 1]],
    [1, [0, 2]],
  ])('counts meaning alone or words alone at a share of %s', (share, found) => {
    expect(indices(search(collectionOf(), { query: 'red', vector: CAR, share, most: 10 }))).toEqual(found);
  });

  it('searches words alone where there is no vector', () => {
    const hits = search(collectionOf(), { query: 'rose', vector: null, share: 0.9, most: 10 });
    expect(hits).toMatchObject([{ index: 1, score: 1, meaning: 0, words: 1 }]);
  });

  it('counts repeats of a text once, with their number', () => {
    const collection = createCollection();
    collection.add(['a red car', 'a  red CAR ', 'a rose', 'a red car'], Float32Array.of(1, 0, 1, 0, 0, 1, 1, 0));
    const hits = search(collection, { query: 'red', vector: CAR, share: 0.5, most: 10 });
    expect(hits.map(({ index, repeats }) => [index, repeats])).toEqual([[0, 2]]);
  });

  it.each([
    ['red bicycle with a bell', 0.1, true],
    ['red', 0.1, false],
    ['red bicycle with a bell', 0.9, false],
  ])('calls a match of %j with a cosine of %s weak: %s', (query, cosine, isWeak) => {
    const vector = Float32Array.of(cosine, 0);
    const [hit] = search(collectionOf(), { query, vector, share: 0.5, most: 1 });
    expect(hit).toMatchObject({ index: 0, isWeak });
  });

  it.each(['हिन्दी', 'สวัสดี', 'c++', 'RED, car!'])('does not call a text weak that has all words of %j', (query) => {
    const collection = createCollection();
    collection.add([query, 'another text'], Float32Array.of(1, 0, 0, 1));
    expect(search(collection, { query, vector: Float32Array.of(0, 0), share: 0.5, most: 1 })).toMatchObject([
      { index: 0, isWeak: false },
    ]);
  });

  it('gives no more than are asked for, and none in an empty collection', () => {
    expect(search(collectionOf(), { query: 'red', vector: CAR, share: 0.5, most: 1 })).toHaveLength(1);
    expect(search(createCollection(), { query: 'red', vector: CAR, share: 0.5, most: 9 })).toEqual([]);
  });
});

describe('createCollection', () => {
  it('refuses vectors of another width', () => {
    const collection = collectionOf();
    expect(() => collection.add(['b'], Float32Array.of(1, 0, 0))).toThrow(RangeError);
  });

  it('has only the new texts when they replace the others', async () => {
    const tasks = createAnalysisTasks();
    const context = {
      checkpoint: async () => undefined,
      listens: false,
      progress: () => undefined,
      signal: new AbortController().signal,
    };
    const add = (texts: string[], vectors: Float32Array) => tasks.add({ isNew: true, texts, vectors }, context);
    await add(['a red car', 'a red rose'], Float32Array.of(1, 0, 0, 1));
    expect(await add(['new'], Float32Array.of(1, 0, 0))).toEqual({ count: 1 });
    const input = { query: 'red', vector: null, share: 0, most: 9 };
    expect(await tasks.search(input, context)).toEqual({ hits: [] });
  });
});
