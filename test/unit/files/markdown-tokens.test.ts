import { describe, expect, it } from 'vitest';
import { markdownTokens } from '../../../src/files/markdown-tokens.ts';

describe('markdownTokens', () => {
  it('parses a card', () => {
    const types = markdownTokens('# Card\n\n> > quoted\n\n---------------------------------------- \n\n- a\n  - b\n');
    expect(types?.map(({ type }) => type).filter((type) => type !== 'space')).toEqual([
      'heading',
      'blockquote',
      'hr',
      'list',
    ]);
  });

  it.each([
    ['2,000 quotes in one another', `${'>'.repeat(2000)} a`],
    ['2,000 quotes with spaces', `# A\n\n${'> '.repeat(2000)}a`],
    ['2,000 lists on a line', `${'- '.repeat(2000)}a`],
    ['500 lists below one another', Array.from({ length: 500 }, (_, i) => `${' '.repeat(2 * i)}- a`).join('\n')],
    ['10,000 columns above 1,000 rows', `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n${'|\n'.repeat(1_000)}`],
    ['5,000 marks of emphasis', `${'*'.repeat(5000)}a${'*'.repeat(5000)}`],
  ])('leaves %s as they are written', (_, text) => {
    expect(markdownTokens(text)).toBeNull();
  });
});
