import { afterEach, describe, expect, it } from 'vitest';
import { GERMAN } from '../../../../src/words/de/german.ts';
import { appWords } from '../../../../src/words/en/app.ts';
import { bestLanguage, speakLanguage } from '../../../../src/words/languages.ts';
import { countText, listText, numberText } from '../../../../src/words/numbers.ts';

const always = () => true;
afterEach(() => speakLanguage('en', always));

describe('speakLanguage', () => {
  it('changes what the parts of the app say, and back', async () => {
    expect(appWords().pages.settings).toBe('Settings');
    await speakLanguage('de', always);
    expect(appWords().pages.settings).toBe(GERMAN.app.pages.settings);
    await speakLanguage('en', always);
    expect(appWords().pages.settings).toBe('Settings');
  });

  it('leaves the language where another one is wanted by then', async () => {
    await speakLanguage('de', () => false);
    expect(appWords().pages.settings).toBe('Settings');
  });
});

describe('bestLanguage', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['fr', 'DE'], 'de'],
    [['fr-CA', 'en-US', 'de'], 'en'],
    [['fr'], 'en'],
    [[], 'en'],
  ])('of %o is %s', (wanted, language) => expect(bestLanguage(wanted)).toBe(language));
});

describe('numbers', () => {
  const noun = { one: 'token', other: 'tokens' };
  it('are counted in English', () => {
    expect([0, 1, 1024].map((count) => countText(count, noun))).toEqual(['0 tokens', '1 token', '1,024 tokens']);
    expect(listText(['a', 'b', 'c'])).toBe('a, b and c');
  });
  it('are written as in German', async () => {
    await speakLanguage('de', always);
    expect(numberText(1024.5)).toBe('1.024,5');
    expect(listText(['a', 'b', 'c'])).toBe('a, b und c');
  });
});

describe('the German table', () => {
  it('leaves no text empty', () => {
    for (const text of leavesOf(GERMAN)) expect(text).not.toBe('');
  });
});

/** Every fixed text of a table. */
function leavesOf(table: object): string[] {
  return Object.values(table).flatMap((value: unknown) => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? leavesOf(value) : [];
  });
}
