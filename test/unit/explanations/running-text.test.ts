import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runningText, type TextSection } from '../../../src/explanations/influence.ts';

function section(start: number, length: number): TextSection {
  return { id: `${start}`, part: 'prompt', nth: null, start, length, text: '', scores: [], total: 0 };
}

describe('runningText', () => {
  it('keeps what lies between sections', () => {
    const pieces = runningText('An apple', [section(0, 2), section(3, 5)]);
    expect(pieces.map((piece) => [piece.text, piece.section?.id])).toEqual([
      ['An', '0'],
      [' ', undefined],
      ['apple', '3'],
    ]);
  });

  it('counts code points', () => {
    const pieces = runningText('🍎🍏 b', [section(1, 1), section(3, 1)]);
    expect(pieces.map((piece) => piece.text)).toEqual(['🍎', '🍏', ' ', 'b']);
  });

  it('shows shared characters once', () => {
    const pieces = runningText('🍎!', [section(0, 1), { ...section(0, 1), id: 'second' }, section(1, 1)]);
    expect(pieces.map((piece) => piece.section?.id)).toEqual(['0', '1']);
  });

  it('is the whole text when nothing is explained yet', () => {
    expect(runningText('abc', [])).toEqual([{ at: 0, text: 'abc', section: null }]);
    expect(runningText('', [])).toEqual([]);
  });

  it('always joins to the same text', () => {
    const spans = fc.array(fc.tuple(fc.nat(30), fc.nat(10)), { maxLength: 8 });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), spans, (text, pairs) => {
        const sections = pairs.map(([start, length]) => section(start, length)).sort((a, b) => a.start - b.start);
        const joined = runningText(text, sections).map((piece) => piece.text);
        expect(joined.join('')).toBe(text);
      }),
    );
  });
});
