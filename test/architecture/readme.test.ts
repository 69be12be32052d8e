import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readApp } from './source.ts';
import { importsOf } from './syntax.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const readme = read('README.md');
const { dependencies, devDependencies, scripts } = JSON.parse(read('package.json')) as Record<
  string,
  Record<string, string>
>;

/** The packages that the build puts into page, workers and server: what their code imports,. */
const specifiers = readApp().flatMap((file) => importsOf(file).filter(({ target }) => target === undefined));
const bundled = Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
  specifiers.some(({ specifier, isTypeOnly }) => !isTypeOnly && `${specifier}/`.startsWith(`${name}/`)),
);

describe('the package', () => {
  it('brings all that runs in its bundles, and the one library that its types name', () =>
    expect(Object.keys(dependencies ?? {})).toEqual(['zod']));
});

describe('the README', () => {
  it('speaks of what the code imports', () => expect(bundled).toContain('react'));

  it.each(bundled)('gives the reason for %s', (name) => {
    const rows = readme.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.filter((row) => row.split('|')[1]?.includes(`\`${name}\``))).toHaveLength(1);
  });

  it('names commands that there are', () => {
    const commands = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? '');
    expect(commands.length).toBeGreaterThan(5);
    expect(commands.filter((name) => scripts?.[name] === undefined)).toEqual([]);
  });

  it('points at files that there are', () => {
    const targets = [...readme.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, target]) => target ?? '');
    expect(targets.length).toBeGreaterThan(5);
    expect(targets.filter((target) => !existsSync(new URL(`../../${target}`, import.meta.url)))).toEqual([]);
  });
});
