import { describe, expect, it } from 'vitest';
import { createTokenizer } from '../../../../../workers/engine/loading/tokenizer.ts';
import { factorsOnText } from '../../../../../workers/kernels/attention-control.ts';
import { textSections } from '../../../../../workers/kernels/text-sections.ts';
import { SMALL_TOKENIZERS } from '../../../../support/tokenizers/small-tokenizers.ts';

const tokenizer = (name: string) => createTokenizer(SMALL_TOKENIZERS[name] ?? {}, {});

/** The parts of the text as given that its tokens are at. */
function partsOf(name: string, text: string): string[] {
  return tokenizer(name)
    .tokenize(text)
    .spans.map(({ start, length }) => text.slice(start, start + length));
}

describe('places of tokens', () => {
  it.each([
    ['byte level, NFC', 'cafe\u0301 au lait', ['cafe\u0301', 'au', 'lait']],
    ['byte level, prefix space', 'An apple a day', ['A', 'An', 'apple', 'a', 'day']],
    ['byte level, prefix space', ' An apple', [' An', 'apple']],
    ['byte level', 'the <mask> of', ['the', ' <mask>'.slice(1), 'of']],
    [
      'Unigram, NFKC',
      'm\u00B2 \u2026 \uFB01nal m2 ... final',
      ['m', '\u00B2', '\u2026', '\uFB01nal', 'm', '2', '.', '.', '.', 'final'],
    ],
    ['WordPiece, BERT', 'co\u00ADop coop', ['co\u00ADop', 'coop']],
  ])('%s: are in the text as given: %j', (name, text, parts) => {
    const found = partsOf(name, text).map((part) => part.trim());
    const words = (all: readonly string[]) => all.filter((part, i) => part !== '' && part !== all[i - 1]);
    expect(words(found)).toEqual(words(parts.map((part) => part.trim())));
  });

  it('are that of the character for each of its bytes, which are one section and one control', () => {
    const text = 'I love \u{1F600} cats';
    const { tokenize } = tokenizer('byte fallback');
    const tokens = tokenize(text);
    const emoji = { start: 7, length: 2 };
    expect(tokens.spans.filter(({ start }) => start === emoji.start)).toEqual(Array.from({ length: 4 }, () => emoji));
    expect(
      textSections(tokens, { type: 'word' }).map(({ start, length }) => text.slice(start, start + length).trim()),
    ).toContain('\u{1F600}');
    const controlled = factorsOnText({ ...emoji, factor: 0, overlap: 'complete' }, tokens.spans, 0);
    expect(controlled).toHaveLength(4);
  });
});
