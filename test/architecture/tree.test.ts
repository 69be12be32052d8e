import { describe, expect, it } from 'vitest';
import { cycleRule, endingRule } from './cycles.ts';

import { readApp, readRepository, readTree, type SourceFile } from './source.ts';
import { barrelRule, drawerRule, folderRule, kebabRule } from './tree.ts';

/** A made-up tree: path to text. */
const tree = (texts: Readonly<Record<string, string>>): SourceFile[] =>
  Object.entries(texts).map(([path, text]) => ({ path, text }));

describe('the tree', () => {
  const app = readApp();

  it('is not empty, so that the rules look at something', () => expect(app.length).toBeGreaterThan(0));
  it('has no import cycle, of types neither', () => expect(cycleRule(app)).toEqual([]));
  it('names the ending of each imported file', () => expect(endingRule(app)).toEqual([]));
  it('has no barrel', () => expect(barrelRule(app)).toEqual([]));
  it('has no drawer', () =>
    expect(drawerRule(readTree('src', 'workers', 'test', 'bench', 'evaluation', 'server'))).toEqual([]));
  it('has folders that one takes in at once', () => expect(folderRule(readRepository())).toEqual([]));
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

describe('folderRule', () => {
  const files = (count: number, folder: string): SourceFile[] =>
    Array.from({ length: count }, (_, i) => ({ path: `${folder}file-${i}.ts`, text: '' }));

  it('refuses the sixteenth file', () => {
    expect(folderRule(files(16, 'src/ui/'))).toEqual(['src/ui: 16 entries, 15 allowed']);
  });
  it('counts folders as well, once each', () => {
    expect(folderRule([...files(15, 'src/'), ...files(2, 'src/ui/')])).toEqual(['src: 16 entries, 15 allowed']);
  });
  it('allows fifteen, and the root any number', () => {
    expect(folderRule([...files(15, 'src/ui/'), ...files(20, '')])).toEqual([]);
  });
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
