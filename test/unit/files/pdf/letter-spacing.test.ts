import { describe, expect, it } from 'vitest';
import { partsOn } from '../../../../src/files/document.ts';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { pdfOf, rawPdf } from '../../../support/files/pdf-file.ts';

const read = (content: string) => readPdf(rawPdf({ pages: [{ content }] }), {});

/** A line with room after each letter, in 72nds of an inch, as styles for headings ask for. */
const spacedBy = (room: number, text: string) => `BT /F2 18 Tf ${room} Tc 72 740 Td (${text}) Tj ET`;

describe('words with letters set apart', () => {
  it.each([
    ['C O N T R A C T', 'CONTRACT'],
    ['P A Y S L I P   M A Y', 'PAYSLIP MAY'],
    ['V e r t r a g', 'Vertrag'],
  ])('are read as words where spaces are between the letters: %s', async (text, expected) => {
    const page = await readPdf(pdfOf([[{ text, y: 740, size: 18 }]]), {});
    expect(page.text).toBe(expected);
  });

  it.each([2, 5, 9, 15])('are read as words with %s points between the letters', async (room) => {
    const { text } = await read(spacedBy(room, 'LEASE CONTRACT'));
    expect(text).toBe('LEASE CONTRACT');
  });

  it('are marked letter by letter', async () => {
    const { text, layout } = await read(spacedBy(5, 'LEASE CONTRACT'));
    if (layout.type !== 'pages') throw new TypeError('expected pages');
    const start = text.indexOf('ACT');
    expect(partsOn(layout, 0, { start, length: 3 }).map(({ from }) => from)).toEqual([10, 12, 14]);
  });

  it.each([
    ['days of the week', 'M T W T F S S'],
    ['columns', 'A B C D E G'],
    ['grades', 'A B A C D B'],
    ['variables', 'x y z u v'],
    ['marks in boxes', 'X X X X X X'],
    ['digits', '1 2 3 4 5'],
    ['initials', 'A J K E'],
  ])('are none of the following: %s', async (_name, text) => {
    const page = await readPdf(pdfOf([[{ text, y: 740 }]]), {});
    expect(page.text).toBe(text);
  });
});
