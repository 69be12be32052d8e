import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { readingOrder } from '../../../../src/files/pdf/right-to-left.ts';
import { rawPdf } from '../../../support/files/pdf-file.ts';

/** Texts side by side, from the left. */
function runs(texts: readonly string[]) {
  const shared = { angle: 0, y: 0, item: 0, isBlank: false, isRightToLeft: false, height: 10, font: '' };
  return texts.map((text, at) => ({ ...shared, text, left: 10 * at, right: 10 * at + 10 }));
}

describe('readingOrder', () => {
  it.each([
    ['words', ['.', 'ב', ' ', 'א'], 'א ב.'],
    ['a number', ['ב', ' ', '900', ' ', 'א'], 'א 900 ב'],
    ['two numbers', ['1800', ' ', '900', ' ', 'א'], 'א 900 1800'],
    ['names from left to right among them', ['גד', ' ', 'Bo', ' ', 'Li', ' ', 'אבא'], 'אבא Bo Li גד'],
    ['words among words from left to right', ['Say', ' ', 'ב', ' ', '7', ' ', 'א', ' ', 'now'], 'Say א 7 ב now'],
    ['words from left to right', ['Say', ' ', '7', '.'], 'Say 7.'],
  ])('reads %s, in whatever order the file has them', (_name, texts, expected) => {
    for (const given of [runs(texts), runs(texts).toReversed()])
      expect(
        readingOrder(given)
          .ordered.map(({ text }) => text)
          .join(''),
      ).toBe(expected);
  });
});

/** Glyphs for a to f: alef, bet, gimel; three forms of Arabic letters, one of them of two letters. */
const LETTERS = 'afii57664 afii57665 afii57666 uniFEDF uniFEE8 uniFEFB';
const FONT =
  `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 97 /LastChar 102 /Widths [${'500 '.repeat(6)}] ` +
  `/Encoding << /Type /Encoding /Differences [97 ${LETTERS.replaceAll(/\b(?=[au])/g, '/')}] >> >>`;

function read(content: string) {
  return readPdf(rawPdf({ pages: [{ content, fonts: '/F3 5 0 R' }], objects: [FONT] }), {});
}

describe('a PDF from right to left', () => {
  it.each([
    [
      'from its left end',
      'BT /F1 10 Tf 100 700 Td (.) Tj /F3 10 Tf 3 0 Td (cb) Tj /F1 10 Tf 13 0 Td (3-) Tj /F3 10 Tf 9 0 Td (a) Tj ET',
    ],
    [
      'from its right end',
      'BT /F3 10 Tf 125 700 Td (a) Tj /F1 10 Tf -9 0 Td (3-) Tj /F3 10 Tf -13 0 Td (cb) Tj /F1 10 Tf -3 0 Td (.) Tj ET',
    ],
  ])('is read word by word where a line is drawn %s', async (_name, content) => {
    expect((await read(content)).text).toBe('א-3 בג.');
  });

  it('has the letters of Arabic, not their forms, and as many as its items', async () => {
    const { text, layout } = await read('BT /F3 10 Tf 100 700 Td (fed) Tj ET');
    expect(text).toBe('لنلا');
    expect(layout).toMatchObject({ pieces: [{ start: 0, length: 4, from: 0 }] });
  });
});
