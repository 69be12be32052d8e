import { afterEach, describe, expect, it } from 'vitest';
import { GERMAN } from '../../../../src/words/de/german.ts';
import { appWords } from '../../../../src/words/en/app.ts';
import { bestLanguage, speakLanguage } from '../../../../src/words/languages.ts';

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

/** Each English file of words gives a table and the function that says it in the spoken language. */
const FILES = import.meta.glob<Record<string, unknown>>('../../../../src/words/en/**/*.ts', { eager: true });

describe.each(Object.entries(FILES))('the German of %s', (_path, exported) => {
  const english = Object.values(exported).find((each) => typeof each === 'object') as object;
  const words = Object.values(exported).find((each) => typeof each === 'function') as () => object;
  const german = async () => {
    await speakLanguage('de', always);
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
