import { describe, expect, it } from 'vitest';
import { zipOf } from '../../../support/files/write-zip.ts';
import { extractText } from '../../../../workers/operations/extract-text.ts';
import { QUIET } from '../../../support/fakes/jobs.ts';
import { base64, deflated, documentXml, docx, docxFiles, paragraph, table } from '../../../support/files/docx.ts';

const context = QUIET;
const read = async (file: string) =>
  (await extractText({ file: new Uint8Array(Buffer.from(file, 'base64')), path: 'documents[2].docx' }, context)).text;

describe('a Docx file', () => {
  it('is read paragraph by paragraph, parted by blank lines', async () => {
    expect(await read(docx(paragraph('One & <two>.') + paragraph(' ') + paragraph('Three.')))).toBe(
      'One & <two>.\n\nThree.',
    );
  });

  it('keeps line breaks and tabs within a paragraph', async () => {
    const runs = '<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t></w:r></w:p>';
    expect(await read(docx(runs))).toBe('a\nb\tc');
  });

  it('reads a table row by row, its cells in one line each', async () => {
    const rows = [
      ['City', 'People'],
      ['Rome', '2 800 000'],
    ];
    expect(await read(docx(paragraph('Cities') + table(rows) + paragraph('end')))).toBe(
      'Cities\n\nCity | People\nRome | 2 800 000\n\nend',
    );
  });

  it.each([
    ['down', '', '', ''],
    ['between rows with a bookmark', '<w:bookmarkStart w:id="1" w:name="b"/>', '', ''],
    ['in a control', '', '<w:sdt><w:sdtContent>', '</w:sdtContent></w:sdt>'],
  ])('keeps the columns of a table with cells that are merged %s', async (_, bookmark, before, after) => {
    const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
    const rows = [
      cell('City') + cell('People', '<w:gridSpan w:val="2"/>') + cell('Notes'),
      before +
        cell('Rome', '<w:vMerge w:val="restart"/>') +
        after +
        cell('2023') +
        cell('2 800 000') +
        cell('x', '<w:vMerge w:val="restart"/>'),
      cell('', '<w:vMerge/>') + cell('2024') + cell('2 700 000') + cell('', '<w:vMerge/>'),
      cell('Total', '<w:gridSpan w:val="999999999"/>'),
    ];
    const given = `<w:tbl>${rows.map((row) => `<w:tr>${row}${bookmark}</w:tr>`).join(bookmark)}</w:tbl>`;
    const [head, first, second, total = ''] = (await read(docx(given))).split('\n');
    expect([head, first, second]).toEqual([
      'City | People |  | Notes',
      'Rome | 2023 | 2 800 000 | x',
      ' | 2024 | 2 700 000 | ',
    ]);
    expect(total.split(' | ')).toHaveLength(63);
  });

  it('reads a table within a cell, and what is deleted not at all', async () => {
    const inner = table([['x', 'y']]);
    const cell = `<w:tbl><w:tr><w:tc>${paragraph('a')}${inner}${paragraph('b')}</w:tc></w:tr></w:tbl>`;
    const removed = '<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>';
    expect(await read(docx(cell + removed))).toBe('a x | y b');
  });

  it('reads footnotes behind the text', async () => {
    const reference = '<w:p><w:r><w:t>See</w:t><w:footnoteReference w:id="7"/></w:r></w:p>';
    const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const notes = `<w:footnotes ${w}><w:footnote w:id="7">${paragraph('The note.')}</w:footnote></w:footnotes>`;
    expect(await read(docx(reference, [deflated('word/footnotes.xml', notes)]))).toBe('See\n\nThe note.');
  });

  it('shows half a character as a replacement character', async () => {
    expect(await read(docx('<w:p><w:r><w:t>a&#xD800;b</w:t></w:r></w:p>'))).toBe('a\uFFFDb');
  });

  it('may be without text', async () => {
    expect(await read(docx(''))).toBe('');
  });

  it('may hold pictures, which are not unpacked', async () => {
    const picture = deflated('word/media/image1.png', 'x', { crc: 0, packed: new Uint8Array(9) });
    expect(await read(docx(paragraph('a'), [picture]))).toBe('a');
  });
});

describe('what is no readable Docx file', () => {
  const whole = zipOf(docxFiles(paragraph('some text')));
  const lying = (bytes: number) => [
    ...docxFiles('').slice(0, 2),
    deflated('word/document.xml', documentXml(paragraph('text'.repeat(1000))), { bytes }),
  ];

  it.each([
    ['nothing', '', 'nothing'],
    ['text', base64(Buffer.from('hello')), 'a file that is not a zip archive'],
    [
      'a compound file',
      base64(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)),
      'one that is encrypted, or a .doc file of Word 97 to 2003',
    ],
    [
      'a file that was cut off',
      base64(whole.subarray(0, whole.length - 100)),
      'a zip archive without its end: the file was cut off',
    ],
    [
      'a file that was cut off in front',
      base64(Buffer.concat([Buffer.from('PK'), whole.subarray(600)])),
      'a zip archive whose directory is damaged',
    ],
    ['an encrypted archive', docx('', [deflated('a', 'b', { isEncrypted: true })]), 'one that is encrypted'],
    [
      'macros',
      docx('', [deflated('word/vbaProject.bin', 'x')]),
      'one with macros, which are not read; save it as .docx',
    ],
    ['another archive', base64(zipOf([deflated('a.txt', 'b')])), 'a zip archive that holds no document'],
    [
      'an archive of too many files',
      docx(
        '',
        Array.from({ length: 10_001 }, (_, i) => deflated(`${i}`, '')),
      ),
      'an archive of 10004 files, more than 10000',
    ],
    [
      'a declared bomb',
      docx('', [deflated('word/media/a.bin', '', { bytes: 2 ** 30 })]),
      'one that unpacks to 1024 MB, more than 200 MB',
    ],
    [
      'far too much XML',
      docx('', [deflated('word/styles.xml', '', { bytes: 30 * 2 ** 20 })]),
      'one with 30 MB of text and layout, more than 24 MB',
    ],
    [
      'nothing but zeros',
      docx('', [deflated('word/styles.xml', new Uint8Array(20 * 2 ** 20))]),
      /^one that unpacks to \d+ times its size, more than 200 times$/,
    ],
    [
      'a size that lies low',
      base64(zipOf(lying(100))),
      'a zip archive whose entry word/document.xml unpacks to more than the 100 bytes it declares',
    ],
    ['a size that lies high', base64(zipOf(lying(9000))), 'a zip archive whose entry word/document.xml is damaged'],
    [
      'a wrong checksum',
      base64(zipOf(docxFiles('').map((file) => ({ ...file, crc: 1 })))),
      'a zip archive whose entry _rels/.rels is damaged',
    ],
    [
      'an unknown method',
      base64(zipOf(docxFiles('').map((file) => ({ ...file, method: 14 })))),
      'a zip archive whose entry _rels/.rels is packed by method 14, not 0 or 8',
    ],
    ['zip64', docx('', [deflated('a', '', { bytes: 0xffffffff })]), 'a zip64 archive, which no document needs'],
    [
      'no document',
      base64(zipOf(docxFiles('').slice(0, 2))),
      /^one that cannot be read: Could not find main document part/,
    ],
    ['broken XML', docx('<w:p>'), /^one that cannot be read: /],
    [
      'fields that never end',
      docx('<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r></w:p>'.repeat(20_000)),
      'one that cannot be read: expected at most 500 fields in one another, got more',
    ],
    ['XML nested without end', docx('<w:p>'.repeat(20_000) + '</w:p>'.repeat(20_000)), /^one that cannot be read: /],
  ])('refuses %s', async (_, file, got) => {
    const said = await read(file).then(
      () => 'it could be read',
      (error: unknown) => String(error).replace('FailureError: documents[2].docx: expected a Docx file, got ', ''),
    );
    if (typeof got === 'string') expect(said).toBe(got);
    else expect(said).toMatch(got);
  });

  it('stops unpacking a bomb whose header lies, long before it is through', async () => {
    const bomb = deflated('word/document.xml', new Uint8Array(64 * 2 ** 20), { bytes: 1000 });
    const file = base64(zipOf([...docxFiles('').slice(0, 2), bomb]));
    const before = process.memoryUsage().arrayBuffers;
    await expect(read(file)).rejects.toThrow(/unpacks to more than the 1000 bytes it declares/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 2 ** 20);
  });
});
