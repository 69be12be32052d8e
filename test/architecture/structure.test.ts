import { expect, it } from 'vitest';
import { measureStructure } from '../structure/measure.ts';

const FILES = [
  {
    path: 'src/pages/a/page.tsx',
    text: [
      "import { b } from '../b/b.ts';",
      "import './page.css';",
      'const given: any = b as number;',
      '/** Said. */',
      'export const size = [...[given], ...b, { ...{ given } }];',
      'export function unused() {',
      '  return <A {...{ given }} />;',
      '}',
    ].join('\n'),
  },
  { path: 'src/pages/b/b.ts', text: 'export const b = [] as const;\nexport type size = 1;\n' },
  { path: 'server/c.mjs', text: "import { b } from '../src/pages/b/b.ts';\nimport 'node:fs';\n" },
];

it('measures the tree that it is given', () => {
  expect(measureStructure(FILES, FILES)).toEqual({
    files: 3,
    lines: 12,
    folders: 5,
    'folders in a path, most': 3,
    'lines of a file, median / p90 / max': '2 / 2 / 8',
    'lines of a function, median / p90 / max': '3 / 3 / 3',
    'own files that a file imports, median / p90 / max': '1 / 1 / 2',
    'files with one importer': '0 %, 0',
    exports: 4,
    'exports with one user': '0 %, 0',
    'exports that no shipped file imports': 3,
    any: 1,
    'casts per 1,000 lines': '83.3',
    'literals spread into literals': 3,
    'exports with a docstring': '25 %, 1',
    'imports from one page into another': ['src/pages/a/page.tsx: page a may not import src/pages/b/b.ts'],
    'folders with too many entries': [],
    'names exported by more than one file': ['size'],
  });
});
