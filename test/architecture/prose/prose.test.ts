import { describe, expect, it } from 'vitest';
import { readMarkdown } from './markdown.ts';
import { cellRule, commandRule, linkRule, pathRule, phraseRule, readmeRule } from './prose.ts';

const document = (text: string, path = 'docs/a.md') => [{ path, text }];

describe('readMarkdown', () => {
  it('finds links of Markdown and HTML, headings, cells and code', () => {
    const found = readMarkdown(
      '# A `b`: c\n\n## A `b`: c\n\n[x](y.md) ![p](q.png)\n\n<img src="r.webp">\n\n| a |\n| - |\n| b |\n\n```sh\nls\n```\n',
    );
    expect(found.links).toEqual(['y.md', 'q.png', 'r.webp']);
    expect([...found.anchors]).toEqual(['a-b-c', 'a-b-c-1']);
    expect(found.cells).toEqual(['a', 'b']);
    expect(found.blocks).toEqual([{ language: 'sh', code: 'ls' }]);
  });
});

describe('cellRule', () => {
  const table = (cell: string) => document(`| a |\n| - |\n| ${cell} |\n`);
  it('allows 140 characters', () => expect(cellRule(table('x'.repeat(140)))).toEqual([]));
  it('refuses 141', () => expect(cellRule(table('x'.repeat(141)))).toHaveLength(1));
});

describe('readmeRule', () => {
  it('allows 899 words', () => expect(readmeRule(document('a\n'.repeat(899), 'README.md'))).toEqual([]));
  it('refuses 900', () => expect(readmeRule(document('a '.repeat(900), 'README.md'))).toHaveLength(1));
});

describe('phraseRule', () => {
  it.each(['hidden, lest it be seen', 'three ways in', 'The request is answered.', 'Hitherto none.'])(
    'refuses %s',
    (text) => expect(phraseRule(document(text))).toHaveLength(1),
  );
  it.each(['the latest', 'always in order', 'a wholesome answer', '```\nlest\n```'])('allows %s', (text) =>
    expect(phraseRule(document(text))).toEqual([]),
  );
});

describe('linkRule', () => {
  const rule = linkRule((path) => ['docs/a.md', 'docs/b.md', 'src'].includes(path));
  const b = { path: 'docs/b.md', text: '# Of b' };
  it.each(['[x](c.md)', '[x](b.md#of-c)', '[x](#none)', '<img src="none.png">'])('refuses %s', (text) =>
    expect(rule([...document(text), b])).toHaveLength(1),
  );
  it.each(['[x](b.md#of-b)', '[x](../src)', '[x](https://example.org/none)', '# Y\n\n[x](#y)'])('allows %s', (text) =>
    expect(rule([...document(text), b])).toEqual([]),
  );
});

describe('pathRule', () => {
  const rule = pathRule((path) => ['src/main.tsx', 'docs/pictures'].includes(path));
  const serve = { path: 'server/serve.ts', text: '' };
  it.each(['`src/mine.tsx`', '`test/unit/none`', '`serves.ts`'])('refuses %s', (text) =>
    expect(rule([...document(text), serve])).toHaveLength(1),
  );
  it.each(['`src/main.tsx`', '`serve.ts`', '`pictures`', '`test/*.ts`', '`build/server/lightwell.mjs`'])(
    'allows %s',
    (text) => expect(rule([...document(text), serve])).toEqual([]),
  );
});

describe('commandRule', () => {
  const rule = commandRule(new Set(['bench', 'check']), new Set(['unit']));
  it('refuses a script that there is not', () => expect(rule(document('npm run bensh -- x'))).toHaveLength(1));
  it('refuses a check that there is not', () => expect(rule(document('npm test -- units'))).toHaveLength(1));
  it('allows those that there are', () =>
    expect(rule(document('npm run bench, `npm test -- unit explain`, `npm test -- --wide`'))).toEqual([]));
});
