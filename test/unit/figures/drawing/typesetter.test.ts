import { describe, expect, it } from 'vitest';
import { isRtlParagraph } from '../../../../src/figures/drawing/figure.ts';
import { hasRtl } from '../../../../src/figures/texts.ts';
import { paragraphsOf } from '../../../../src/figures/drawing/typesetter.ts';

describe('direction', () => {
  it.each([
    ['مدينة Paris', true],
    ['«(1) שלום»', true],
    ['Paris مدينة', false],
    ['2024', false],
    ['', false],
  ])('of %j follows its first letter', (text, isRtl) => expect(isRtlParagraph(text)).toBe(isRtl));

  it('is looked for in the whole text', () => {
    expect(hasRtl('Paris مدينة')).toBe(true);
    expect(hasRtl('Paris 巴黎')).toBe(false);
  });
});

describe('paragraphsOf', () => {
  it('cuts pieces at every kind of line end, and keeps empty paragraphs', () => {
    expect(paragraphsOf(['a\nb', 'c\r\n', '\r', 'd'])).toEqual([
      [{ piece: 0, text: 'a' }],
      [
        { piece: 0, text: 'b' },
        { piece: 1, text: 'c' },
      ],
      [],
      [{ piece: 3, text: 'd' }],
    ]);
  });
});
