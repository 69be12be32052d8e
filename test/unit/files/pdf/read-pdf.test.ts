import { describe, expect, it } from 'vitest';
import { pageAt, type PagesLayout, partsOn, UnreadableFile } from '../../../../src/files/document.ts';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { deflated } from '../../../support/files/packed.ts';
import { drawn, type PdfLine, pdfOf, rawPdf, streamOf, wrappedPdf } from '../../../support/files/pdf-file.ts';

async function read(pages: readonly (readonly PdfLine[])[]): Promise<{ text: string; layout: PagesLayout }> {
  const { text, layout } = await readPdf(pdfOf(pages), {});
  if (layout.type !== 'pages') throw new TypeError('expected pages');
  return { text, layout };
}

/** Lines of a paragraph from the top of a page downwards. */
function lines(...texts: readonly string[]): PdfLine[] {
  return texts.map((text, i) => ({ text, y: 760 - 14 * i }));
}

/** Fills a line, so that it is not taken for the last of a paragraph. */
const LONG = 'The tenant pays the rent in advance, by the third working day of each month, to the landlord';

/** A font whose characters the table of object 5 names. */
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 5 0 R >>';

/** A table of ASCII characters, but for the tilde. @param character  UTF-16, hexadecimal */
function tildeAs(character: string): string {
  return streamOf(`/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange
    2 beginbfrange <20> <7D> <0020> <7E> <7E> <${character}> endbfrange endcmap end end`);
}

describe('readPdf', () => {
  it('leaves the page its own JSON, though pdf.js replaces it in older browsers, and in Node 20', async () => {
    await read([lines('One.')]);
    // A function of the language has no prototype; one of pdf.js has, though it prints as the other does.
    expect([JSON.parse, JSON.stringify].map((each) => Object.hasOwn(each, 'prototype'))).toEqual([false, false]);
  });

  it('joins the lines of a paragraph and parts paragraphs by a blank line', async () => {
    const { text } = await read([
      [...lines(LONG, 'or to the agent.'), { text: 'Second paragraph.', y: 700 }, { text: 'Third.', y: 670 }],
    ]);
    expect(text).toBe(`${LONG} or to the agent.\n\nSecond paragraph.\n\nThird.`);
  });

  it('puts a word together that a hyphen cuts, and keeps the hyphen of one that is written with it', async () => {
    const cut = await read([
      lines(`${LONG} or its repre-`, 'sentative, a self-employed agent, or another self-', 'employed person.'),
    ]);
    expect(cut.text).toBe(`${LONG} or its representative, a self-employed agent, or another self-employed person.`);
  });

  it.each([
    ['COMMIS-', 'SION of Bremen', 'COMMISSION of Bremen'],
    ['Bremen and its inter-', 'national port', 'international port'],
    ['the US-', 'American port', 'US-American port'],
    ['North-', 'South lines', 'North-South lines'],
    ['the form A-', '38 of it', 'A-38 of it'],
  ])('puts %s %s together as %s', async (head, tail, whole) => {
    const { text } = await read([lines(LONG, `or to the agent of the ${head}`, `${tail}.`)]);
    expect(text).toContain(whole);
  });

  it.each([
    ['at the end of a line', '~', 'the international port'],
    ['within a line', 'na~tional or', 'the international or national port'],
  ])('reads a soft hyphen %s', async (_, end, expected) => {
    const content = [LONG, `or to the inter${end}`, 'national port.'].map((text, i) =>
      drawn({ text, y: 700 - 14 * i }),
    );
    const { text, layout } = await readPdf(
      rawPdf({
        pages: [{ content: content.join('\n').replaceAll('/F1', '/F3'), fonts: '/F3 6 0 R' }],
        objects: [tildeAs('00AD'), FONT],
      }),
      {},
    );
    expect(text).toBe(`${LONG} or to ${expected}.`);
    if (layout.type !== 'pages') throw new TypeError('expected pages');
    const start = text.indexOf('national port');
    expect(partsOn(layout, 0, { start, length: 13 }).at(-1)).toEqual({ item: 2, from: 0, length: 13 });
  });

  it('leaves out and counts what is drawn in a hidden layer', async () => {
    const layer = (name: string, text: string, y: number) => `/OC /${name} BDC ${drawn({ text, y })} EMC`;
    const content = [
      layer('Shown', 'The rent is 900 euros', 700),
      layer('Hidden', 'The rent is 100 euros', 700.5),
      drawn({ text: 'for the flat.', y: 686 }),
    ];
    const { text, unread } = await readPdf(
      rawPdf({
        pages: [{ content: content.join('\n'), resources: '/Properties << /Shown 5 0 R /Hidden 6 0 R >>' }],
        objects: ['<< /Type /OCG /Name (Final) >>', '<< /Type /OCG /Name (Draft) >>'],
        catalog: '/OCProperties << /OCGs [5 0 R 6 0 R] /D << /OFF [6 0 R] >> >>',
      }),
      {},
    );
    expect([text, unread]).toEqual(['The rent is 900 euros for the flat.', [{ kind: 'hidden_text', count: 1 }]]);
  });

  it('leaves out no letter before a hidden layer on a page with accents', async () => {
    const content = `${drawn({ text: 'Cafe~ au lait', y: 700 })} /OC /Hidden BDC ${drawn({ text: 'Draft', y: 680 })} EMC`;
    const { text } = await readPdf(
      rawPdf({
        pages: [
          {
            content: content.replaceAll('/F1', '/F3'),
            fonts: '/F3 6 0 R',
            resources: '/Properties << /Hidden 7 0 R >>',
          },
        ],
        objects: [tildeAs('0301'), FONT, '<< /Type /OCG /Name (Draft) >>'],
        catalog: '/OCProperties << /OCGs [7 0 R] /D << /OFF [7 0 R] >> >>',
      }),
      {},
    );
    expect(text.normalize('NFC')).toBe('Caf\u00E9 au lait');
  });

  it('parts headings of another size or font, numbered clauses and lines set in', async () => {
    const { text } = await read([
      [
        { text: 'Lease', y: 780, size: 18 },
        { text: 'Rent', y: 760, isBold: true },
        { text: LONG, y: 746 },
        { text: '2. Heating is not included.', y: 732 },
        { text: `${LONG}.`, y: 718 },
        { text: 'An indented beginning of a paragraph', x: 90, y: 704 },
      ],
    ]);
    expect(text.split('\n\n')).toEqual([
      'Lease',
      'Rent',
      LONG,
      '2. Heating is not included.',
      `${LONG}.`,
      'An indented beginning of a paragraph',
    ]);
  });

  it('goes on over the end of a page, past the running foot', async () => {
    const foot = (page: number): PdfLine => ({ text: `Lease of 1 May, page ${page} of 3`, y: 40 });
    const { text, layout } = await read([
      [...lines(LONG), foot(1)],
      [...lines('and goes on here.'), { text: 'Other text.', y: 500 }, foot(2)],
      [...lines('Third page.'), foot(3)],
    ]);
    expect(text).toBe(`Lease of 1 May, page 1 of 3\n\n${LONG} and goes on here.\n\nOther text.\n\nThird page.`);
    expect(['goes on', 'Other', 'Third'].map((word) => pageAt(layout, text.indexOf(word)))).toEqual([1, 1, 2]);
  });

  it('says which parts of which items a span is, so that what is marked is what was read', async () => {
    const { text, layout } = await read([lines(`${LONG} or its repre-`, 'sentative.'), lines('On page two.')]);
    const start = text.indexOf('representative');
    const parts = partsOn(layout, 0, { start, length: 'representative'.length });
    expect(parts.map(({ from, length }) => [from, length])).toEqual([
      [LONG.length + ' or its '.length, 'repre'.length],
      [0, 'sentative'.length],
    ]);
    expect(partsOn(layout, 1, { start, length: 14 })).toEqual([]);
  });

  it('keeps pages without text', async () => {
    const { layout } = await read([[], lines('Text.')]);
    expect(layout.pages).toEqual([
      { start: 0, length: 0, width: 595, height: 842 },
      { start: 0, length: 5, width: 595, height: 842 },
    ]);
    expect(pageAt(layout, 0)).toBe(1);
  });

  it('reads a scanned file as an empty text, and counts pages without text', async () => {
    expect(await readPdf(pdfOf([[]]), {})).toMatchObject({ text: '', unread: [{ kind: 'textless_page', count: 1 }] });
  });

  it.each([
    ['on a page with text, once for all pages and without their masks', drawn({ text: 'Rent.', y: 700 }), 1],
    ['not on a page without text, which is reported itself', '', undefined],
  ])('reports pictures: %s', async (_name, content, count) => {
    const image = (more: string) =>
      streamOf(
        '0',
        `/Type /XObject /Subtype/Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray ${more}`,
      );
    const page = { content: `${content} /P Do`, resources: '/XObject << /P 5 0 R >>' };
    // The last one is a state of drawing, whose mask is a group.
    const objects = [image('/SMask 6 0 R'), image(''), '<< /Type /ExtGState /SMask 8 0 R >>'];
    const { unread } = await readPdf(rawPdf({ pages: content === '' ? [page] : [page, page], objects }), {});
    expect(unread.find(({ kind }) => kind === 'picture')?.count).toBe(count);
  });

  it('counts parts that are damaged', async () => {
    const content = deflated(Buffer.from(lines('One.').map(drawn).join('\n'))).slice(0, -12);
    const damaged = { content, packing: '/Filter /FlateDecode' };
    const { unread } = await readPdf(rawPdf({ pages: [{ content: drawn({ text: 'Two.', y: 700 }) }, damaged] }), {});
    expect(unread.map(({ kind }) => kind)).toContain('damage');
  });

  it('counts attached files', async () => {
    const catalog = '/Names << /EmbeddedFiles << /Names [(plan.txt) << /F (plan.txt) /EF << /F 5 0 R >> >>] >> >>';
    const pages = [{ content: drawn({ text: 'One.', y: 700 }) }];
    const { unread } = await readPdf(
      rawPdf({ pages, catalog, objects: [streamOf('a plan', '/Type /EmbeddedFile')] }),
      {},
    );
    expect(unread).toEqual([{ kind: 'attachment', count: 1 }]);
  });

  it('tells the pages that it has read', async () => {
    const told: string[] = [];
    await readPdf(pdfOf([lines('One.'), lines('Two.')]), {
      onProgress: (done, total) => told.push(`${done}/${total}`),
    });
    expect(told).toEqual(['1/2', '2/2']);
  });

  it.each([
    ['a text', new TextEncoder().encode('no PDF at all'), 'damaged'],
    ['nothing but a head', new TextEncoder().encode('%PDF-1.7\n'), 'damaged'],
    [
      'an unknown encryption',
      pdfOf([lines('x')], '/Encrypt << /Filter /Standard /V 9 >> /ID [<00> <00>]'),
      'encrypted',
    ],
    ['a certificate', pdfOf([lines('x')], '/Encrypt << /Filter /Adobe.PubSec /V 4 >> /ID [<00> <00>]'), 'encrypted'],
    ['a password', pdfOf([lines('x')], encryption()), 'encrypted'],
  ])('refuses %s', async (_name, bytes, problem) => {
    const failed: unknown = await readPdf(bytes, {}).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(UnreadableFile);
    expect(failed).toMatchObject({ problem });
  });

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    const reading = readPdf(wrappedPdf(Array.from({ length: 300 }, () => LONG)), {
      signal: controller.signal,
      onProgress: () => controller.abort(new DOMException('enough', 'AbortError')),
    });
    await expect(reading).rejects.toThrow('enough');
  });
});

/** That of a file with a password nobody knows: 40-bit RC4 with keys of zeros. */
function encryption(): string {
  const zeros = '00'.repeat(32);
  return `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${zeros}> /U <${zeros}> /P -4 >> /ID [<00> <00>]`;
}
