import { describe, expect, it } from 'vitest';
import { readTree } from '../source.ts';
import { unusedWordsRule } from './unused-words.ts';

const WORDS = {
  path: 'src/words/en/part.ts',
  text: "export const PART = { title: 'Part', gone: 'Gone', kinds: { hot: 'Hot', cold: 'Cold' } };",
};
const said = (code: string) =>
  unusedWordsRule([
    WORDS,
    { path: 'src/ui/part.tsx', text: `import { partWords } from '../words/en/part.ts';${code}` },
  ]);

describe('the words of the pages', () => {
  it('are all said somewhere', () =>
    expect(unusedWordsRule(readTree('src').filter(({ path }) => /\.tsx?$/.test(path)))).toEqual([]));
});

describe('unusedWordsRule', () => {
  it('finds a text that its part no longer says', () =>
    expect(said('words.title; words.kinds[kind];')).toEqual(['src/words/en/part.ts:1: nothing says gone']));
  it('allows what is named, taken apart, or chosen by a value', () => {
    expect(said('words.title; words.gone; words.kinds[kind];')).toEqual([]);
    expect(said('const { title, gone, kinds } = partWords();')).toEqual([]);
    expect(said("words.title; words.kinds[kind]; const kind = 'gone';")).toEqual([]);
    expect(said('words.title; words.gone; words.kinds.hot; Object.values(words.kinds);')).toEqual([]);
  });
});
