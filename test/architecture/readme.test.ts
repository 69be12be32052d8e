import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const readme = read('README.md');
const { dependencies, scripts } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;

describe('the README', () => {
  it.each(Object.keys(dependencies ?? {}))('gives the reason for %s', (name) => {
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
