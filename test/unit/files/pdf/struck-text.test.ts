import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { drawn, rawPdf } from '../../../support/files/pdf-file.ts';

/** 104.6 units wide, in letters of 11 units, the baseline at 660. */
const RENT = drawn({ text: 'The rent is 900 euros.', y: 660 });

async function read(content: string) {
  const { text, unread } = await readPdf(
    rawPdf({ pages: [{ content: `${drawn({ text: 'Lease of a flat', y: 700 })} ${content}` }] }),
    {},
  );
  return { text: text.replaceAll(/\s+/g, ' '), unread };
}

describe('text of a PDF that a line goes through is read and counted', () => {
  it.each([
    ['a line', `${RENT} 0.5 w 72 663 m 176 663 l S`],
    ['a thin area', `${RENT} 72 662.6 104 0.8 re f`],
    ['a thin outline', `${RENT} 72 662.6 m 176 662.6 l 176 663.4 l 72 663.4 l h f*`],
    ['a line that is drawn before it', `72 662.6 104 0.8 re f ${RENT}`],
    ['a line through some of its words', `${RENT} 72 662.6 42 0.8 re f`],
    [
      'a line through words that are drawn one by one',
      `BT /F1 11 Tf 72 660 Td (The) Tj 22 0 Td (rent) Tj 23 0 Td (is) Tj 11 0 Td (900) Tj 21 0 Td (euros.) Tj ET 72 662.6 104 0.8 re f`,
    ],
    [
      'a line in smaller units',
      `q 0.5 0 0 0.5 0 0 cm ${drawn({ text: 'The rent is 900 euros.', x: 144, y: 1320, size: 22 })} 144 1325 208 2 re f Q`,
    ],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual({
      text: 'Lease of a flat The rent is 900 euros.',
      unread: [{ kind: 'struck_text', count: 1 }],
    });
  });

  it('each line counts, though one path has several', async () => {
    const next = drawn({ text: 'The rent is 950 euros.', y: 646 });
    const { unread } = await read(`${RENT} ${next} 72 663 m 176 663 l 72 649 m 176 649 l S`);
    expect(unread).toEqual([{ kind: 'struck_text', count: 2 }]);
  });
});

describe('text of a PDF with a line elsewhere is not struck', () => {
  it.each([
    ['below it', `${RENT} 72 658 104 0.8 re f`],
    ['on its baseline', `${RENT} 72 660 104 0.5 re f`],
    ['above it', `${RENT} 72 669 104 0.8 re f`],
    ['of a table', `${RENT} 60 655 300 0.5 re f 60 672 300 0.5 re f 60 655 m 60 672 l S`],
    ['that goes on across the page', `${RENT} 30 662.6 530 0.8 re f`],
    ['beside it', `${RENT} 180 662.6 104 0.8 re f`],
    ['as short as a dash', `${RENT} 72 662.6 6 0.8 re f`],
    ['as thick as a bar', `${RENT} 72 661 104 4 re f`],
    ['that is white', `${RENT} q 1 g 72 662.6 104 0.8 re f Q`],
    ['over spaces alone', `${drawn({ text: ' '.repeat(40), x: 180, y: 660 })} 180 662.6 110 0.8 re f ${RENT}`],
    ['that falls', `${RENT} 72 666 m 176 658 l S`],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual({ text: 'Lease of a flat The rent is 900 euros.', unread: [] });
  });

  it('where fractions have bars', async () => {
    const fraction = `${drawn({ text: 'sum of all rents', y: 640 })} 72 637 77 0.4 re f ${drawn({ text: 'number of flats', y: 627 })}`;
    expect((await read(fraction)).unread).toEqual([]);
  });
});
