import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../checks.mjs';
import { readApp, readRepository } from '../source.ts';
import { importsOf } from '../syntax.ts';
import { readMarkdown } from './markdown.ts';
import { cellRule, commandRule, linkRule, markdownOf, pathRule, phraseRule, readmeRule } from './prose.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');
const { dependencies, devDependencies, scripts } = JSON.parse(read('package.json')) as Record<
  string,
  Record<string, string>
>;

/** The packages that the build puts into page, workers and server: what their code imports. */
const specifiers = readApp().flatMap((file) => importsOf(file).filter(({ target }) => target === undefined));
const bundled = Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
  specifiers.some(({ specifier, isTypeOnly }) => !isTypeOnly && `${specifier}/`.startsWith(`${name}/`)),
);

describe('the package', () => {
  it('brings all that runs in its bundles, and the one library that its types name', () =>
    expect(Object.keys(dependencies ?? {})).toEqual(['zod']));
});

describe('the documents', () => {
  const repository = readRepository();
  const documents = markdownOf(repository);

  it('are not empty, so that the rules look at something', () => expect(documents.length).toBeGreaterThan(20));
  it('have short table cells', () => expect(cellRule(documents)).toEqual([]));
  const exists = (path: string) => existsSync(new URL(path, ROOT));
  it('have links that lead somewhere', () => expect(linkRule(exists)(documents)).toEqual([]));
  it('name files and folders that exist', () => expect(pathRule(exists)(repository)).toEqual([]));
  it('name commands that exist', () => {
    const rule = commandRule(new Set(Object.keys(scripts ?? {})), new Set(CHECKS.map(({ name }) => name)));
    expect(rule(documents)).toEqual([]);
  });
  it('begin with a README that is read in minutes', () => expect(readmeRule(documents)).toEqual([]));
  it('and the comments and texts of the app are in plain English', () => {
    const app = repository.filter(({ path }) => /^(src|workers)\/.*\.tsx?$/.test(path));
    expect(phraseRule([...documents, ...app])).toEqual([]);
  });
});

describe('the README', () => {
  it('shows the library as an example does that a test runs', () => {
    const block = readMarkdown(read('README.md')).blocks.find(({ language }) => language === 'ts');
    expect(read('examples/vite-app/main.ts')).toContain(block?.code ?? 'a block of TypeScript');
  });
});

describe('the architecture', () => {
  it('speaks of what the code imports', () => expect(bundled).toContain('react'));
  it.each(bundled)('gives the reason for %s', (name) => {
    const rows = read('docs/architecture.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(rows.filter((row) => row.split('|')[1]?.includes(`\`${name}\``))).toHaveLength(1);
  });
});

describe('the word list', () => {
  it('is sorted, each word once', () => {
    const words = read('test/architecture/prose/words.txt').trimEnd().split('\n');
    expect(words).toEqual([...new Set(words)].sort());
  });
});
