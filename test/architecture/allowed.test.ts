import { describe, expect, it } from 'vitest';
import { readAllowed, ruleWithExceptions, shrunk } from './allowed.ts';
import { readApp, type SourceFile } from './source.ts';
import { FLAGGED_WORDS, OLD_WORDS } from './vocabulary.ts';

/** A made-up tree: path to text. */
const tree = (texts: Readonly<Record<string, string>>): SourceFile[] =>
  Object.entries(texts).map(([path, text]) => ({ path, text }));

describe('the tree', () => {
  const app = readApp();
  const allowed = readAllowed();

  it('exports no name twice', () =>
    expect(ruleWithExceptions('repeatedNames', allowed.repeatedNames)(app)).toEqual([]));
  it('uses the words of the field', () => expect(ruleWithExceptions('oldWords', allowed.oldWords)(app)).toEqual([]));
  it('is shallow', () => expect(ruleWithExceptions('deepFolders', allowed.deepFolders)(app)).toEqual([]));
});

describe('names that are exported twice', () => {
  const rule = ruleWithExceptions('repeatedNames', []);
  const twice = tree({ 'src/a.ts': 'export const size = 1;', 'workers/b.ts': 'export type size = string;' });

  it('are refused, with the files', () => expect(rule(twice)).toEqual(['size: exported by src/a.ts and workers/b.ts']));
  it.each([
    ['of a list', 'const size = 1;\nexport { size };'],
    ['of a class', 'export class size {}'],
    ['of a pattern', 'export const { width: size } = box;'],
    ['given to something else', "import { width } from './c.ts';\nexport { width as size };"],
  ])('are found where they are %s', (_, text) =>
    expect(rule([...twice.slice(0, 1), ...tree({ 'src/b.ts': text })])).toHaveLength(1),
  );
  it('may be a value and its type in one file', () =>
    expect(rule(tree({ 'src/a.ts': 'export const Size = 1;\nexport type Size = 1;' }))).toEqual([]));
  it('may be passed on', () =>
    expect(rule([...twice.slice(0, 1), ...tree({ 'src/b.ts': "export { size } from './a.ts';" })])).toEqual([]));
  it('may be texts in two languages', () => {
    const text = 'export const words = {};';
    expect(rule(tree({ 'src/pages/a/words.en.ts': text, 'src/pages/a/words.de.ts': text }))).toEqual([]);
    expect(rule(tree({ 'src/pages/a/words.en.ts': text, 'src/pages/b/words.de.ts': text }))).toEqual([]);
  });
});

/** Two of the words that are refused. */
const [OLD = '', OTHER = ''] = OLD_WORDS;
const capital = (word: string) => word[0]?.toUpperCase() + word.slice(1);

describe('old words', () => {
  const rule = ruleWithExceptions('oldWords', []);
  it.each([
    ['a function', 'src/a.ts', `export function use${capital(OLD)}() {}`],
    ['a constant', 'src/a.ts', `export const ${OLD.toUpperCase()}_MODELS = [];`],
    ['a type', 'src/a.ts', `export interface ${capital(OLD)} {}`],
    ['a file', `src/${OLD}-store.ts`, ''],
  ])('are refused in the name of %s', (_, path, text) => expect(rule(tree({ [path]: text }))).toHaveLength(1));
  it('are refused in comments where plain English does without them, each named once', () => {
    const [first, second] = FLAGGED_WORDS;
    const text = `/** A ${first} of text, with ${second}. */\n// The next ${first}.`;
    expect(rule(tree({ 'src/a.ts': text }))).toEqual([
      `comment: ${first}: used in src/a.ts`,
      `comment: ${second}: used in src/a.ts`,
    ]);
  });
  it('are allowed as parts of others, and inside a file', () =>
    expect(rule(tree({ 'src/a.ts': `const ${OLD} = 1;\nexport const un${OLD} = ${OLD};` }))).toEqual([]));
});

describe('deep folders', () => {
  const rule = ruleWithExceptions('deepFolders', []);
  it('are refused, the top one counted', () =>
    expect(rule(tree({ 'src/ui/a/b/c/d.ts': '', 'src/ui/a/b/c/e.ts': '' }))).toEqual([
      'src/ui/a/b/c: 5 folders in a path, 4 allowed',
    ]));
  it('are allowed up to four', () => expect(rule(tree({ 'src/ui/a/b/c.ts': '' }))).toEqual([]));
});

describe('exceptions', () => {
  const files = tree({ [`src/${OLD}.ts`]: '', 'src/a/b/c/d/e.ts': '' });
  it('are let through', () => expect(ruleWithExceptions('oldWords', [`${OLD}.ts`])(files)).toEqual([]));
  it('are refused once nothing needs them', () =>
    expect(ruleWithExceptions('oldWords', [`${OLD}.ts`, `${OTHER}.ts`])(files)).toEqual([
      expect.stringContaining(`${OTHER}.ts: take it from allowed.json`),
    ]));
  it('are taken away by shrinking, and none is added', () =>
    expect(shrunk({ repeatedNames: ['size'], oldWords: [`${OLD}.ts`, `${OTHER}.ts`], deepFolders: [] }, files)).toEqual(
      {
        repeatedNames: [],
        oldWords: [`${OLD}.ts`],
        deepFolders: [],
      },
    ));
});
