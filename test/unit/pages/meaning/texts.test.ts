import { describe, expect, it } from 'vitest';
import { firstOf } from '../../../../src/pages/meaning/collection-store.ts';
import {
  likelyColumn,
  textTableOfColumn,
  textTableOfFiles,
  textsIn,
} from '../../../../src/pages/meaning/input-store.ts';

describe('textsIn', () => {
  it.each([
    ['line', ['one', 'two', 'three', 'four']],
    ['paragraph', ['one\r\ntwo', 'three\nfour']],
  ] as const)('parts a text by %s, blank ones left out', (split, parts) => {
    expect(textsIn('one\r\ntwo\r\n \r\n\r\nthree\nfour\n', split)).toEqual(parts);
  });

  it('finds none in white space', () => expect(textsIn(' \n\n ', 'line')).toEqual([]));
});

describe('tables', () => {
  const rows = {
    names: ['id', 'comment', 'topic'],
    rows: [
      ['1', 'A long comment', 'x'],
      ['2', '  '],
      ['3', 'Another comment'],
    ],
  };

  it('take the texts of a column, the others beside them', () => {
    expect(textTableOfColumn(rows, 'comment')).toEqual({
      texts: ['A long comment', 'Another comment'],
      columns: { id: ['1', '3'], topic: ['x', ''] },
    });
  });

  it('guess the column with the longest values', () => expect(likelyColumn(rows)).toBe('comment'));

  it('name the file of each text where there are several', () => {
    const files = [
      { name: 'a.txt', text: 'one\ntwo' },
      { name: 'b.txt', text: 'three' },
    ];
    expect(textTableOfFiles(files, 'line').columns).toEqual({ file: ['a.txt', 'a.txt', 'b.txt'] });
    expect(textTableOfFiles(files.slice(0, 1), 'line').columns).toEqual({});
  });

  it('are cut with all their columns, and stay themselves where they fit', () => {
    const table = textTableOfColumn(rows, 'comment');
    expect(firstOf(table, 1)).toEqual({ texts: ['A long comment'], columns: { id: ['1'], topic: ['x'] } });
    expect(firstOf(table, 2)).toBe(table);
  });
});
