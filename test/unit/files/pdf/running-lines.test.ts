import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { pdfOf, type PdfLine } from '../../../support/files/pdf-file.ts';

const read = (pages: readonly (readonly PdfLine[])[]) => readPdf(pdfOf(pages), {});

/** Pages of a sentence each, with what is in their margins. */
function pages(count: number, margins: (page: number) => readonly PdfLine[]): PdfLine[][] {
  const names = ['harbour', 'museum', 'garden', 'library', 'station', 'market'];
  return Array.from({ length: count }, (_, i) => [
    { text: `The ${names[i]} of the town is described on this sheet.`, y: 600 },
    ...margins(i + 1),
  ]);
}

const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi'];

describe('runningLines', () => {
  it.each([
    ['a number', (page: number) => String(page)],
    ['a number between dashes', (page: number) => `- ${page} -`],
    ['a number of all', (page: number) => `${page} / 4`],
    ['words', (page: number) => `Page ${page} of 4`],
    ['German words', (page: number) => `Seite ${page} von 4`],
    ['a number from 117', (page: number) => String(116 + page)],
    ['a Roman number', (page: number) => ROMAN[page - 1] ?? ''],
  ])('leaves out and counts page numbers: %s', async (_name, numberOf) => {
    for (const y of [40, 800]) {
      const { text, unread } = await read(pages(4, (page) => [{ text: numberOf(page), x: 290, y }]));
      expect(text).not.toContain(numberOf(2));
      expect(text.split('\n\n')).toHaveLength(4);
      expect(unread).toEqual([{ kind: 'page_number', count: 4 }]);
    }
  });

  it('leaves out the numbers of two pages', async () => {
    const { text } = await read(pages(2, (page) => [{ text: `Page ${page} of 2`, y: 40 }]));
    expect(text).not.toContain('Page');
  });

  it.each([
    ['on a single page', ['4500']],
    ['that do not count up', ['4500', '310', '72']],
    ['that count down', ['3', '2', '1']],
    ['of two pages', ['12', '13']],
    ['that are years', ['2021', '2022', '2023', '2024']],
  ])('reads numbers at the end of pages %s', async (_name, numbers) => {
    const { text, unread } = await read(pages(numbers.length, (page) => [{ text: numbers[page - 1] ?? '', y: 60 }]));
    expect(text.match(/\d+/g)).toEqual(numbers);
    expect(unread).toEqual([]);
  });

  it('reads the last line of an invoice', async () => {
    const { text } = await read([
      [
        { text: 'Invoice of Ada Brook', y: 780, size: 14 },
        { text: 'Paint and brushes for the shed of the museum.', y: 750 },
        { text: 'Total in euros:', y: 720 },
        { text: '4500', y: 700 },
      ],
    ]);
    expect(text.endsWith('4500')).toBe(true);
  });

  it('reads every copy of a form, though its lines differ in numbers only', async () => {
    const slip = (month: number, pay: number): PdfLine[] => [
      { text: 'Payslip of Ada Brook', y: 780, size: 14 },
      { text: `Month: ${month}/2026`, y: 750 },
      { text: `Net pay: ${pay} euros`, y: 730 },
      { text: `Paid on: ${month + 2} May`, y: 710 },
    ];
    const { text, unread } = await read([slip(1, 2310), slip(2, 2450), slip(3, 2290)]);
    for (const pay of [2310, 2450, 2290]) expect(text).toContain(`Net pay: ${pay} euros`);
    expect(text.match(/Payslip of Ada Brook/g)).toHaveLength(3);
    expect(unread).toEqual([]);
  });

  it('reads a head and a foot once, and never between the parts of a sentence', async () => {
    const sentence = 'The tenant pays the rent in advance, by the third working day of each month, to the landlord';
    const body = [
      sentence,
      'and tells the agent, who keeps a list of all payments in a book that is bound in',
      'leather.',
    ];
    const { text, unread } = await read(
      body.map((line, i) => [
        { text: 'Lease 4711 of Canal Street', y: 800 },
        { text: line, y: 600 },
        { text: `Brook and Lind, page ${i + 1} of 3`, y: 40 },
      ]),
    );
    expect(text).toBe(`Lease 4711 of Canal Street\n\nBrook and Lind, page 1 of 3\n\n${body.join(' ')}`);
    expect(unread).toEqual([{ kind: 'running_head', count: 4 }]);
  });

  it('reads lines of one height that differ in more than a number that counts', async () => {
    const { text } = await read(
      pages(4, (page) => [{ text: `Rent of month ${page}: ${500 + 7 * page} euros`, y: 40 }]),
    );
    expect(text.match(/Rent of month/g)).toHaveLength(4);
  });

  it('reads heads with numbers that count, but not pages', async () => {
    const { text } = await read(pages(4, (page) => [{ text: `Invoice ${4710 + page}`, y: 800 }]));
    expect(text.match(/Invoice \d+/g)).toEqual(['Invoice 4711', 'Invoice 4712', 'Invoice 4713', 'Invoice 4714']);
  });

  it('reads what pages repeat in their middle', async () => {
    const { text } = await read(pages(4, () => [{ text: 'Signed by both parties', y: 420 }]));
    expect(text.match(/Signed by both parties/g)).toHaveLength(4);
  });
});
