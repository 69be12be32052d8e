import { describe, expect, it } from 'vitest';
import type { Granularity } from '../../../../../src/protocol/target-jobs.ts';
import { autoGranularity, textSections } from '../../../../../workers/kernels/text/granularity.ts';

const cut = (text: string, granularity: Granularity, spans = [{ start: 0, length: text.length }]) =>
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

  it('counts sections that do not depend on it', () => {
    expect(autoGranularity([text(1, 'a b c'), ids(29)])).toEqual({ type: 'token' });
  });
});
