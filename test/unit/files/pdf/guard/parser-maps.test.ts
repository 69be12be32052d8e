import { describe, expect, it } from 'vitest';
import { partsOn } from '../../../../../src/files/document.ts';
import { type DictionaryReport, reportingMap } from '../../../../../src/files/pdf/guard/parser-maps.ts';
import { readPdf } from '../../../../../src/files/pdf/read-pdf.ts';
import { drawn, rawPdf, streamOf } from '../../../../support/files/pdf-file.ts';

const read = (content: string) => readPdf(rawPdf({ pages: [{ content }] }), {});

/** Text of which a part has a text of its own. @param marks  entries of the dictionary of that part */
const marked = (marks: string, shown: string) =>
  `BT /F1 11 Tf 72 700 Td (The fee is ) Tj /Span << ${marks} >> BDC ${shown} EMC ( euros.) Tj ET`;

describe('text that a file gives for what it draws', () => {
  it.each([
    ['in bytes', '/ActualText (twelve)', 'twelve'],
    ['in UTF-16', '/ActualText <FEFF007A007700F60066>', 'zwöf'],
    ['in UTF-8', '/ActualText <EFBBBFC3BC6265>', 'übe'],
    ['in bytes that are no letters', String.raw`/ActualText (\2125\205\240\374\03690)`, '−5–€ü˚90'],
    ['with a number of its own', '/MCID 3 /ActualText (twelve)', 'twelve'],
    ['with a number after it', '/ActualText (twelve) /MCID 3', 'twelve'],
    ['that is empty', '/ActualText ()', ''],
  ])('is read, %s', async (_name, marks, expected) => {
    const { text } = await read(marked(marks, '(XII) Tj'));
    expect(text.replaceAll(/\s+/g, ' ')).toBe(`The fee is ${expected} euros.`.replaceAll(/\s+/g, ' '));
  });

  it('stands for all that it is around, once', async () => {
    const { text } = await read(
      marked('/ActualText (twelve)', '(X) Tj /Span << /ActualText (no) >> BDC (I) Tj EMC (I) Tj'),
    );
    expect(text).toBe('The fee is twelve euros.');
  });

  it('is marked as a whole, within the item that shows it', async () => {
    const { text, layout } = await read(marked('/ActualText (twelve)', '(XII) Tj'));
    if (layout.type !== 'pages') throw new TypeError('expected pages');
    expect(partsOn(layout, 0, { start: text.indexOf('twelve'), length: 6 })).toMatchObject([{ from: 0, length: 6 }]);
  });

  it('divides a word as a soft hyphen does', async () => {
    const long = 'The tenant pays the rent in advance, by the third working day of each month, to the inter';
    const { text } = await read(
      `BT /F1 11 Tf 72 700 Td (${long}) Tj /Span << /ActualText <FEFF00AD> >> BDC (-) Tj EMC 0 -14 Td (national port.) Tj ET`,
    );
    expect(text).toBe(`${long}national port.`);
  });

  it('remains hidden with what a hidden layer draws', async () => {
    const content = `${drawn({ text: 'Rent: 900', y: 740 })} /OC /Off BDC ${marked('/ActualText (twelve)', '(XII) Tj')} EMC`;
    const { text, unread } = await readPdf(
      rawPdf({
        pages: [{ content, resources: '/Properties << /Off 5 0 R >>' }],
        objects: ['<< /Type /OCG /Name (Draft) >>'],
        catalog: '/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >>',
      }),
      {},
    );
    expect(text).toBe('Rent: 900');
    expect(unread).toEqual([{ kind: 'hidden_text', count: 1 }]);
  });
});

describe('text that the structure of a file gives', () => {
  /** Marked content with numbers from 0 on, below elements of these entries. */
  const structured = (elements: readonly string[], shown: string, mark = '/Span << /MCID 0 >>') => {
    const first = 8;
    const kids = elements.map((_, i) => `${first + i} 0 R`).join(' ');
    const page = `${first + elements.length} 0 R`;
    return readPdf(
      rawPdf({
        pages: [
          {
            content: `BT /F1 11 Tf 72 700 Td (The fee is ) Tj ${mark} BDC ${shown} EMC ( euros.) Tj ET`,
            entries: '/StructParents 0',
            resources: '/Properties << /P0 << /MCID 0 >> /P1 << /ActualText (twelve) >> >>',
          },
        ],
        objects: [
          '<< /Type /StructTreeRoot /K 6 0 R /ParentTree 7 0 R >>',
          `<< /Type /StructElem /S /P /P 5 0 R /Pg ${page} /K [${kids}] >>`,
          `<< /Nums [0 [${kids}]] >>`,
          ...elements.map((entries) => `<< /Type /StructElem /S /Span /P 6 0 R /Pg ${page} ${entries} >>`),
        ],
        catalog: '/MarkInfo << /Marked true >> /StructTreeRoot 5 0 R',
      }),
      {},
    );
  };
  const twoParts = '(X) Tj EMC /Span << /MCID 1 >> BDC (II) Tj';

  it.each([
    ['for one part', ['/K 0 /ActualText (twelve)'], '(XII) Tj', undefined, 'twelve'],
    ['for several parts, once', ['/K [0 1] /ActualText (twelve)'], twoParts, undefined, 'twelve'],
    ['beside a description', ['/K 0 /Alt (no) /ActualText (twelve)'], '(XII) Tj', undefined, 'twelve'],
    ['before a description', ['/K 0 /ActualText (twelve) /Alt (no)'], '(XII) Tj', undefined, 'twelve'],
    ['for a part with named properties', ['/K 0 /ActualText (twelve)'], '(XII) Tj', '/Span /P0', 'twelve'],
    ['in named properties', ['/K 3'], '(XII) Tj', '/Span /P1', 'twelve'],
    ['for another part alone', ['/K 0', '/K 1 /ActualText (2)'], twoParts, undefined, 'X2'],
    ['as a description alone', ['/K 0 /Alt (no)'], '(XII) Tj', undefined, 'XII'],
  ])('is read %s', async (_name, elements, shown, mark, expected) => {
    const { text } = await structured(elements, shown, mark);
    expect(text).toBe(`The fee is ${expected} euros.`);
  });

  it('is not used for a number that two parts of a page have', async () => {
    expect((await structured(['/K 0 /ActualText (no)', '/K 0'], '(XII) Tj')).text).toBe('The fee is XII euros.');
  });
});

/** A font that draws its glyphs itself and names them by their codes, as dvips does. */
function drawnFont(codes: readonly number[]): string[] {
  const names = codes.map((code) => `/a${code}`);
  return [
    streamOf('600 0 0 0 500 700 d1 0 0 500 700 re f'),
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 0 /LastChar 127 ` +
      `/CharProcs << ${names.map((name) => `${name} 5 0 R`).join(' ')} >> /Widths [${'600 '.repeat(128)}] ` +
      `/Encoding << /Differences [${codes.map((code) => `${code} /a${code}`).join(' ')}] >> >>`,
  ];
}

/** A page whose second line is in such a font. */
function readDrawn(text: string) {
  const content = `${drawn({ text: 'Lease', y: 740 })} BT /F3 11 Tf 72 700 Td (${text}) Tj ET`;
  const objects = drawnFont([...new Set(Array.from(text, (character) => character.charCodeAt(0)))]);
  return readPdf(rawPdf({ pages: [{ content, fonts: '/F3 6 0 R' }], objects }), {});
}

describe('fonts that draw their glyphs', () => {
  it('have the ligatures of TeX at its codes', async () => {
    const { text, unread } = await readDrawn('the de\fnition of the o\x0Ece, its e\x0Bect and \rag');
    expect(text).toContain('the definition of the office, its effect and flag');
    expect(unread).toEqual([]);
  });

  it('name no other character at such a code: it is counted as not read', async () => {
    const { text, unread } = await readDrawn('the tenant pays the rent in advance \x02 by the third working day');
    expect(text).toContain('in advance');
    expect(unread).toEqual([{ kind: 'symbol', count: 1 }]);
  });
});

describe('reportingMap', () => {
  it('is a map to all others', () => {
    const reports: DictionaryReport[] = [];
    const Reporting = reportingMap((report) => reports.push(report));
    const map = new Reporting([['a', 1]]).set('MCID', 7).set('ActualText', 5);
    expect([...map]).toEqual([
      ['a', 1],
      ['MCID', 7],
      ['ActualText', 5],
    ]);
    expect(reports).toEqual([]);
  });

  it('numbers a dictionary that has a text', () => {
    const reports: DictionaryReport[] = [];
    const Reporting = reportingMap((report) => reports.push(report));
    const map = new Reporting().set('ActualText', 'x').set('MCID', 7);
    expect(reports).toEqual([{ type: 'parser-actual-text', id: map.get('MCID'), text: 'x' }]);
  });
});
