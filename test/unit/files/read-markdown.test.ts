import { describe, expect, it } from 'vitest';
import { readMarkdown } from '../../../src/files/read-markdown.ts';

function read(text: string) {
  const { text: plain, layout } = readMarkdown(new TextEncoder().encode(text));
  if (layout.type !== 'blocks') throw new TypeError('expected blocks');
  const blocks = layout.blocks.map(({ kind, start, length, ...rest }) => [
    kind,
    plain.slice(start, start + length),
    rest,
  ]);
  const cells = layout.blocks.map(({ rows }) =>
    rows?.map((row) => row.map(({ start, length }) => plain.slice(start, start + length))),
  );
  return { plain, blocks, cells };
}

describe('readMarkdown', () => {
  it('reads what a reader sees: no marks, no addresses, no HTML', () => {
    const { plain } = read('A **bold** [link](https://example.org) &amp; `code`<br>\nin &#167; 3, ![a picture](x.png)');
    expect(plain).toBe('A bold link & code in § 3, a picture');
  });

  it('keeps headings, lists within lists and quotes apart', () => {
    const { blocks } = read('# Title\n\n1. one\n2. two\n   - deep\n\n> said\n\n```\na  b\n```\n');
    expect(blocks).toEqual([
      ['heading', 'Title', { level: 1 }],
      ['item', 'one', { level: 0, ordinal: 1 }],
      ['item', 'two', { level: 0, ordinal: 2 }],
      ['item', 'deep', { level: 1 }],
      ['quote', 'said', {}],
      ['code', 'a  b', {}],
    ]);
  });

  it('says where the cells of a table stand', () => {
    const { plain, cells } = read('Rent\n\n| Flat | Euros |\n| --- | --- |\n| A | **900** |\n');
    expect(plain).toBe('Rent\n\nFlat | Euros\nA | 900');
    expect(cells[1]).toEqual([
      ['Flat', 'Euros'],
      ['A', '900'],
    ]);
  });

  it('leaves the settings of a site generator out', () => {
    expect(read('---\ntitle: x\n---\nText.').plain).toBe('Text.');
  });

  it('reads what is nested too deeply as it is written', () => {
    const deep = `${'> '.repeat(40)}x`;
    expect(read(deep).plain).toBe(deep);
  });
});
