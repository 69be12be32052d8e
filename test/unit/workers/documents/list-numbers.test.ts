import { describe, expect, it } from 'vitest';
import { textOfDocx } from '../../../../workers/documents/docx.ts';
import { deflated, docxFiles, paragraph } from '../../../support/files/docx.ts';
import { zipOf } from '../../../support/files/write-zip.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

const level = (at: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const definition = (id: number, levels: string) => `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum>`;
const list = (id: number, of: number, more = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${more}</w:num>`;
const CLAUSES = level(0, 'decimal', '%1.') + level(1, 'decimal', '%1.%2') + level(2, 'lowerRoman', '(%3)');

const place = (id: number, at: number) => `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`;
const withProperties = (properties: string, text: string) =>
  paragraph(text).replace('<w:p>', `<w:p><w:pPr>${properties}</w:pPr>`);
const entries = (...places: readonly (readonly [id: number, at: number])[]) =>
  places.map(([id, at], i) => withProperties(place(id, at), `entry ${i}`)).join('');

/** The numbers of the paragraphs, and how many were not known. */
async function numbersOf(body: string, lists: string, styles = '') {
  const { text, unread } = await textOfDocx(
    zipOf(
      docxFiles(body, [
        deflated('word/numbering.xml', `<w:numbering ${W}>${lists}</w:numbering>`),
        ...(styles === '' ? [] : [deflated('word/styles.xml', `<w:styles ${W}>${styles}</w:styles>`)]),
      ]),
    ),
    async () => undefined,
  );
  return { numbers: text.split('\n\n').map((line) => line.replace(/ ?entry.*/, '')), unread };
}

describe('numbers of lists in a Word file', () => {
  it.each<[what: string, lists: string, places: [number, number][], numbers: string[]]>([
    [
      'count by level, and begin again below a higher one',
      definition(0, CLAUSES) + list(1, 0),
      [
        [1, 0],
        [1, 1],
        [1, 2],
        [1, 2],
        [1, 1],
        [1, 0],
        [1, 1],
        [1, 2],
      ],
      ['1.', '1.1', '(i)', '(ii)', '1.2', '2.', '2.1', '(i)'],
    ],
    [
      'count on in another list of the same definition, unless it says where it begins',
      definition(0, CLAUSES) +
        list(1, 0) +
        list(2, 0) +
        list(3, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>'),
      [
        [1, 0],
        [2, 0],
        [3, 0],
        [3, 0],
      ],
      ['1.', '2.', '7.', '8.'],
    ],
    [
      'are letters',
      definition(0, level(0, 'upperLetter', '§ %1')) + list(1, 0),
      Array.from({ length: 28 }, () => [1, 0]),
      Array.from({ length: 28 }, (_, i) => `§ ${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[i % 26]?.repeat(i < 26 ? 1 : 2)}`),
    ],
    [
      'are decimal in a legal level, whatever the levels above are',
      definition(0, level(0, 'upperRoman', 'Article %1') + level(1, 'decimal', '%1.%2', '<w:isLgl/>')) + list(1, 0),
      [
        [1, 0],
        [1, 1],
      ],
      ['Article I', '1.1'],
    ],
    [
      'count through where a level does not begin again',
      definition(0, level(0, 'decimal', '%1') + level(1, 'decimal', 'Step %2', '<w:lvlRestart w:val="0"/>')) +
        list(1, 0),
      [
        [1, 0],
        [1, 1],
        [1, 0],
        [1, 1],
      ],
      ['1', 'Step 1', '2', 'Step 2'],
    ],
    ['are none for a list that does not exist', list(1, 5), [[1, 0]], ['']],
  ])('%s', async (_, lists, places, numbers) => {
    expect(await numbersOf(entries(...places), lists)).toEqual({ numbers, unread: [] });
  });

  it('come from the style of a paragraph, one that it is based on, or the usual one', async () => {
    const styles =
      `<w:style w:type="paragraph" w:default="1" w:styleId="Usual"><w:pPr>${place(1, 2)}</w:pPr></w:style>` +
      '<w:style w:styleId="Clause"><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>' +
      '<w:style w:styleId="Own"><w:basedOn w:val="Clause"/></w:style>' +
      '<w:style w:styleId="Circle"><w:basedOn w:val="Circle"/></w:style>';
    const clause = level(0, 'decimal', '%1.') + level(1, 'decimal', '%1.%2', '<w:pStyle w:val="Clause"/>');
    const body = ['Clause', 'Own', 'Clause', 'Circle'].map((style) =>
      withProperties(`<w:pStyle w:val="${style}"/>`, 'entry'),
    );
    const lists = definition(0, CLAUSES) + list(1, 0) + definition(1, clause) + list(2, 1);
    const { numbers } = await numbersOf(body.join('') + paragraph('entry'), lists, styles);
    expect(numbers).toEqual(['1.1', '1.2', '1.3', '', '(i)']);
  });

  it.each(['vanish', 'del', 'moveFrom'])('pass over a paragraph with %s, and count one without text', async (mark) => {
    const unseen = `<w:p><w:pPr>${place(1, 0)}<w:rPr><w:${mark}/></w:rPr></w:pPr></w:p>`;
    const empty = `<w:p><w:pPr>${place(1, 0)}</w:pPr></w:p>`;
    const body = unseen + entries([1, 0]) + empty + entries([1, 0]);
    expect((await numbersOf(body, definition(0, CLAUSES) + list(1, 0))).numbers).toEqual(['1.', '3.']);
  });

  it('are none for text that was moved away, and go with it', async () => {
    const content = '<w:r><w:t>entry</w:t></w:r>';
    const moved = (mark: string, kind: string) =>
      `<w:p><w:pPr>${place(1, 0)}<w:rPr>${mark}</w:rPr></w:pPr><w:${kind}>${content}</w:${kind}></w:p>`;
    const body =
      moved('<w:moveFrom/>', 'moveFrom') + entries([1, 0]) + moved('', 'moveFrom') + moved('<w:moveTo/>', 'moveTo');
    expect((await numbersOf(body, definition(0, CLAUSES) + list(1, 0))).numbers).toEqual(['1.', '3.']);
  });

  it.each([
    ['in words', level(0, 'cardinalText', '%1.')],
    ['longer than any', level(0, 'decimal', `%1${'x'.repeat(100)}`)],
    ['of no number', level(0, 'decimal', '%1.').replace('w:val="1"', 'w:val="x"')],
    ['of too many letters', level(0, 'lowerLetter', '%1.').replace('w:val="1"', 'w:val="999999999"')],
  ])('are reported as not read: %s', async (_, given) => {
    expect(await numbersOf(entries([1, 0]), definition(0, given) + list(1, 0))).toEqual({
      numbers: [''],
      unread: [{ kind: 'symbol', count: 1 }],
    });
  });
});
