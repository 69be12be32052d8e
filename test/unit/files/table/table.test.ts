import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { csvText } from '../../../../src/files/table/csv-text.ts';
import { isTable, joinedTables, readCsv } from '../../../../src/files/table/csv.ts';
import { npyBytes, VECTOR_FORMATS, vectorFile } from '../../../../src/files/table/vectors.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('readCsv', () => {
  it.each([
    ['commas', 'id,text\n1,"a, b"\n2,c\n'],
    ['semicolons', 'id;text\r\n1;a, b\r\n2;c'],
    ['tabs', '\uFEFFid\ttext\n\n1\ta, b\n2\tc\n'],
    ['the delimiter that Excel is told,', 'sep=|\nid|text\n1|a, b\n2|c'],
  ])('reads %s quotes and byte order marks', (_, text) => {
    expect(readCsv(bytes(text))).toEqual({
      names: ['id', 'text'],
      rows: [
        ['1', 'a, b'],
        ['2', 'c'],
      ],
      unread: [],
    });
  });

  it('reads decimal commas as part of a value', () => {
    expect(readCsv(bytes('price;text\n1,5;a\n2,5;b')).rows).toEqual([
      ['1,5', 'a'],
      ['2,5', 'b'],
    ]);
  });

  it('reads whole lines below a header without delimiters', () => {
    const { names, rows } = readCsv(bytes('comment\nGood, but slow\n"Too loud; too cold"\nWarm'));
    expect([names, rows]).toEqual([['comment'], [['Good, but slow'], ['Too loud; too cold'], ['Warm']]]);
  });

  it.each([
    ['at the end', 'id,text\n1,"one\n2,two\n3,three', 1],
    ['before another', 'id,text\n1,"one\n2,two\n3,"three', 1],
    ['before a pair', 'id,text\n1,"one\n2,two\n3,"three"', 1],
  ])('takes a quotation mark that is never closed, %s, for a character of its line', (_, text, count) => {
    const { rows, unread } = readCsv(bytes(text));
    expect(rows.map(([id]) => id)).toEqual(['1', '2', '3']);
    expect(rows[0]).toEqual(['1', '"one']);
    expect(unread).toEqual([{ kind: 'unclosed_quote', count }]);
  });

  it('keeps values of several lines beside one with quotation marks inside', () => {
    const { rows, unread } = readCsv(bytes('id,text,note\n1,"line one\nline two","say "hi" now"\n2,foo,bar\n'));
    expect(rows).toEqual([
      ['1', 'line one\nline two', 'say "hi" now'],
      ['2', 'foo', 'bar'],
    ]);
    expect(unread).toEqual([]);
  });

  it('reads a row of many values with quotation marks inside a few times only', () => {
    const { rows, unread } = readCsv(bytes(`id,text\n"a\nb",${'"x"y",'.repeat(50_000)}\n2,foo\n`));
    expect(rows.map(([id]) => id)).toEqual(['a\nb', '2']);
    expect(unread).toContainEqual({ kind: 'unclosed_quote', count: 1 });
  });

  it('keeps the values before one whose quotation mark is never closed', () => {
    const text = 'id,text,note,end\n1,"line one\nline two","see "here",fine, ""\n2,"a, b","open,x\n3,foo,bar,y\n';
    const { rows, unread } = readCsv(bytes(text));
    expect(rows).toEqual([
      ['1', 'line one\nline two', 'see "here', 'fine', ' ""'],
      ['2', 'a, b', '"open', 'x'],
      ['3', 'foo', 'bar', 'y'],
    ]);
    expect(unread).toContainEqual({ kind: 'unclosed_quote', count: 1 });
  });

  it('finds the delimiter below a title where rows have line ends and further values', () => {
    const { names, rows } = readCsv(
      bytes('Prices of 2026\n\nid,text,price\n1,"one\ntwo",5\n2,three,"6,5"\n3,four,7,late\n'),
    );
    expect([names, rows[0]]).toEqual([
      ['id', 'text', 'price', 'Column 4'],
      ['1', 'one\ntwo', '5'],
    ]);
  });

  it('leaves invisible text out and counts it', () => {
    const { rows, unread } = readCsv(bytes('id,text\n1,one\u{E0041}\u{E0042}\n2,two'));
    expect([rows[0], unread]).toEqual([['1', 'one'], [{ kind: 'hidden_text', count: 1 }]]);
  });

  it('reads quoted values with spaces before them', () => {
    expect(readCsv(bytes('id, "text"\n1, "one, two"\n2, "three"\n')).rows).toEqual([
      ['1', 'one, two'],
      ['2', 'three'],
    ]);
  });

  it('reads values of several lines', () => {
    expect(readCsv(bytes('id,text\n1,"one\ntwo"\n2,"a ""b"" c"')).rows).toEqual([
      ['1', 'one\ntwo'],
      ['2', 'a "b" c'],
    ]);
  });

  it('counts rows with more values than names, whose values get columns', () => {
    const { names, rows, unread } = readCsv(bytes('id,text\n1,Good, but slow\n2,fine\n'));
    expect(names).toEqual(['id', 'text', 'Column 3']);
    expect(rows[0]).toEqual(['1', 'Good', ' but slow']);
    expect(unread).toEqual([{ kind: 'uneven_row', count: 1 }]);
  });

  it('names columns by both rows of a header whose upper cells were merged', () => {
    expect(readCsv(bytes(';2025;;2026;\nItem;Plan;Actual;Plan;Actual\nRent;900;910;950;960\n'))).toEqual({
      names: ['Item', '2025 Plan', '2025 Actual', '2026 Plan', '2026 Actual'],
      rows: [['Rent', '900', '910', '950', '960']],
      unread: [],
    });
  });

  it('takes no first row of values for a header', () => {
    expect(readCsv(bytes('id,,text\na,b,c\n1,2,3\n')).rows).toHaveLength(2);
    expect(readCsv(bytes('a;;b\nx;x;y\n')).rows).toEqual([['x', 'x', 'y']]);
  });

  it('finds the header below a title, and counts the rows above it', () => {
    const rows = 'Name;Gross;Net\nAda Brook;3.000,00;2.100,00\nNoah Lind;2.900,00;2.050,00\n';
    const { names, rows: read, unread } = readCsv(bytes(`Payroll May 2026;;\n;;\n${rows}`));
    expect([names, read.length, unread]).toEqual([['Name', 'Gross', 'Net'], 2, [{ kind: 'metadata', count: 1 }]]);
  });

  it.each([
    ['Account 4711', ';'],
    ['Account 4711\n', ','],
  ])('finds the header below a title without delimiters', (title, delimiter) => {
    const lines = ['Day;Purpose;Amount', '1 May;Rent;-900', '2 May;Pay;2100', '3 May;Heat;-80'].join('\n');
    const { names, rows } = readCsv(bytes(`${title}\n${lines.replaceAll(';', delimiter)}\n`));
    expect([names, rows.length]).toEqual([['Day', 'Purpose', 'Amount'], 3]);
  });

  it.each([
    ['# exported 2026-05-01, by Ada\n', 1],
    ['# exported\n# 2 rows\n\n', 2],
    ['#exported\n', 1],
    ['# exported 2026, by Ada, Bremen\n', 1],
  ])('counts the comments above a table', (comments, count) => {
    const { names, rows, unread } = readCsv(bytes(`${comments}id,text,day\n1,a,May\n`));
    expect([names, rows]).toEqual([['id', 'text', 'day'], [['1', 'a', 'May']]]);
    expect(unread).toEqual([{ kind: 'metadata', count }]);
  });

  it('takes no header that begins with # for a comment', () => {
    expect(readCsv(bytes('#,text\n1,a\n')).names).toEqual(['#', 'text']);
    expect(readCsv(bytes('# exported\n#;text\n1;a\n')).names).toEqual(['#', 'text']);
  });

  it('takes no commas of sentences for such a table', () => {
    const text = 'comment\nSlow, dear, late\nKind, quick, fair\nOld, dark, cold\nNew, clean, warm\n';
    expect(readCsv(bytes(text)).rows).toHaveLength(4);
  });

  it('names columns that have no name, or one that another has', () => {
    expect(readCsv(bytes('a,,a\n1,2,3,4')).names).toEqual(['a', 'Column 2', 'a (2)', 'Column 4']);
  });

  it.each([
    ['empty', 'only,names\n'],
    ['damaged', '\0\0\0'],
  ])('refuses what is %s', (problem, text) => {
    expect(() => readCsv(bytes(text))).toThrow(expect.objectContaining({ problem }));
  });

  it('reads 100,000 columns', () => {
    const { names, rows } = readCsv(bytes(`${'a,'.repeat(100_000)}\n1`));
    expect([names.length, names[99_999], rows]).toEqual([100_001, 'a (100000)', [['1']]]);
  });

  it('is told from other files by its name', () => {
    expect(isTable({ name: 'a.CSV', type: '' })).toBe(true);
    expect(isTable({ name: 'a.txt', type: 'text/plain' })).toBe(false);
  });
});

describe('joinedTables', () => {
  it('have the columns of all, and the file of each row', () => {
    const tables = [
      { name: 'a.csv', names: ['id', 'text'], rows: [['1', 'one']] },
      { name: 'b.csv', names: ['text', 'file'], rows: [['two', 'x']] },
    ];
    expect(joinedTables(tables)).toEqual({
      names: ['id', 'text', 'file', 'file (2)'],
      rows: [
        ['1', 'one', '', 'a.csv'],
        ['', 'two', 'x', 'b.csv'],
      ],
    });
    expect(joinedTables(tables.slice(0, 1))).toEqual({ names: ['id', 'text'], rows: [['1', 'one']] });
  });
});

describe('csvText', () => {
  it('quotes what needs it, and keeps spreadsheets from computing', () => {
    expect(
      csvText([
        ['a', 'b'],
        ['x, "y"', '=1+1'],
        [-1.5, ''],
        [' c', 'd\ne'],
      ]),
    ).toBe('a,b\r\n"x, ""y""",\'=1+1\r\n-1.5,\r\n" c","d\ne"');
  });
});

describe('npyBytes', () => {
  it('has a header of whole blocks that tells the shape, and the numbers behind it', () => {
    const file = npyBytes(Float32Array.of(1, 2, 3, 4, 5, 6), 3);
    const header = new TextDecoder('latin1').decode(file.subarray(0, file.length - 24));
    expect(header.startsWith('\x93NUMPY\x01\0')).toBe(true);
    expect(header).toContain("'shape': (2, 3)");
    expect(header.length % 64).toBe(0);
    expect([...new Float32Array(file.buffer, header.length)]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('vectorFile', () => {
  const texts = Array.from({ length: 900 }, (_, index) => `text ${index}`);
  const table = {
    texts,
    columns: { topic: texts.map((_, index) => String(index % 3)) },
    vectors: Float32Array.from({ length: 1800 }, (_, at) => at / 4),
    width: 2,
    model: 'm-1',
  };

  it('writes Parquet that is read as it was', async () => {
    const file = await (await vectorFile('parquet', table)).arrayBuffer();
    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(900);
    expect(rows[899]).toEqual({ text: 'text 899', topic: '2', vector: [449.5, 449.75] });
  });

  it('writes CSV and JSON of all rows', async () => {
    const csv = readCsv(new Uint8Array(await (await vectorFile('csv', table)).arrayBuffer()));
    expect(csv.names).toEqual(['text', 'topic', 'v0', 'v1']);
    expect(csv.rows[899]).toEqual(['text 899', '2', '449.5', '449.75']);
    const json = JSON.parse(await (await vectorFile('json', table)).text());
    expect(json).toMatchObject({ model: 'm-1', width: 2 });
    expect(json.texts[899]).toEqual({ text: 'text 899', columns: { topic: '2' }, vector: [449.5, 449.75] });
  });

  it('gives a number to columns with a name that the file needs itself', async () => {
    const columns = { vector: ['a'], text: ['b'], 'text (2)': ['c'], v1: ['d'] };
    const one = { ...table, texts: ['one'], vectors: Float32Array.of(1, 2), columns };
    const file = await (await vectorFile('parquet', one)).arrayBuffer();
    expect(await parquetReadObjects({ file })).toEqual([
      { text: 'one', 'vector (2)': 'a', 'text (2)': 'b', 'text (2) (2)': 'c', v1: 'd', vector: [1, 2] },
    ]);
    expect((await (await vectorFile('csv', one)).text()).split('\r\n')).toEqual([
      'text,vector,text (2),text (2) (2),v1 (2),v0,v1',
      'one,a,b,c,d,1,2',
    ]);
  });

  it.each(VECTOR_FORMATS)('writes %s of no texts', async (format) => {
    const empty = { texts: [], columns: {}, vectors: new Float32Array(0), width: 2, model: '' };
    expect((await vectorFile(format, empty)).size).toBeGreaterThan(0);
  });
});
