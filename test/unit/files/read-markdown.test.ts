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
      ['item', '1. one', { level: 0, hasNumber: true }],
      ['item', '2. two', { level: 0, hasNumber: true }],
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
    ['numbers from their start', '3) a\n4) b\n\n0. c\n0. d', '3) a\n\n4) b\n\n0. c\n\n1. d'],
    ['numbers of lists within lists', '7. a\n   1. b\n   2. c\n      - d\n8. e', '7. a\n\n1. b\n\n2. c\n\nd\n\n8. e'],
    ['one number for an entry of several blocks', '1. a\n\n   more\n2. b', '1. a\n\nmore\n\n2. b'],
    ['numbers of headings, quotes and boxes', '1. # a\n2. > b\n3. [x] c', '1. a\n\n2. b\n\n3. ☒ c'],
    ['numbers of code and tables', '1. ```\n   x\n   ```\n2. | a |\n   | - |\n   | b |', '1.\n\nx\n\n2.\n\na\nb'],
    ['the number of a list in a list', '1. 2. a', '1. 2. a'],
    ['what begins as a number does', '2019\\. It ended.', '2019. It ended.'],
    [
      'numbers of HTML',
      '<ol start="3"><li>a<ul><li>b</ul><li value="9">c<li value="x">d</ol>',
      '3. a\n\nb\n\n9. c\n\n10. d',
    ],
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
    [
      'blocks in a cell',
      '<table><tr><td>Features<ul><li>Fast</li><li>Free</li></ul></td><td>Name<p>Ada</p>Brook</td></tr></table>',
      'Features Fast Free | Name Ada Brook',
    ],
    ['line ends of code', '<div><pre>\nlet a;\n  let b;\n</pre></div>', 'let a;\nlet b;'],
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
    ['hidden_text', '<div hidden>\n\nDraft\n\n- Draft\n\n</div>\n\nThe rent.'],
    ['hidden_text', 'The <span style="display:none">**draft** or <b>note</b></span>rent.'],
    ['hidden_text', 'The rent.<span style="font-size: 1px">Draft</span>'],
    ['hidden_text', 'The rent.<span style="opacity:0">Draft</span>'],
    ['hidden_text', 'The rent.<span style="color:#FFF">Draft</span>'],
    ['metadata', '+++\ntitle = "Draft"\n[menu]\nmain = { weight = 1 }\n+++\n\nThe rent.'],
    ['metadata', '{\n  "title": "Draft",\n  "tags": []\n}\n\nThe rent.'],
    ['metadata', '{"title": "Draft"}\nThe rent.'],
    ['metadata', '[The rent.](x.md "Draft")'],
    ['metadata', '![The rent.](x.png (Draft))'],
    ['metadata', '[The rent.][a]\n\n[a]: x.md "Draft"'],
    ['metadata', '<p title="Draft">The rent.</p>'],
    ['metadata', 'The <abbr title=Draft>rent.</abbr>'],
    ['comment', 'The rent.\n\n[//]: # (Draft)'],
    ['comment', '[comment]: <> "Draft"\n\nThe rent.'],
    ['hidden_text', 'The rent.\u{E0041}\u{E0042}'],
    ['hidden_text', 'The rent.&#xE0041;&#917570;'],
    ['struck_text', '~~The rent.~~'],
    ['struck_text', 'The <s>rent.</s>'],
    ['struck_text', '<p><del>The rent.</del></p>'],
  ])('leaves out and counts: %s of %s', (kind, text) => {
    const { text: plain, unread } = readMarkdown(new TextEncoder().encode(text));
    expect([plain.trim(), unread]).toEqual(['The rent.', [{ kind, count: 1 }]]);
  });

  it.each([
    ['+++\nThe rent.\n+++', '+++ The rent. +++'],
    ['{ The rent. }\n\nIt is due.', '{ The rent. }\n\nIt is due.'],
    ['{\n"rent": 900\n}', '{ "rent": 900 }'],
    ['[The rent.](<x title="a.md> "")', 'The rent.'],
    ['<span style="color:white;background:navy">The rent.</span>', 'The rent.'],
    ['<span style="background-color:white; opacity: 0.8">The rent.</span>', 'The rent.'],
    ['<br hidden>The rent.', 'The rent.'],
  ])('reads what is shown: %s', (text, expected) => {
    const { text: plain, unread } = readMarkdown(new TextEncoder().encode(text));
    expect([plain.trim(), unread]).toEqual([expected, []]);
  });

  it.each(['> '.repeat(40), '<div>'.repeat(2_000)])('reads what is nested too deeply as it is written', (deep) => {
    expect(read(`${deep}x`).plain).toBe(`${deep}x`);
  });
});
