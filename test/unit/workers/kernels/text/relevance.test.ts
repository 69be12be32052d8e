import { describe, expect, it } from 'vitest';
import { createRelevance, relevanceOf } from '../../../../../workers/kernels/text/relevance.ts';

describe('relevanceOf', () => {
  it('is BM25', () => {
    const texts = ['the cat sat', 'the dog sat down here', 'the cat and the cat'];
    const rarity = Math.log(1 + 1.5 / 2.5); // two of three texts have the word
    const score = (count: number, length: number) =>
      (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / (13 / 3)));
    const found = relevanceOf('Cat?', texts);
    expect(found[0]).toBeCloseTo(score(1, 3), 12);
    expect(found[1]).toBe(0);
    expect(found[2]).toBeCloseTo(score(2, 5), 12);
  });

  it('counts a rare word for more than one that all have', () => {
    const [common = 0, rare = 0] = relevanceOf('the walrus', ['the the the', 'a walrus ate', 'the end', 'the sea']);
    expect(rare).toBeGreaterThan(common);
  });

  it('finds words in scripts without spaces', () => {
    const [without, having = 0] = relevanceOf('東京', ['大阪に住む。', '東京に住む。']);
    expect(without).toBe(0);
    expect(having).toBeGreaterThan(0);
  });

  it('is 0 without words or texts', () => {
    expect(relevanceOf('?!', ['a', ''])).toEqual([0, 0]);
    expect(relevanceOf('a', [])).toEqual([]);
  });
});

describe('createRelevance', () => {
  it('answers many queries as if each were asked alone', () => {
    const texts = ['the cat sat', 'the dog sat down here'];
    const relevance = createRelevance(texts);
    for (const query of ['Cat?', 'the dog', 'walrus']) expect(relevance(query)).toEqual(relevanceOf(query, texts));
  });
});
