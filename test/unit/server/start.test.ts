import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const IMPORT = /^(?:import|export)\s[^;]*?from '([^']+)'|^import '([^']+)'/gm;

/** Modules that a script loads before its first line runs, through other scripts too. */
function loadedBy(url: URL, seen = new Set<string>()): Set<string> {
  for (const [, from, bare] of readFileSync(url, 'utf8').matchAll(IMPORT)) {
    const name = from ?? bare ?? '';
    const next = new URL(name, url);
    const key = name.startsWith('.') ? next.href : name;
    if (seen.has(key)) continue;
    seen.add(key);
    if (name.startsWith('.')) loadedBy(next, seen);
  }
  return seen;
}

describe('the two commands of a fresh clone', () => {
  it.each([
    ['start', 'server/start.mjs'],
    ['test', 'test/run.mjs'],
  ])('npm %s needs nothing but node before it has installed', (_name, path) => {
    const loaded = [...loadedBy(new URL(`../../../${path}`, import.meta.url))];
    expect(loaded.length).toBeGreaterThan(2);
    expect(loaded.filter((each) => !each.startsWith('node:') && !each.startsWith('file:'))).toEqual([]);
  });
});
