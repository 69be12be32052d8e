import { describe, expect, it } from 'vitest';
import { cycleRule, endingRule } from './cycles.ts';

import { readApp, readRepository, readTree, type SourceFile, pathsInRepository } from './source.ts';
import { barrelRule, drawerRule, folderRule, kebabRule, leftoversIn, pageRule } from './tree.ts';

/** A made-up tree: path to text. */
const tree = (texts: Readonly<Record<string, string>>): SourceFile[] =>
  Object.entries(texts).map(([path, text]) => ({ path, text }));

describe('the tree', () => {
  const app = readApp();

  it('is not empty, so that the rules look at something', () => expect(app.length).toBeGreaterThan(0));
  it('has no import cycle, of types neither', () => expect(cycleRule(app)).toEqual([]));
  it('names the ending of each imported file', () => expect(endingRule(app)).toEqual([]));
  it('has pages that do not import each other', () => expect(pageRule(app)).toEqual([]));
  it('has no barrel', () => expect(barrelRule(app)).toEqual([]));
  it('has no drawer', () =>
    expect(drawerRule(readTree('src', 'workers', 'test', 'bench', 'evaluation', 'server'))).toEqual([]));
  it('has folders that one takes in at once', () => expect(folderRule(readRepository())).toEqual([]));
  it('has no copies that tools leave', () => expect(leftoversIn(pathsInRepository())).toEqual([]));
  it('has kebab-case names', () =>
    expect(kebabRule(readTree('src', 'workers', 'bench', 'evaluation', 'server'))).toEqual([]));
});

describe('cycleRule', () => {
  it('finds a cycle of values, once', () => {
    const files = tree({
      'src/a.ts': "import './b.ts';",
      'src/b.ts': "import './c.ts';",
      'src/c.ts': "import './a.ts';",
    });
    expect(cycleRule(files)).toEqual(['src/a.ts → src/b.ts → src/c.ts → src/a.ts']);
  });
  it('finds a cycle of types', () => {
    const files = tree({ 'src/a.ts': "import type { B } from './b.ts';", 'src/b.ts': "let a: import('./a.ts').A;" });
    expect(cycleRule(files)).toHaveLength(1);
  });
  it('finds a file that imports itself', () => {
    expect(cycleRule(tree({ 'src/a.ts': "import './a.ts';" }))).toHaveLength(1);
  });
  it('lets two ways lead to one file', () => {
    const files = tree({
      'src/a.ts': "import './b.ts';\nimport './c.ts';",
      'src/b.ts': "import './c.ts';",
      'src/c.ts': '',
    });
    expect(cycleRule(files)).toEqual([]);
  });
});

describe('endingRule', () => {
  it('refuses an import without an ending', () => {
    expect(endingRule(tree({ 'src/a.ts': "import { b } from './b';" }))).toHaveLength(1);
  });
});

describe('barrelRule', () => {
  it.each([
    ['a file that only passes on', 'src/ui/parts.ts', "export { a } from './a.ts';\nexport type { B } from './b.ts';"],
    ['a star', 'src/ui/parts.ts', "export * from './a.ts';\nexport const b = 1;"],
    ['an index that passes on', 'src/ui/index.ts', "export { a } from './a.ts';\nexport const b = 1;"],
  ])('refuses %s', (_name, path, text) => expect(barrelRule([{ path, text }])).toHaveLength(1));

  it('allows a file with one of its own', () => {
    const text = "export { a } from './a.ts';\nexport const b = 1;";
    expect(barrelRule([{ path: 'src/ui/parts.ts', text }])).toEqual([]);
  });
});

describe('leftoversIn', () => {
  it('finds copies of patches, merges and editors', () => {
    const left = ['server/options.ts.orig', 'src/a.ts.rej', 'docs/a.md~'];
    expect(leftoversIn(['server/options.ts', ...left])).toEqual(left);
  });
});

describe('folderRule', () => {
  const files = (count: number, folder: string): SourceFile[] =>
    Array.from({ length: count }, (_, i) => ({ path: `${folder}file-${i}.ts`, text: '' }));

  it('refuses the twenty-sixth file', () => {
    expect(folderRule(files(26, 'src/ui/'))).toEqual(['src/ui: 26 entries, 25 allowed']);
  });
  it('counts folders as well, once each', () => {
    expect(folderRule([...files(25, 'src/'), ...files(2, 'src/ui/')])).toEqual(['src: 26 entries, 25 allowed']);
  });
  it('allows twenty-five, and the root any number', () => {
    expect(folderRule([...files(25, 'src/ui/'), ...files(30, '')])).toEqual([]);
  });
});

describe('pageRule', () => {
  const said = (path: string, text: string): string[] => pageRule([{ path, text }]);

  it.each([
    ['of a value', 'src/pages/learn/a.tsx', "import { b } from '../inside/b.ts';"],
    ['of a type', 'src/pages/learn/a.tsx', "import type { B } from '../inside/b.ts';"],
    ['at any depth', 'src/pages/learn/deep/a.tsx', "const b = await import('../../inside/deep/b.ts');"],
  ])('refuses an import from another page: %s', (_, path, text) =>
    expect(said(path, text)).toEqual([expect.stringContaining('page learn may not import src/pages/inside/')]),
  );
  it.each([
    ['its own folder', 'src/pages/learn/deep/a.tsx', "import { b } from '../b.ts';"],
    ['what pages share', 'src/pages/learn/a.tsx', "import { b } from '../../parts/b.ts';"],
    ['a library', 'src/pages/learn/a.tsx', "import { useState } from 'react';"],
    ['a page into the shell', 'src/app/a.tsx', "import { b } from '../pages/learn/b.ts';"],
  ])('allows %s', (_, path, text) => expect(said(path, text)).toEqual([]));
});

describe('names', () => {
  it.each(['src/utils/a.ts', 'src/ui/helpers.ts', 'workers/common.ts', 'test/string-utils.test.ts'])(
    'refuse %s',
    (path) => expect(drawerRule([{ path, text: '' }])).toHaveLength(1),
  );
  it.each(['src/ui/HeatMap.tsx', 'src/ui/heatMap.tsx', 'workers/heat_map.ts'])('are not cased as in %s', (path) =>
    expect(kebabRule([{ path, text: '' }])).toHaveLength(1),
  );
  it.each(['src/ui/heat-map.tsx', 'workers/inference.worker.ts', 'src/README.md'])('are well cased in %s', (path) =>
    expect(kebabRule([{ path, text: '' }])).toEqual([]),
  );
});
