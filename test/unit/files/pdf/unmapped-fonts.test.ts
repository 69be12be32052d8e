import { describe, expect, it } from 'vitest';
import { readFile } from '../../../../src/files/read-file.ts';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { drawn, type RawPage, rawPdf } from '../../../support/files/pdf-file.ts';

/** A Japanese font that is not embedded: its codes become characters by tables that pdf.js would fetch. */
const JAPANESE = [
  '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /FontDescriptor 7 0 R ' +
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>',
  '<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 ' +
    '/Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
];

/** A font whose codes are the numbers of its glyphs, without a table of characters. */
const NUMBERED = [
  '<< /Type /Font /Subtype /Type0 /BaseFont /Plain /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Plain /FontDescriptor 7 0 R /CIDToGIDMap /Identity ' +
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
  '<< /Type /FontDescriptor /FontName /Plain /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 ' +
    '/Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
];

const inFont3 = (shown: string): RawPage => ({
  content: `BT /F3 14 Tf 1 0 0 1 60 780 Tm ${shown} Tj ET`,
  fonts: '/F3 5 0 R',
});

/** Numbers of the glyphs of a text in most fonts: the letters are 29 below their code. */
const glyphs = (text: string) =>
  `<${Array.from(text, (letter) => (letter.charCodeAt(0) - 29).toString(16).padStart(4, '0')).join('')}>`;

const TEXT = 'The deposit is 900 euros.';

describe('fonts without tables of characters', () => {
  it.each([
    ['an East Asian one that is not embedded', JAPANESE, `(${TEXT})`],
    ['one of numbered glyphs', NUMBERED, glyphs(TEXT)],
  ])('are the reason where they hold all text: %s', async (_name, objects, shown) => {
    const file = new File([rawPdf({ pages: [inFont3(shown)], objects })], 'a.pdf');
    await expect(readFile(file)).rejects.toMatchObject({ problem: 'no_font_tables' });
  });

  it.each([
    ['an East Asian one that is not embedded', JAPANESE, `(${TEXT})`],
    ['one of numbered glyphs', NUMBERED, glyphs(TEXT)],
  ])('are counted where other text is read: %s', async (_name, objects, shown) => {
    const page = inFont3(shown);
    const content = `${page.content}\n${drawn({ text: 'Lease', y: 700 })}`;
    const { text, unread } = await readPdf(rawPdf({ pages: [{ ...page, content }], objects }), {});
    expect(text).toBe('Lease');
    expect(unread).toEqual([{ kind: 'font', count: 1 }]);
  });

  it('are not the bullets of a list', async () => {
    const wingdings = [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Wingdings /FirstChar 183 /LastChar 183 /Widths [458] /ToUnicode 6 0 R >>',
      '<< /Length 178 >>\nstream\n/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange ' +
        '1 beginbfchar <B7> <F0B7> endbfchar endcmap end\nendstream',
    ];
    const page = inFont3('(\xb7)');
    const content = `${page.content}\n${drawn({ text: 'Rent', x: 90, y: 780 })}`;
    const { text, unread } = await readPdf(rawPdf({ pages: [{ ...page, content }], objects: wingdings }), {});
    expect(text).toContain('Rent');
    expect(unread).toEqual([]);
  });
});
