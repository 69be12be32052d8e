import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { pdfOf, type PdfLine } from '../../../support/files/pdf-file.ts';

/** Texts below one another. @param gap  of baselines; letters are 11 high */
const column = (x: number, texts: readonly string[], gap = 16): PdfLine[] =>
  texts.flatMap((text, row) => (text === '' ? [] : [{ text, x, y: 700 - gap * row }]));

const textOf = async (lines: readonly PdfLine[]) => (await readPdf(pdfOf([lines]), {})).text;

const LABELS = ['Tenant', 'Landlord', 'Deposit'];
const VALUES = ['Noah Lind', 'Ada Brook', '900 euros'];
const END = { text: 'Signed in Bremen.', y: 600 };

describe('a table that the file draws column by column', () => {
  it('is read row by row where a column has figures, also with empty cells', async () => {
    const columns = [
      ...column(72, ['Item', 'Rent', 'Heating', 'Garage']),
      ...column(250, ['Amount', '900', '80', '']),
      ...column(400, ['Due', '1 May', '2 June', '3 July']),
    ];
    expect(await textOf([{ text: 'Costs of the flat', y: 740 }, ...columns, END])).toBe(
      'Costs of the flat\n\nItem Amount Due Rent 900 1 May Heating 80 2 June Garage 3 July\n\nSigned in Bremen.',
    );
  });

  it('is read row by row where its first column is bold', async () => {
    const labels = column(72, LABELS).map((label) => ({ ...label, isBold: true }));
    expect(await textOf([...labels, ...column(250, VALUES), END])).toBe(
      'Tenant Noah Lind Landlord Ada Brook Deposit 900 euros\n\nSigned in Bremen.',
    );
  });

  it('is read row by row where its rows are far apart', async () => {
    expect(await textOf([...column(72, LABELS, 24), ...column(250, VALUES, 24), END])).toBe(
      'Tenant Noah Lind\n\nLandlord Ada Brook\n\nDeposit 900 euros\n\nSigned in Bremen.',
    );
  });

  it('is not two addresses beside each other', async () => {
    const addresses = [
      ...column(72, ['Ada Brook', 'Hill Road 3', '28195 Bremen'], 14),
      ...column(300, ['Noah Lind', 'Sea Street 5', '24103 Kiel'], 14),
    ];
    expect(await textOf(addresses)).toBe('Ada Brook Hill Road 3 28195 Bremen\n\nNoah Lind Sea Street 5 24103 Kiel');
  });

  it('is not two columns of prose', async () => {
    const left = ['The tenant pays the rent in', 'advance by the third working', 'day of each month.'];
    const right = ['Heating is paid by the one', 'who uses it, and the deposit', 'comes back after 6 months.'];
    expect(await textOf([...column(72, left, 14), ...column(300, right, 14)])).toBe(
      `${left.join(' ')}\n\n${right.join(' ')}`,
    );
  });
});
