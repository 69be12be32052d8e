import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestSpan,
  chunksOf,
  createRelevance,
  score,
  scoreOfMargin,
  wholeWords,
} from '../../../../workers/kernels/passages.ts';
import { fakeTokenizer } from '../../../support/fakes/fake-model.ts';

/** A token for each run of letters, each other character that is no space, and each line end. */
const tokenize = (text: string) => ({ ids: Array.from(text.matchAll(/\p{L}+|[^\s\p{L}]|\n/gu), (_, i) => i) });
const cut = (text: string, limit: number) =>
  [...chunksOf(text, { limit, tokenize, longestPiece: 1000 })].map(({ span: { start, length } }) =>
    text.slice(start, start + length),
  );

describe('chunksOf', () => {
  it('leaves a short text whole, without the space around it', () => {
    expect(cut(' One. Two.\n\nThree. \n', 20)).toEqual(['One. Two.\n\nThree.']);
  });

  it.each(['', ' ', '\n\n\t'])('finds nothing in %j', (text) => {
    expect(cut(text, 20)).toEqual([]);
  });

  it('cuts at the ends of paragraphs where it can, as many to a chunk as fit', () => {
    expect(cut('a b c\n\nd e f\n\ng h i', 8)).toEqual(['a b c\n\nd e f', 'g h i']);
  });

  it('cuts a long paragraph at the ends of sentences', () => {
    expect(cut('One two three. Four five six. Seven eight nine.', 8)).toEqual([
      'One two three. Four five six.',
      'Seven eight nine.',
    ]);
  });

  it('cuts a long sentence between words, and a long word between characters', () => {
    expect(cut('a b c d e f g h', 4)).toEqual(['a b c d', 'e f g h']);
    expect(cut('1234567890', 4)).toEqual(['1234', '5678', '90']);
  });

  it('never parts a character', () => {
    expect(cut('🍕🍕🍕🍕🍕', 4).join('')).toBe('🍕🍕🍕🍕🍕');
    for (const chunk of cut('🍕🍕🍕🍕🍕', 4)) expect(chunk).not.toMatch(/\p{Surrogate}/u);
  });

  it('gives each chunk its own tokens', () => {
    for (const { span, tokenized } of chunksOf('a b c d e', { limit: 4, tokenize, longestPiece: 1000 }))
      expect(tokenized).toEqual(tokenize('a b c d e'.slice(span.start, span.start + span.length)));
  });

  it('does not tokenise what is far too long', () => {
    const seen: number[] = [];
    const watched = (text: string) => {
      seen.push(text.length);
      return tokenize(text);
    };
    const text = 'word '.repeat(100_000);
    expect([...chunksOf(text, { limit: 10, tokenize: watched, longestPiece: 8 })].length).toBe(10_000);
    expect(Math.max(...seen)).toBeLessThanOrEqual(80);
  });

  it('holds all of any text but white space, in order, in chunks that fit', () => {
    const { tokenize: real, longestPiece } = fakeTokenizer();
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('a', 'the', 'Wort', '水', '. ', '\n\n', '\n', '  ', '🍕'),
    );
    const text = fc.array(word, { maxLength: 120 }).map((words) => words.join(' ').replaceAll(/\p{Surrogate}/gu, ''));
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 40 }), (whole, limit) => {
        const chunks = [...chunksOf(whole, { limit, tokenize: real, longestPiece })];
        let end = 0;
        for (const { span, tokenized } of chunks) {
          const chunk = whole.slice(span.start, span.start + span.length);
          expect(whole.slice(end, span.start).trim()).toBe('');
          expect(chunk).toBe(chunk.trim());
          expect(chunk).not.toBe('');
          expect(tokenized.ids.length).toBeLessThanOrEqual(limit);
          end = span.start + span.length;
        }
        expect(whole.slice(end).trim()).toBe('');
      }),
      { numRuns: 300 },
    );
  });
});

const relevanceOf = (query: string, texts: readonly string[]) => createRelevance(texts)(query);

describe('createRelevance', () => {
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

  it('answers many queries as if each were asked alone', () => {
    const texts = ['the cat sat', 'the dog sat down here'];
    const relevance = createRelevance(texts);
    for (const query of ['Cat?', 'the dog', 'walrus']) expect(relevance(query)).toEqual(relevanceOf(query, texts));
  });
});

const everywhere = (count: number) => Array.from({ length: count }, (_, i) => i > 0);

describe('bestSpan', () => {
  it('adds the logits of start and end, and measures them against position 0', () => {
    expect(bestSpan([1, 0, 5, 0], [2, 0, 0, 4], everywhere(4))).toEqual({ start: 2, end: 3, margin: 6 });
  });

  it('never ends before it starts', () => {
    expect(bestSpan([0, 0, 5], [0, 9, 1], everywhere(3))).toMatchObject({ start: 1, end: 1, margin: 9 });
  });

  it('keeps to 30 tokens', () => {
    const start = new Float32Array(50);
    const end = new Float32Array(50);
    start[1] = 5;
    end[30] = 3;
    end[31] = 9;
    expect(bestSpan(start, end, everywhere(50))).toMatchObject({ start: 2, end: 31, margin: 9 });
  });

  it('begins and ends only where it may, of equals at the first', () => {
    expect(bestSpan([0, 9, 1, 1], [0, 9, 1, 1], [false, false, true, true])).toMatchObject({ start: 2, end: 2 });
  });

  it('finds none where none is allowed', () => {
    expect(bestSpan([1, 2], [1, 2], [false, false])).toBeUndefined();
  });
});

describe('wholeWords', () => {
  it.each([
    ['Andreas likes pizza.', 'kes', 'likes'],
    ['Andreas likes pizza.', 'likes pizz', 'likes pizza'],
    ['Andreas likes pizza.', ' likes ', ' likes '],
    ['She is Anna’s aunt.', 'Anna', 'Anna'],
    ['It costs £1,140.', '14', '140'],
    ['In the 1960s.', '1960', '1960'],
    ['Das größte Haus', 'größ', 'größte'],
    ['水曜日に会う', '曜日', '曜日'],
  ])('in %j, %j is %j', (text, part, whole) => {
    const { start, length } = wholeWords(text, { start: text.indexOf(part), length: part.length });
    expect(text.slice(start, start + length)).toBe(whole);
  });
});

describe('scores', () => {
  it('are the sigmoid of the calibrated margin', () => {
    expect(scoreOfMargin(0, { scale: 1, bias: 0 })).toBe(0.5);
    expect(scoreOfMargin(2, { scale: 0.5, bias: 1 })).toBeCloseTo(1 / (1 + Math.exp(-2)), 12);
  });

  it('stay in (0, 1] as float32 too', () => {
    for (const margin of [-1e6, -200, 0, 200, 1e6]) {
      const found = Math.fround(scoreOfMargin(margin, { scale: 1, bias: 0 }));
      expect(found).toBeGreaterThan(0);
      expect(found).toBeLessThanOrEqual(1);
    }
    expect(score(1.0000001)).toBe(1);
  });
});
