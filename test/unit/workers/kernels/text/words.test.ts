import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf, wordTexts } from '../../../../../workers/kernels/text/words.ts';

/** Words as they are, everything else behind a tilde. */
const cut = (text: string) =>
  piecesOf(text).map(({ start, length, isWord }) => `${isWord ? '' : '~'}${text.slice(start, start + length)}`);

describe('piecesOf', () => {
  it.each([
    ['punctuation from words', 'Hello, world!', ['Hello', '~,', 'world', '~!']],
    ['a run of punctuation as one', '(“Yes.”)', ['~(“', 'Yes', '~.”)']],
    ['apostrophes inside words only', "Luigi's don’t 'tis'", ["Luigi's", 'don’t', "~'", 'tis', "~'"]],
    ['hyphens from words', 'well-known', ['well', '~-', 'known']],
    ['names of languages whole', 'C++ or C#, F#.', ['C++', 'or', 'C#', '~,', 'F#', '~.']],
    ['operators from their operands', 'A+b x#y', ['A', '~+', 'b', 'x', '~#', 'y']],
    ['numbers whole', '1,000.50 3.14 7:30 x² ½', ['1,000.50', '3.14', '7', '~:', '30', 'x²', '½']],
    ['letters and numbers together', 'abc12 12abc __init__', ['abc12', '12abc', '__init__']],
    ['symbols by themselves', 'a & b ***', ['a', '~&', 'b', '~***']],
    ['each picture character', '😀😀 👍🏽🇩🇪🇫🇷 7️⃣', ['~😀', '~😀', '~👍🏽', '~🇩🇪', '~🇫🇷', '~7️⃣']],
    ['a family from a word', '👩‍👩‍👧ok', ['~👩‍👩‍👧', 'ok']],
    ['accents with their letters', 'cafe\u0301s', ['cafe\u0301s']],
    ['Han and Hiragana by character, Katakana by run', '日本のテキスト', ['日', '本', 'の', 'テキスト']],
    ['other scripts at spaces', 'ภาษาไทย ดี नमस्ते 한국어', ['ภาษาไทย', 'ดี', 'नमस्ते', '한국어']],
  ])('cuts %s', (_, text, expected) => {
    expect(cut(text)).toEqual(expected);
  });

  it('puts every character but white space into exactly one piece, in order', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: glued })), holdsAll));
  });

  it('cuts a word of any length', () => {
    const text = `${'a'.repeat(70_000)}😀${'b '.repeat(40_000)}${'😀'.repeat(40_000)}`;
    holdsAll(text);
    expect(cut('a'.repeat(65_536))).toHaveLength(1);
  });
});

/** Characters that touch one another in ways that rules about words forget. */
const glued = fc.constantFrom(..."a1.'’-+#*_(”\u200D\uFE0F\u0301 \n", '😀', '👩', '🏽', '🇩', '日', 'カ', 'ไ', '\u0000');

function holdsAll(text: string): void {
  const pieces = piecesOf(text);
  const ends = [0, ...pieces.map(({ start, length }) => start + length)];
  const between = pieces.map(({ start }, i) => text.slice(ends[i], start));
  expect([...between, text.slice(ends.at(-1))].join('').trim()).toBe('');
  expect(pieces.every(({ start, length }, i) => length > 0 && start >= (ends[i] ?? 0))).toBe(true);
}

describe('wordTexts', () => {
  it('gives words alone, in lower case, each time they stand there', () => {
    expect(wordTexts('The cat; the CAT!')).toEqual(['the', 'cat', 'the', 'cat']);
  });
});
