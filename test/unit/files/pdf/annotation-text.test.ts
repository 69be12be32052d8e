import { describe, expect, it } from 'vitest';
import type { PagesLayout } from '../../../../src/files/document.ts';
import { partsOn } from '../../../../src/files/document.ts';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { drawn, type PdfLine, rawPdf, streamOf } from '../../../support/files/pdf-file.ts';

/** A drawing of an annotation that shows a text. */
const appearance = (text: string) =>
  streamOf(
    `/Tx BMC q BT /F1 11 Tf 2 4 Td (${text}) Tj ET Q EMC`,
    '/Type /XObject /Subtype /Form /BBox [0 0 200 18] /Resources << /Font << /F1 3 0 R >> >>',
  );

/** A page with lines and annotations: each is an object, from number 5 on; drawings follow them. */
function read(lines: readonly PdfLine[], annotations: readonly string[], drawings: readonly string[] = [], form = '') {
  const fields = annotations.map((_, i) => `${5 + i} 0 R`).join(' ');
  const objects = annotations
    .map((entries) => `<< /Type /Annot /F 4 /DA (/F1 11 Tf 0 g) ${entries} >>`)
    .concat(drawings);
  const content = lines.map(drawn).join('\n');
  return readPdf(
    rawPdf({
      pages: [{ content, entries: `/Annots [${fields}]` }],
      objects,
      catalog: `/AcroForm << /Fields [${fields}] /DA (/F1 11 Tf 0 g) /DR << /Font << /F1 3 0 R >> >> ${form} >>`,
    }),
    {},
  );
}

const field = (rest: string, y = 696) => `/Subtype /Widget /T (f) /Rect [160 ${y} 360 ${y + 18}] ${rest}`;
const LABEL: readonly PdfLine[] = [
  { text: 'The tenant is:', y: 700 },
  { text: 'The lease starts on 1 May 2026.', y: 670 },
];

describe('annotationText', () => {
  it('reads a field below its label', async () => {
    const lines = [
      { text: 'This lease is made between the landlord, Ada Brook, and the tenant:', y: 750 },
      { text: 'The lease starts on 1 May 2026.', y: 700 },
    ];
    const tenant = '/Subtype /Widget /FT /Tx /T (tenant) /V (Noah Lind) /Rect [60 722 260 740] /AP << /N 6 0 R >>';
    const { text } = await read(lines, [tenant], [appearance('Noah Lind')]);
    expect(text).toBe(`${lines[0]?.text} Noah Lind\n\n${lines[1]?.text}`);
  });

  it.each([
    ['text', field('/FT /Tx /V (Noah Lind) /AP << /N 6 0 R >>'), 'The tenant is: Noah Lind'],
    ['text without a drawing', field('/FT /Tx /V (Noah Lind)'), 'The tenant is: Noah Lind'],
    ['text with a drawing alone', field('/FT /Tx /AP << /N 6 0 R >>'), 'The tenant is: Noah Lind'],
    ['a chosen entry', field('/FT /Ch /Ff 131072 /V (b) /Opt [[(a) (Ada)] [(b) (Noah Lind)]]'), 'is: Noah Lind'],
    ['entries of a list', field('/FT /Ch /V [(Ada) (Noah)] /Opt [(Ada) (Noah) (Eve)]'), /is: Ada/],
    ['a ticked box', field('/FT /Btn /AS /Yes /AP << /N << /Yes 6 0 R /Off 7 0 R >> >>'), 'The tenant is: ☒'],
    ['an empty box', field('/FT /Btn /AS /Off /AP << /N << /Yes 6 0 R /Off 7 0 R >> >>'), 'The tenant is: ☐'],
    ['a ticked box without drawings', field('/FT /Btn /V /Yes /AS /Yes'), 'The tenant is: ☒'],
    ['a radio button', field('/FT /Btn /Ff 32768 /V /b /AS /b /AP << /N << /b 6 0 R /Off 7 0 R >> >>'), 'is: ☒'],
    [
      'another radio button',
      field('/FT /Btn /Ff 32768 /V /b /AS /Off /AP << /N << /a 6 0 R /Off 7 0 R >> >>'),
      'is: ☐',
    ],
    ['a note on the page', field('/Subtype /FreeText /Contents (Noah Lind)'), 'The tenant is: Noah Lind'],
    ['a drawn note', '/Subtype /FreeText /Rect [160 696 360 714] /AP << /N 6 0 R >>', 'The tenant is: Noah Lind'],
    ['a stamp', '/Subtype /Stamp /Rect [160 696 360 714] /AP << /N 6 0 R >>', 'The tenant is: Noah Lind'],
    ['a watermark', '/Subtype /Watermark /Rect [160 696 360 714] /AP << /N 6 0 R >>', 'is: Noah Lind'],
    ['a signature', field('/FT /Sig /AP << /N 6 0 R >>'), 'The tenant is: Noah Lind'],
    ['the face of a button', field('/FT /Btn /Ff 65536 /A << /S /Named /N /Print >> /AP << /N 6 0 R >>'), 'Noah Lind'],
  ])('reads %s at its place', async (_name, annotation, expected) => {
    const { text, unread } = await read(LABEL, [annotation], [appearance('Noah Lind'), appearance('')]);
    expect(text).toMatch(expected);
    expect(text.indexOf('lease starts')).toBeGreaterThan(text.indexOf('is:'));
    expect(unread).toEqual([]);
  });

  it('reads the lines of a field, also where viewers are asked to draw it', async () => {
    const value = field('/FT /Tx /Ff 4096 /V (First Street 1\\nBremen)', 690);
    const { text } = await read(LABEL, [value], [], '/NeedAppearances true');
    expect(text).toContain('First Street 1 Bremen');
  });

  it.each([
    ['a hidden field', `${field('/FT /Tx /V (secret)')} /F 2`],
    ['a password', field('/FT /Tx /Ff 8192 /V (secret)')],
  ])('leaves out %s', async (_name, annotation) => {
    expect((await read(LABEL, [annotation])).text).not.toContain('secret');
  });

  it.each([
    ['comment', '/Subtype /Text /Rect [160 696 180 714] /Contents (Ask the landlord)'],
    [
      'comment',
      '/Subtype /Highlight /Rect [160 696 180 714] /Contents (Ask the landlord) /QuadPoints [1 2 3 2 1 1 3 1]',
    ],
    ['attachment', '/Subtype /FileAttachment /Rect [160 696 180 714] /FS << /F (plan.txt) >>'],
    ['annotation', '/Subtype /Stamp /Rect [160 696 360 714] /AP << /N 7 0 R >>'],
    ['field', field('/FT /Btn /Ff 32768 /V /b')],
  ])('counts what is not read as %s', async (kind, annotation) => {
    const { unread } = await read(
      LABEL,
      [annotation],
      [appearance('Noah'), streamOf('0 0 9 9 re f', '/Subtype /Form /BBox [0 0 9 9]')],
    );
    expect(unread).toEqual([{ kind, count: 1 }]);
  });

  it('counts a form in the format XFA', async () => {
    const { unread } = await readPdf(
      rawPdf({
        pages: [{ content: drawn({ text: 'Please wait', y: 700 }) }],
        objects: [streamOf('<xdp></xdp>')],
        catalog: '/AcroForm << /Fields [] /XFA 5 0 R >> /NeedsRendering true',
      }),
      {},
    );
    expect(unread).toEqual([{ kind: 'form', count: 1 }]);
  });

  it('is drawn as an item of the page, which can be marked', async () => {
    const { text, layout } = await read(LABEL, [field('/FT /Tx /V (Noah Lind)')]);
    const parts = partsOn(layout as PagesLayout, 0, { start: text.indexOf('Noah'), length: 9 });
    expect(parts).toEqual([{ item: 2, from: 0, length: 9 }]);
  });
});
