import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { drawn, rawPdf, streamOf } from '../../../support/files/pdf-file.ts';

const SECRET = drawn({ text: 'Secret words', y: 660 });

/** Reads a page with an ordinary line before other operators. */
async function read(content: string) {
  const picture = '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8';
  const { text, unread } = await readPdf(
    rawPdf({
      pages: [
        {
          content: `${drawn({ text: 'The rent is 900 euros.', y: 700 })} ${content} ${drawn({ text: 'It is due in May.', y: 600 })}`,
          resources:
            '/XObject << /Im 5 0 R /Fm 6 0 R /Fs 7 0 R /Mask 8 0 R >> /ColorSpace << /Spot [/Separation /Red /DeviceRGB 9 0 R] >> ' +
            '/ExtGState << /G << /ca 0.1 >> /G0 << /ca 0 >> /G1 << /ca 1 >> /GM << /BM /Multiply >> /GN << /BM /Normal /SMask /None >> >>',
        },
      ],
      objects: [
        streamOf('\0', picture),
        streamOf(
          '0.1 0.2 0.3 rg 60 640 300 40 re f',
          '/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << >>',
        ),
        streamOf('0 g 60 640 300 40 re f', '/Type /XObject /Subtype /Form /BBox [60 640 90 680] /Resources << >>'),
        streamOf('\0', `${picture} /ImageMask true`),
        '<< /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [1 0 0] /N 1 >>',
      ],
    }),
    {},
  );
  return { text: text.replaceAll(/\s+/g, ' '), unread: unread.filter(({ kind }) => kind !== 'picture') };
}

describe('text of a PDF that is not seen is left out and counted', () => {
  it.each([
    ['in white', `q 1 g ${SECRET} Q`],
    ['in white light', `q 1 1 1 rg ${SECRET} Q`],
    ['nearly white', `q 0.99 0.99 0.98 rg ${SECRET} Q`],
    ['without ink', `q 0 0 0 0 k ${SECRET} Q`],
    ['in white of a named space', `q /DeviceRGB cs 1 1 1 sc ${SECRET} Q`],
    ['in white on white', `q 1 g 0 610 595 80 re f ${SECRET} Q`],
    ['in the colour of its area', `q 0.2 0.4 0.6 rg 60 640 300 40 re f ${SECRET} Q`],
    ['without being drawn', `q BT 3 Tr ET ${SECRET} Q`],
    ['in small letters', drawn({ text: 'Secret words', y: 660, size: 1 })],
    ['made small', `q 0.1 0 0 0.1 72 600 cm ${drawn({ text: 'Secret words', x: 0, y: 600 })} Q`],
    ['outside of what a path lets through', `q 0 0 9 9 re W n ${SECRET} Q`],
    ['without opacity', `q /G0 gs ${SECRET} Q`],
    ['below the page', drawn({ text: 'Secret words', y: -40 })],
    ['beside the page', drawn({ text: 'Secret words', x: 700, y: 660 })],
    ['below an area', `${SECRET} q 0.2 0.4 0.6 rg 60 640 300 40 re f Q`],
    ['below an area of another colour space', `${SECRET} q /Spot cs 1 scn 60 640 300 40 re f Q`],
    ['below a white area', `${SECRET} q 1 g 60 640 300 40 re f Q`],
    ['below an area that a path bounds beside it', `${SECRET} q 50 600 400 90 re W n 60 640 300 40 re f Q`],
    ['below an area in a form', `${SECRET} /Fm Do`],
    ['below an area that is opaque again', `${SECRET} q /GM gs /GN gs 60 640 300 40 re f Q`],
    ['below a small picture', `${SECRET} q 300 0 0 40 60 640 cm /Im Do Q`],
    ['below an area, in several parts', `BT /F1 11 Tf 72 660 Td (Secret ) Tj (words) Tj ET q 60 640 300 40 re f Q`],
    [
      'below an area, on a line of its own',
      `BT /F1 11 Tf 72 660 Td (Secret) Tj 0 -14 Td (words) Tj ET q 60 630 300 50 re f Q`,
    ],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual({
      text: 'The rent is 900 euros. It is due in May.',
      unread: [{ kind: 'hidden_text', count: 1 }],
    });
  });

  it('beyond the edge of the page', async () => {
    const line = 'The tenant pays the rent in advance by the third working day of each month to the landlord';
    const { text, unread } = await read(drawn({ text: `${line} and his heirs.`, y: 660, size: 14 }));
    expect(text).not.toContain('heirs');
    expect(unread).toEqual([{ kind: 'hidden_text', count: 1 }]);
  });

  it('below an area on which other words are drawn at the same place', async () => {
    const { text, unread } = await read(
      `${SECRET} q 1 g 60 640 300 40 re f Q ${drawn({ text: 'Other words', y: 660 })}`,
    );
    expect(text).toBe('The rent is 900 euros. Other words It is due in May.');
    expect(unread).toEqual([{ kind: 'hidden_text', count: 1 }]);
  });

  it.each([
    ['a font', '/F3 9 0 R', 'BT /F3 11 Tf 72 660 Td (AAA) Tj ET'],
    [
      'a text in place of glyphs',
      '',
      `/Span << /ActualText <FEFF00520065006E0074DB40DC53DB40DC61DB40DC79> >> BDC ${drawn({ text: 'Rent', y: 660 })} EMC`,
    ],
  ])('in invisible characters of %s', async (_, fonts, content) => {
    const map = '1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <DB40DC61> endbfchar';
    const unmapped = Array.from({ length: 4 }, () => '<< >>');
    const { text, unread } = await readPdf(
      rawPdf({
        pages: [{ content: `${drawn({ text: 'The rent is 900 euros.', y: 700 })} ${content}`, fonts }],
        objects: [
          ...unmapped,
          '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 10 0 R >>',
          streamOf(map),
        ],
      }),
      {},
    );
    expect(text.replaceAll(/\s+/g, ' ')).toBe(fonts === '' ? 'The rent is 900 euros. Rent' : 'The rent is 900 euros.');
    expect(unread).toEqual([{ kind: 'hidden_text', count: 1 }]);
  });

  it('within a line', async () => {
    const { text, unread } = await read(
      'BT /F1 11 Tf 72 660 Td (The deposit ) Tj 1 g (is not ) Tj 0 g (is 1800 euros.) Tj ET',
    );
    expect(text).toContain('The deposit is 1800 euros.');
    expect(unread).toEqual([{ kind: 'hidden_text', count: 1 }]);
  });
});

describe('text of a PDF whose page begins by saving its state', () => {
  it.each([
    [
      'is read in white on a dark area',
      `q 0.1 0.2 0.3 rg 60 640 300 40 re f Q q 1 g ${SECRET} Q`,
      'Secret words Rent',
      [],
    ],
    [
      'is left out below an area',
      `q ${drawn({ text: 'Lease', y: 740 })} Q ${SECRET} q 0.2 0.4 0.6 rg 60 640 300 40 re f Q`,
      'Lease Rent',
      [{ kind: 'hidden_text', count: 1 }],
    ],
  ])('%s', async (_, content, shown, unread) => {
    const page = await readPdf(rawPdf({ pages: [{ content: `${content} ${drawn({ text: 'Rent', y: 600 })}` }] }), {});
    expect(page.unread).toEqual(unread);
    expect(page.text.replaceAll(/\s+/g, ' ')).toBe(shown);
  });
});

describe('text of a PDF that is seen is read', () => {
  it.each([
    ['in white on a dark area', `q 0.1 0.2 0.3 rg 60 640 300 40 re f 1 g ${SECRET} Q`],
    ['in white on dark areas of one path', `q 0 g 0 0 9 9 re 60 640 300 40 re f 1 g ${SECRET} Q`],
    ['in white on a wide line', `q 20 w 60 664 m 300 664 l S 1 g ${SECRET} Q`],
    ['in white on a form', `q /Fm Do 1 g ${SECRET} Q`],
    ['in white on a picture', `q 300 0 0 40 60 640 cm /Im Do Q q 1 g ${SECRET} Q`],
    [
      'in white on a picture within the page',
      `q 300 0 0 40 60 640 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \0 EI Q q 1 g ${SECRET} Q`,
    ],
    ['after white', `q 1 g Q ${SECRET}`],
    ['within a frame of its colour', `q 60 640 300 40 re 62 642 296 36 re f* ${SECRET} Q`],
    ['on a pale area of its colour', `q /G gs 60 640 300 40 re f ${SECRET} Q`],
    ['on what is drawn in part', `q 0 0 9 9 re W n 60 640 300 40 re f Q ${SECRET}`],
    ['with an outline', `q 1 g BT 2 Tr ET ${SECRET} Q`],
    ['in a colour that is not known', `q /Separation cs 1 sc ${SECRET} Q`],
    ['in white on a form that was drawn before', `q 1 0 0 1 0 200 cm /Fm Do Q q /Fm Do 1 g ${SECRET} Q`],
    ['within what a path lets through', `q 60 640 300 40 re W n ${SECRET} Q`],
    ['opaque after all', `q /G0 gs /G1 gs ${SECRET} Q`],
    ['over the shape of its letters', `q 72 659 m 140 659 l 140 668 l f /G0 gs ${SECRET} Q`],
    ['below a pale area', `${SECRET} q /G gs 60 640 300 40 re f Q`],
    ['below a marker', `${SECRET} q /GM gs 1 1 0 rg 60 640 300 40 re f Q`],
    ['below an area of a pattern', `${SECRET} q /Pattern cs /P1 scn 60 640 300 40 re f Q`],
    ['below an area that covers it in part', `${SECRET} q 60 640 50 40 re f Q`],
    ['below an area that covers its lower half', `${SECRET} q 60 640 300 23 re f Q`],
    ['below an area that a path cuts', `${SECRET} q 0 0 100 842 re W n 60 640 300 40 re f Q`],
    ['below an area that a form cuts', `${SECRET} /Fs Do`],
    ['below an area of a layer', `${SECRET} /OC /L1 BDC 60 640 300 40 re f EMC`],
    ['below an area that text cuts', `${SECRET} q BT 7 Tr /F1 9 Tf 80 650 Td ( ) Tj ET 60 640 300 40 re f Q`],
    ['below a frame', `${SECRET} 60 640 300 40 re 62 642 296 36 re f*`],
    ['below an area that is not upright', `${SECRET} q 0.9 0.1 -0.1 0.9 60 600 cm 0 0 400 90 re f Q`],
    ['below a mask', `${SECRET} q 300 0 0 40 60 640 cm /Mask Do Q`],
    ['in small units', drawn({ text: 'Secret words', y: 660, size: 3 })],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual({
      text: 'The rent is 900 euros. Secret words It is due in May.',
      unread: [],
    });
  });

  it('where it is below the picture of the page, or pictures of its parts', async () => {
    const part = (y: number) => `q 595 0 0 281 0 ${y} cm /Im Do Q`;
    for (const pictures of ['q 595 0 0 842 0 0 cm /Im Do Q', `${part(562)} ${part(281)} ${part(0)}`]) {
      const { text } = await read(`${SECRET} ${pictures}`);
      expect(text).toBe('The rent is 900 euros. Secret words It is due in May.');
    }
  });

  it('where it was recognised in a picture, which is drawn before it or after', async () => {
    const picture = 'q 595 0 0 842 0 0 cm /Im Do Q';
    const words = `q BT 3 Tr ET ${SECRET} Q`;
    for (const content of [`${picture} ${words}`, `${words} ${picture}`])
      expect(await read(content)).toEqual({
        text: 'The rent is 900 euros. Secret words It is due in May.',
        unread: [],
      });
  });
});
