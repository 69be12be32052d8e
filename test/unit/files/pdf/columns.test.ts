import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { pdfOf, type PdfLine } from '../../../support/files/pdf-file.ts';

/** Rows drawn one after another, each cell at its place. @param shift  of each next column, downwards */
function rows(xs: readonly number[], cells: readonly (readonly string[])[], shift = 0): PdfLine[] {
  return cells.flatMap((row, i) => row.map((text, j) => ({ text, x: xs[j] ?? 0, y: 700 - 14 * i - shift * j })));
}

const read = async (lines: readonly PdfLine[]) => (await readPdf(pdfOf([lines]), {})).text;

const LEFT = ['The museum of the harbour opens at', 'nine each morning and closes at', 'six in the evening.'];
const RIGHT = ['The café of the house is run by', 'Frieda Holm, who came from Malmö', 'in the year 2019.'];
const THIRD = ['A boat to the islands leaves from', 'the pier behind the house, twice', 'on each day.'];
const across = (...columns: readonly (readonly string[])[]) =>
  LEFT.map((_, i) => columns.map((column) => column[i] ?? ''));

describe('columnsOf', () => {
  it.each([
    ['two', [60, 320], [LEFT, RIGHT], 0],
    ['two, whose lines are not level', [60, 320], [LEFT, RIGHT], 6],
    ['two at a short distance', [60, 256], [LEFT, RIGHT], 0],
    ['three', [40, 230, 420], [LEFT, RIGHT, THIRD], 0],
  ])('reads columns drawn line by line one after the other: %s', async (_name, xs, columns, shift) => {
    const text = await read(rows(xs, across(...columns), shift));
    expect(text.split('\n\n')).toEqual(columns.map((column) => column.join(' ')));
  });

  it('reads columns below a heading, and text below them', async () => {
    const heading = { text: 'News of the harbour museum for all who come to see it this year', y: 730, size: 14 };
    const below = {
      text: 'All of this was told by the harbour master, whose office is open on weekdays.',
      x: 60,
      y: 640,
    };
    const text = await read([heading, ...rows([60, 320], across(LEFT, RIGHT)), below]);
    expect(text.split('\n\n')).toEqual([heading.text, LEFT.join(' '), RIGHT.join(' '), below.text]);
  });

  it.each([
    [
      'numbers',
      [60, 250, 400],
      [
        ['Item', 'Pieces', 'Price'],
        ['Paint', '2', '18.50'],
        ['Brushes', '4', '12.00'],
        ['Ladder', '1', '89.00'],
      ],
    ],
    [
      'short texts',
      [60, 320],
      [
        ['paint', 'two buckets'],
        ['brushes', 'three pieces'],
        ['a ladder', 'one piece'],
      ],
    ],
    [
      'labels and values',
      [60, 320],
      [
        ['Name of the tenant', 'Noah Lind'],
        ['Address of the flat', 'Canal Street 82'],
        ['Start of the lease', '1 May 2026'],
      ],
    ],
    [
      'sentences in cells',
      [60, 330],
      [
        ['The roof leaks in heavy rain.', 'The landlord repairs it in May.'],
        ['The heating fails at night.', 'A plumber has been called.'],
        ['The door does not close.', 'The tenant oils the hinges.'],
      ],
    ],
  ])('reads a table row by row: %s', async (_name, xs, cells) => {
    expect(await read(rows(xs, cells))).toContain(cells.map((row) => row.join(' ')).at(1));
    expect((await read(rows(xs, cells))).replaceAll(/\s+/g, ' ')).toBe(cells.map((row) => row.join(' ')).join(' '));
  });
});
