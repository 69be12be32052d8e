import { describe, expect, it } from 'vitest';
import { readTree } from '../source.ts';
import { unusedWordsRule } from './unused-words.ts';

const WORDS = {
  path: 'src/pages/part/words.en.ts',
  text: "export const PART = { title: 'Part', gone: 'Gone', kinds: { hot: 'Hot', cold: 'Cold' } };",
};
const INLINE = { ...WORDS, text: "export const partWords = wordsFor('part', { title: 'Part', gone: 'Gone' });" };
const said = (code: string, words = WORDS) =>
  unusedWordsRule([
    words,
    { path: 'src/pages/part/part.tsx', text: `import { partWords } from './words.en.ts';${code}` },
  ]);

describe('the words of the pages', () => {
  it('are all said somewhere', () =>
    expect(unusedWordsRule(readTree('src').filter(({ path }) => /\.tsx?$/.test(path)))).toEqual([]));
});

describe('unusedWordsRule', () => {
  it('finds a text that its part no longer says', () =>
    expect(said('words.title; words.kinds[kind];')).toEqual(['src/pages/part/words.en.ts:1: nothing says gone']));
  it('finds it in a table inside the call', () =>
    expect(said('words.title;', INLINE)).toEqual(['src/pages/part/words.en.ts:1: nothing says gone']));
  it('allows what is named, taken apart, or chosen by a value', () => {
    expect(said('words.title; words.gone; words.kinds[kind];')).toEqual([]);
    expect(said('const { title, gone, kinds } = partWords();')).toEqual([]);
    expect(said("words.title; words.kinds[kind]; const kind = 'gone';")).toEqual([]);
    const words = { path: WORDS.path, text: "export const PART = { title: 'Part', NO_TAB: 'No tab' };" };
    const code = {
      path: 'src/pages/part/part.tsx',
      text: "import './words.en.ts'; words.title; const STATUS = { NO_TAB: 503 };",
    };
    expect(unusedWordsRule([words, code])).toEqual([]);
    expect(said('words.title; words.gone; words.kinds.hot; Object.values(words.kinds);')).toEqual([]);
  });
});
