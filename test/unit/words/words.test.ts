import { afterEach, describe, expect, it } from 'vitest';
import { GERMAN } from '../../../src/words/german.ts';
import { appWords } from '../../../src/app/words.en.ts';
import { bestLanguage, switchLanguage } from '../../../src/words/languages.ts';

const always = () => true;
afterEach(() => switchLanguage('en', always));

describe('speakLanguage', () => {
  it('changes what the parts of the app say, and back', async () => {
    expect(appWords().pages.settings).toBe('Settings');
    await switchLanguage('de', always);
    expect(appWords()).toBe(GERMAN['app']);
    await switchLanguage('en', always);
    expect(appWords().pages.settings).toBe('Settings');
  });

  it('leaves the language where another one is wanted by then', async () => {
    await switchLanguage('de', () => false);
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

/** The functions of every folder that return the table of the current language, and their English tables. */
const FILES = import.meta.glob<Record<string, unknown>>('../../../src/**/words.en.ts', { eager: true });
const PARTS = Object.values(FILES)
  .flatMap((file) => Object.entries(file))
  .filter(([name]) => name.endsWith('Words'))
  .map(([name, words]) => [name, words as () => object, (words as () => object)()] as const);

it('covers every English table', () => expect(PARTS).toHaveLength(Object.keys(GERMAN).length));

describe.each(PARTS)('the German of %s', (_name, words, english) => {
  const german = async () => {
    await switchLanguage('de', always);
    return words();
  };

  it('is another table', async () => {
    expect(words()).toBe(english);
    expect(await german()).not.toBe(english);
  });
  it('leaves no text empty', async () => {
    for (const [name, text] of textsOf(await german())) expect(text, name).not.toBe('');
  });
  it('has the places of the English sentences', async () => {
    const places = new Map(textsOf(english).map(([name, text]) => [name, placesOf(text)]));
    for (const [name, text] of textsOf(await german())) expect(placesOf(text), name).toEqual(places.get(name) ?? []);
  });
});

/** Every fixed text of a table, by its path. */
function textsOf(table: object, path = ''): [path: string, text: string][] {
  return Object.entries(table).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'string') return [[path + name, value]];
    return typeof value === 'object' && value !== null ? textsOf(value, `${path}${name}.`) : [];
  });
}

/** Where elements stand in a sentence, whatever their order. */
function placesOf(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();
}
