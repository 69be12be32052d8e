import { describe, expect, it } from 'vitest';
import { readAllowed, ruleWithExceptions, shrunk } from './allowed.ts';
import { readApp, type SourceFile } from './source.ts';

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

describe('old words', () => {
  const rule = ruleWithExceptions('oldWords', []);
  it.each([
    ['a function', 'src/a.ts', 'export function useRoom() {}'],
    ['a constant', 'src/a.ts', 'export const KEPT_MODELS = [];'],
    ['a type', 'src/a.ts', 'export interface Lamp {}'],
    ['a file', 'src/patience-store.ts', ''],
  ])('are refused in the name of %s', (_, path, text) => expect(rule(tree({ [path]: text }))).toHaveLength(1));
  it('are refused in comments where plain English does without them, each named once', () => {
    const text = '/** A stretch of text, with patience. */\n// The next stretch: no room for things.';
    expect(rule(tree({ 'src/a.ts': text }))).toEqual([
      'comment: stretch: used in src/a.ts',
      'comment: patience: used in src/a.ts',
    ]);
  });
  it('are allowed as parts of others, and inside a file', () =>
    expect(rule(tree({ 'src/bedroom.ts': 'const room = 1;\nexport const bedroom = room;' }))).toEqual([]));
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
  const files = tree({ 'src/patience.ts': '', 'src/a/b/c/d/e.ts': '' });
  it('are let through', () => expect(ruleWithExceptions('oldWords', ['patience.ts'])(files)).toEqual([]));
  it('are refused once nothing needs them', () =>
    expect(ruleWithExceptions('oldWords', ['patience.ts', 'lamp.ts'])(files)).toEqual([
      expect.stringContaining('lamp.ts: take it from allowed.json'),
    ]));
  it('are taken away by shrinking, and none is added', () =>
    expect(shrunk({ repeatedNames: ['size'], oldWords: ['patience.ts', 'lamp.ts'], deepFolders: [] }, files)).toEqual({
      repeatedNames: [],
      oldWords: ['patience.ts'],
      deepFolders: [],
    }));
});
