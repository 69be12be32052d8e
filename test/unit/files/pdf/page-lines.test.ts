import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { drawn, rawPdf, streamOf } from '../../../support/files/pdf-file.ts';

/** A line in Helvetica by its matrix. */
const turned = (matrix: string, text: string) => `BT /F1 11 Tf ${matrix} Tm (${text}) Tj ET`;

const read = async (content: string, entries = '') =>
  (await readPdf(rawPdf({ pages: [{ content, entries }] }), {})).text;

const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>';

const NOTICE = [
  'The lease of the flat ends when the tenant gives notice to the landlord, Ada',
  'Brook, three months before the end of a quarter. The tenant is liable for damage to the furni-',
  'ture of the house.',
];
const PARAGRAPH =
  'The lease of the flat ends when the tenant gives notice to the landlord, Ada Brook, three months before the end of a ' +
  'quarter. The tenant is liable for damage to the furniture of the house.';

describe('linesOf', () => {
  it.each([
    [90, (i: number) => `0 1 -1 0 ${60 + 14 * i} 50`],
    [180, (i: number) => `-1 0 0 -1 540 ${60 + 14 * i}`],
    [270, (i: number) => `0 -1 1 0 ${500 - 14 * i} 790`],
    [0, (i: number) => `1 0 0 1 50 ${700 - 14 * i}`],
  ])(
    'reads text turned by %i degrees as paragraphs, whether the page is turned back or not',
    async (rotate, matrix) => {
      const content = NOTICE.map((line, i) => turned(matrix(i), line)).join('\n');
      const deposit = turned(matrix(5), 'The deposit is 900 euros.');
      for (const entries of ['', `/Rotate ${rotate}`])
        expect(await read(`${content}\n${deposit}`, entries)).toBe(`${PARAGRAPH}\n\nThe deposit is 900 euros.`);
    },
  );

  it('reads slanted text', async () => {
    const content = [0, 1].map((i) =>
      turned(`0.966 0.259 -0.259 0.966 ${80 + 3.6 * i} ${300 - 13.5 * i}`, `Copy ${i}`),
    );
    expect(await read(content.join('\n'))).toBe('Copy 0 Copy 1');
  });

  it('parts text beside the page from text along it', async () => {
    const content = [drawn({ text: 'The deposit is 900 euros', y: 700 }), turned('0 1 -1 0 20 300', 'Form 12 of 2026')];
    expect(await read(content.join('\n'))).toBe('The deposit is 900 euros\n\nForm 12 of 2026');
  });

  it('puts a space between pieces where the next begins further left', async () => {
    const content = [
      drawn({ text: 'CANAL STREET 82 ', x: 62, y: 666, size: 7.3 }),
      drawn({ text: 'Amount ', x: 457, y: 660, size: 8.8 }),
      drawn({ text: '4835 AC BREMEN', x: 62.5, y: 656, size: 6.8 }),
    ];
    expect(await read(content.join('\n'))).toContain('Amount 4835 AC BREMEN');
  });

  it('puts a space where two runs have a gap, and none where they touch', async () => {
    const content = [
      drawn({ text: 'Amount', y: 700, isBold: true }),
      drawn({ text: '4835', x: 120, y: 700 }),
      'BT /F1 11 Tf 1 0 0 1 72 660 Tm [(Rent) -300 (and) -280 (hea) 20 (ting)] TJ ET',
    ];
    expect(await read(content.join('\n'))).toBe('Amount 4835\n\nRent and heating');
  });

  it('parts what a form on the page draws from the text before it', async () => {
    const form = streamOf(drawn({ text: 'The deposit is 900 euros.', y: 400 }), FORM);
    const text = drawn({ text: 'Lease of Ada Brook.', y: 700 });
    const file = rawPdf({
      pages: [{ content: `${text} /Form Do`, resources: '/XObject << /Form 5 0 R >>' }],
      objects: [form],
    });
    expect((await readPdf(file, {})).text).toBe('Lease of Ada Brook.\n\nThe deposit is 900 euros.');
  });

  it('reads the same text below itself in forms that each draw a row', async () => {
    const row = (name: string, y: number) =>
      streamOf(`${drawn({ text: name, y })} ${drawn({ text: 'Yes', x: 300, y })}`, FORM);
    const file = rawPdf({
      pages: [{ content: '/A Do /B Do /C Do', resources: '/XObject << /A 5 0 R /B 6 0 R /C 7 0 R >>' }],
      objects: [row('Ann', 700), row('Bob', 680), row('Cleo', 660)],
    });
    const { text } = await readPdf(file, {});
    expect(text.match(/Ann|Bob|Cleo|Yes/g)).toEqual(['Ann', 'Yes', 'Bob', 'Yes', 'Cleo', 'Yes']);
  });

  it.each([
    ['a raised number after a number', '10', { text: '3', x: 84, y: 704, size: 7 }, '10^3'],
    ['a raised number after letters', 'm', { text: '2', x: 81, y: 704, size: 7 }, 'm2'],
    ['a number on the line', '10', { text: '3', x: 84, y: 700, size: 11 }, '103'],
  ])('reads %s', async (_, before, after, expected) => {
    expect(await read(`${drawn({ text: before, y: 700 })} ${drawn({ ...after, isBold: true })}`)).toBe(expected);
  });

  it('puts a space where words go from right to left', async () => {
    const content = ['one', 'two'].map((text, i) => drawn({ text, x: 300 - 25 * i, y: 700 }));
    expect(await read(content.join('\n'))).toBe('one two');
  });

  it('reads text once that is drawn twice to look bold', async () => {
    const content = [72, 72.4].map((x) => drawn({ text: 'Total 4500', x, y: 700 })).join('\n');
    expect(await read(content)).toBe('Total 4500');
  });
});
