import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SectionGranularity } from '../../../../src/protocol/jobs.ts';
import {
  autoGranularity,
  sentencesAround,
  sentencesOf,
  textSections,
  wordPieces,
  wordTexts,
} from '../../../../workers/kernels/text-sections.ts';

const cut = (text: string, granularity: SectionGranularity, spans = [{ start: 0, length: text.length }]) =>
  textSections({ text, spans }, granularity).map(({ start, length }) => text.slice(start, start + length));

describe('textSections', () => {
  it.each([
    ['words, and what stands between them', 'Hello, C++ ok!', 'word', ['Hello', ',', 'C++', 'ok', '!']],
    ['sentences without the space between', 'I am Dr. No. My food is', 'sentence', ['I am Dr. No.', 'My food is']],
    ['paragraphs with single newlines inside', 'a\nb\n\n  \nc\n', 'paragraph', ['a\nb', 'c']],
  ] as const)('cuts %s', (_, text, type, expected) => {
    expect(cut(text, { type })).toEqual(expected);
  });

  it('leaves a custom delimiter out of all sections, however it looks', () => {
    expect(cut('a.*b.*', { type: 'custom', delimiter: '.*' })).toEqual(['a', 'b']);
    for (const delimiter of ['-', '--', '\\', '[', '(?<', '^$', '😀', '\n'])
      expect(cut(`a${delimiter}b`, { type: 'custom', delimiter })).toEqual(['a', 'b']);
    expect(textSections({ text: 'x###yz', spans: [] }, { type: 'custom', delimiter: '###' })).toEqual([
      { start: 0, length: 1 },
      { start: 4, length: 2 },
    ]);
  });

  it('lists a character that several tokens share once, and no token without length', () => {
    const spans = [
      { start: 0, length: 2 },
      { start: 0, length: 2 },
      { start: 2, length: 0 },
    ];
    expect(cut('😀', { type: 'token' }, spans)).toEqual(['😀']);
  });

  it.each(['word', 'sentence', 'paragraph'] as const)('finds no %s in blank text', (type) => {
    expect(cut(' \n\n ', { type })).toEqual([]);
  });
});

describe('autoGranularity', () => {
  const text = (count: number, unit: string) => {
    const whole = unit.repeat(count);
    const spans = Array.from({ length: count }, (_, i) => ({ start: i * unit.length, length: unit.length }));
    return { type: 'text' as const, tokenized: { text: whole, spans } };
  };

  const ids = (count: number) => ({ type: 'token_ids' as const, count });

  it('takes tokens for a short text', () => {
    expect(autoGranularity([text(11, 'ab '), ids(4)])).toEqual({ type: 'token' });
  });

  it('takes the granularity nearest to 30 sections', () => {
    expect(autoGranularity([text(25, 'One two three four. ')])).toEqual({ type: 'token' });
    const long = text(25, 'One two three four. ');
    const many = Array.from({ length: 300 }, (_, i) => ({ start: i, length: 1 }));
    expect(autoGranularity([{ type: 'text', tokenized: { text: long.tokenized.text, spans: many } }])).toEqual({
      type: 'sentence',
    });
  });

  it('leaves out a granularity without sections, as tokens of a text whose tokens are unknown', () => {
    const tokenized = { text: 'One two. Three four.\n\n'.repeat(70), spans: [] };
    expect(autoGranularity([{ type: 'text', tokenized }])).toEqual({ type: 'paragraph' });
  });

  it('counts sections that do not depend on it', () => {
    expect(autoGranularity([text(1, 'a b c'), ids(29)])).toEqual({ type: 'token' });
  });
});

const sentences = (text: string) => sentencesOf(text).map(({ start, length }) => text.slice(start, start + length));

describe('sentencesOf', () => {
  it.each([
    ['behind a point, an exclamation or a question', 'It is. Is it? What?! Yes', ['It is.', 'Is it?', 'What?!', 'Yes']],
    [
      'behind closing quotes and brackets',
      'He said “Go.” (Really.) "No." So',
      ['He said “Go.”', '(Really.)', '"No."', 'So'],
    ],
    ['at the end of a line', 'One\nTwo. Three\r\nFour', ['One', 'Two.', 'Three', 'Four']],
    [
      'behind full stops without a space where the script has none',
      '今日は。明日！はい',
      ['今日は。', '明日！', 'はい'],
    ],
    ['behind points that trail off before a capital', 'Wait... what? Wait... No', ['Wait... what?', 'Wait...', 'No']],
    ['behind a word that is an abbreviation only before numbers', 'No. I will not.', ['No.', 'I will not.']],
    ['behind a word that is a title only with a capital', 'I did one rep. Then two.', ['I did one rep.', 'Then two.']],
  ])('cuts %s', (_, text, expected) => {
    expect(sentences(text)).toEqual(expected);
  });

  it.each([
    ['titles', 'Dr. Smith and Mrs. Jones saw Prof. Gray.'],
    ['times of day', 'Open from 8 a.m. Monday to 7 p.m. Friday.'],
    ['points inside', 'In the U.S. Congress, i.e. There, e.g. This, a Ph.D. Thesis.'],
    ['initials', 'By J. R. R. Tolkien and George W. Bush.'],
    ['what counts', 'No. 5, Fig. 3, pp. 7, Jan. 5 and vol. 2.'],
    ['other abbreviations', 'Cats vs. Dogs, etc. And Acme Inc. Stock approx. Ten.'],
    ['small letters', 'It is 5 in. wide, for approx. ten.'],
    ['numbers and names with points', 'Version 3.5 of example.com, Node.JS and v1.A.'],
    ['entries of lists', '12. First of all'],
    ['commas and dashes behind marks', 'He said “Go!”, “now!” – and left (etc.), twice.'],
  ])('does not cut at %s', (_, text) => {
    expect(sentences(text)).toEqual([text]);
  });

  it('puts every character but white space into exactly one sentence, in order', () => {
    const unit = fc.constantFrom(...'aA1.!?。…"”)(,- \n\r\t', 'Dr', 'e.g.', '😀');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit })), (text) => {
        const sentences = sentencesOf(text);
        const ends = [0, ...sentences.map(({ start, length }) => start + length)];
        const between = sentences.map(({ start }, i) => text.slice(ends[i], start));
        expect([...between, text.slice(ends.at(-1))].join('').trim()).toBe('');
        expect(sentences.every(({ start, length }, i) => length > 0 && start >= (ends[i] ?? 0))).toBe(true);
      }),
    );
  });
});

describe('sentencesAround', () => {
  const text = 'One came. Two went. Three stayed.';
  const around = (part: string) => {
    const { start, length } = sentencesAround(text, { start: text.indexOf(part), length: part.length });
    return text.slice(start, start + length);
  };

  it.each([
    ['wen', 'Two went.'],
    ['came. Two', 'One came. Two went.'],
    ['Three stayed.', 'Three stayed.'],
    ['', ''],
  ])('of %j are %j', (part, sentences) => expect(around(part)).toBe(sentences));
});

/** Words as they are, everything else behind a tilde. */
const words = (text: string) =>
  wordPieces(text).map(({ start, length, isWord }) => `${isWord ? '' : '~'}${text.slice(start, start + length)}`);

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
    expect(words(text)).toEqual(expected);
  });

  it('puts every character but white space into exactly one piece, in order', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: glued })), holdsAll));
  });

  it('cuts a word of any length', () => {
    const text = `${'a'.repeat(70_000)}😀${'b '.repeat(40_000)}${'😀'.repeat(40_000)}`;
    holdsAll(text);
    expect(words('a'.repeat(65_536))).toHaveLength(1);
  });
});

/** Characters that touch one another in ways that rules about words forget. */
const glued = fc.constantFrom(..."a1.'’-+#*_(”\u200D\uFE0F\u0301 \n", '😀', '👩', '🏽', '🇩', '日', 'カ', 'ไ', '\u0000');

function holdsAll(text: string): void {
  const pieces = wordPieces(text);
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
