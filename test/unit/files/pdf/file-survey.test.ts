import { describe, expect, it } from 'vitest';
import { surveyOf } from '../../../../src/files/pdf/file-survey.ts';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { rawPdf } from '../../../support/files/pdf-file.ts';

const surveyed = (text: string) => surveyOf(new TextEncoder().encode(text));

describe('surveyOf', () => {
  it.each([
    ['the key', '<< /Annots [5 0 R] >>', true],
    ['the key in other characters', '<< /A#6e#6eots [5 0 R] >>', true],
    ['packed objects', '<< /Type /ObjStm /N 3 >>', true],
    ['another key', '<< /Annot 5 0 R /AP << >> >>', false],
    ['a text', '(Annots)', false],
  ])('says whether a file may have a key: %s', async (_name, text, mayHave) => {
    expect((await surveyed(text)).mayHave('Annots')).toBe(mayHave);
  });

  it('finds a key across the end of a piece', async () => {
    expect((await surveyed(`${' '.repeat(2 ** 20 - 3)}/OCProperties`)).mayHave('OCProperties')).toBe(true);
  });

  it('does not hide a field whose keys are written in other characters', async () => {
    const { text } = await readPdf(
      rawPdf({
        pages: [{ content: '', entries: '/#41nnots [5 0 R]' }],
        objects: ['<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (Noah Lind) /F 4 /Rect [60 40 260 58] >>'],
      }),
      {},
    );
    expect(text).toBe('Noah Lind');
  });
});
