import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandsOf } from './commands/documented.ts';
import { COMMANDS } from './commands/table.ts';
import { CHECKS } from '../../checks.mjs';
import { readRepository } from '../source.ts';

const ROOT = new URL('../../../', import.meta.url);
const repository = readRepository();
const commands = commandsOf(repository);
const checks = CHECKS.map(({ name }) => name);

describe('a command that a document shows', () => {
  it('is found in blocks of sh, without its comment, joined where a backslash ends its line', () => {
    const text = '```sh\nnpm start   # opens\ncurl a \\\n  -d b\n```\n\n```js\nf();\n```\n';
    expect(commandsOf([{ path: 'README.md', text }]).map(({ line }) => line)).toEqual(['npm start', 'curl a -d b']);
  });
  it.each(commands)('is run by something: $path: $line', ({ line }) => expect(COMMANDS).toHaveProperty([line]));
  it('stands in the table only as long as a document shows it', () => {
    const shown = new Set(commands.map(({ line }) => line));
    expect(Object.keys(COMMANDS).filter((line) => !shown.has(line))).toEqual([]);
  });
});

describe('what shows that a command works', () => {
  const all = Object.entries(COMMANDS);
  it.each(all.flatMap(([line, how]) => ('test' in how ? [[line, how.test] as const] : [])))('%s: %s', (_, path) =>
    expect(existsSync(new URL(path, ROOT))).toBe(true),
  );
  it.each(all.flatMap(([line, how]) => ('check' in how ? [[line, how] as const] : [])))('%s: a check', (line, how) => {
    if (how.check !== '.ci/run' && how.check !== 'test') expect(checks).toContain(how.check);
    const filter = line.split(' ').at(-1) ?? '';
    if (how.among === undefined) return;
    expect(repository.filter(({ path }) => path.startsWith(`${how.among}/`) && path.includes(filter))).not.toEqual([]);
  });
});
