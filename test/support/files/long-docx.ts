import { docx, paragraph, table } from './docx.ts';

/** Words of a page, which a printed page of text has about. */
const PAGE_WORDS = 600;

const SUBJECTS = [
  'The old clerk',
  'A young surveyor',
  'My neighbour',
  'The harbour pilot',
  'One of the weavers',
  'Her cousin',
];
const VERBS = ['carried', 'mended', 'counted', 'described', 'forgot', 'painted', 'measured', 'delivered'];
const OBJECTS = [
  'a box of letters',
  'the northern gate',
  'seven barrels',
  'some wet sails',
  'the broken clock',
  'two ledgers',
];
const PLACES = [
  'near the mill',
  'behind the chapel',
  'before the rain came',
  'on a quiet morning',
  'without a word',
  'at the market',
];

/** A sentence of 8 to 14 words, another one for each number. */
function sentence(number: number): string {
  const of = (words: readonly string[], step: number) => words[Math.floor(number / step) % words.length] ?? '';
  return `${of(SUBJECTS, 1)} ${of(VERBS, 6)} ${of(OBJECTS, 48)} ${of(PLACES, 5)}.`;
}

/** A Docx file of so many pages, with these paragraphs on one of them and a table on another. */
export function longDocx(pages: number, planted: { readonly page: number; readonly text: string }): string {
  let number = 0;
  const paragraphOf = (words: number) => {
    const sentences: string[] = [];
    for (let count = 0; count < words; count += 10) sentences.push(sentence(number++));
    return paragraph(sentences.join(' '));
  };
  const page = (index: number) => {
    const text = Array.from({ length: 4 }, () => paragraphOf(PAGE_WORDS / 4)).join('');
    return index === planted.page ? text + paragraph(planted.text) : text;
  };
  const body = Array.from({ length: pages }, (_, index) => page(index)).join('');
  return docx(
    body +
      table([
        ['Ship', 'Home port'],
        ['Meridian', 'Oslo'],
        ['Halcyon', 'Genoa'],
      ]),
  );
}
