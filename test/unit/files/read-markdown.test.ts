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
    expect(plain).toBe('A bold link & code\nin § 3, a picture');
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

  it.each([
    ['a key', '---\ntitle: x\n---\nText.'],
    ['lists, comments and blocks', '---\n# by hand\ntitle: "x: y"\ntags:\n  - a\n- b\ntext: |\n  long\n\n...\nText.'],
  ])('leaves metadata of %s out and counts it', (_, text) => {
    const { text: plain, unread } = readMarkdown(new TextEncoder().encode(text));
    expect([plain, unread]).toEqual(['Text.', [{ kind: 'metadata', count: 1 }]]);
  });

  it.each([
    ['text between two rules', '---\n\n# Lease\n\nThe rent.\n\n---\n\nText.', 'Lease\n\nThe rent.\n\nText.'],
    ['a sentence between two rules', '---\nThe rent is due.\n---\n\nText.', 'The rent is due.\n\nText.'],
    ['a rule that no other follows', '---\nnote: x\n\nText.', 'note: x\n\nText.'],
    ['named and numbered characters', '&mdash; M&uuml;ller &copy; &#x27;x&#39; &amp;lt;', "— Müller © 'x' &lt;"],
    ['check boxes', '- [x] yes\n- [ ] no', '☒ yes\n\n☐ no'],
    ['footnotes', 'Text.[^1]\n\n[^1]: 900', 'Text.^1\n\n[^1]: 900'],
    ['paragraphs of HTML', '<p align="center">\nThe <b>rent</b>\nis due.<br>Now.\n</p>', 'The rent is due.\nNow.'],
    [
      'elements that part words within a line',
      'Rent: <select><option>900</option><option>1100</option></select>.',
      'Rent:  900 1100.',
    ],
    [
      'pictures and boxes of HTML within a line',
      'See <img alt="the plan" src="x">: <input type="checkbox" checked>yes',
      'See the plan: ☒ yes',
    ],
    [
      'fields of HTML',
      '<p>Tenant: <input value="Noah Lind"><input type="hidden" value="x"> <input type="radio"></p>',
      'Tenant: Noah Lind ☐',
    ],
    ['cells of Markdown beyond the header', 'a | b\n--|--\n`x | y` | **3**\nz\n', 'a | b\n`x | y` | 3\nz | '],
    ['escaped bars in cells', '| a | b |\n|---|---|\n| `x \\| y` | 2 |', 'a | b\nx | y | 2'],
    ['details of HTML', '<details>\n<summary>Deposit</summary>\nIt is 1800.\n</details>', 'Deposit\n\nIt is 1800.'],
    [
      'a table of HTML',
      '<table><tr><th>Flat<th>Euros</tr><tr><td>A</td><td>900</td></tr></table>',
      'Flat | Euros\nA | 900',
    ],
    ['cells without a table', '<td>Flat</td><td>A</td>', 'Flat\n\nA'],
    [
      'no scripts, styles or comments',
      '<script>\nx<y\n</script>\n<style>\np {}\n</style>\n<!-- x -->\n\nText.',
      'Text.',
    ],
  ])('reads %s', (_, text, expected) => expect(read(text).plain).toBe(expected));

  it.each([
    ['comment', 'The rent. <!-- Draft --><!-- -->'],
    ['comment', '<!--\nDraft\n-->\n\nThe rent.'],
    ['comment', 'The rent.\n\n<!-- Draft that goes on\n\nto the end'],
    ['hidden_text', 'The rent.\n\n<div style="display: none"><p>Draft</p></div>'],
    ['hidden_text', '<p hidden>Draft</p>\n\nThe rent.'],
  ])('leaves out and counts: %s of %s', (kind, text) => {
    const { text: plain, unread } = readMarkdown(new TextEncoder().encode(text));
    expect([plain.trim(), unread]).toEqual(['The rent.', [{ kind, count: 1 }]]);
  });

  it.each(['> '.repeat(40), '<div>'.repeat(2_000)])('reads what is nested too deeply as it is written', (deep) => {
    expect(read(`${deep}x`).plain).toBe(`${deep}x`);
  });
});
