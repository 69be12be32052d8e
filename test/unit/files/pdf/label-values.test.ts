import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { pdfOf, type PdfLine } from '../../../support/files/pdf-file.ts';

const column = (x: number, ys: readonly number[], texts: readonly string[]): PdfLine[] =>
  texts.map((text, at) => ({ text, x, y: ys[at] ?? 0 }));

const textOf = async (lines: readonly PdfLine[]) => (await readPdf(pdfOf([lines]), {})).text;

describe('a column of labels', () => {
  const LABELS = column(72, [700, 686, 658], ['Tenant:', 'Rent:', 'Deposit:']);

  it('is read with the value beside each label, though the file draws all labels first', async () => {
    const values = column(200, [700, 686, 672, 658], ['Noah Lind', '900 euros', 'without heating', '1800 euros']);
    expect(await textOf([...LABELS, ...values, { text: 'Signed.', y: 600 }])).toBe(
      'Tenant: Noah Lind Rent: 900 euros without heating Deposit: 1800 euros\n\nSigned.',
    );
  });

  it('is read as it is drawn where a label has no value', async () => {
    const values = column(200, [700, 658], ['Noah Lind', '1800 euros']);
    expect(await textOf([...LABELS, ...values])).toBe('Tenant:\n\nRent:\n\nDeposit:\n\nNoah Lind\n\n1800 euros');
  });

  it('is none where one line ends so beside another column', async () => {
    const left = column(72, [700, 686], ['The tenant pays:', 'the rent.']);
    const right = column(300, [700, 686], ['The landlord pays', 'the taxes.']);
    expect(await textOf([...left, ...right])).toBe('The tenant pays:\n\nthe rent.\n\nThe landlord pays the taxes.');
  });
});
