import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeFile } from '../../../../evaluation/driver/data-files.mjs';
import { readOptions } from '../../../../evaluation/driver/options.mjs';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'evaluation-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a small program that ends itself prints, and its status. */
function ended(program: string, environment: NodeJS.ProcessEnv = process.env) {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    env: environment,
  });
  return { status, stderr };
}

describe('readOptions', () => {
  it('takes all sets in full when nothing else is asked', () =>
    expect(readOptions(['--data', folder])).toEqual({
      data: folder,
      corpus: null,
      only: null,
      sample: null,
      records: null,
      json: null,
    }));
  it('reads names, a number and folders', () => {
    const asked = ['--data', folder, '--corpus', folder, '--only', 'sts, qa', '--sample', '50'];
    const json = join(folder, 'figures.json');
    expect(readOptions([...asked, '--json', json, '--records', json])).toEqual({
      data: folder,
      corpus: folder,
      only: ['sts', 'qa'],
      sample: 50,
      records: json,
      json,
    });
  });

  it.each([
    ['a folder that is not there', ['--data', '/nowhere/at/all'], '--data: expected a folder, got'],
    ['a sample of nothing', ['--sample', '0', '--data', '.'], '--sample: expected a number ≥ 1, got "0"'],
    ['an unknown option', ['--smaple', '5'], "Unknown option '--smaple'"],
    ['a file in no folder', ['--data', '.', '--json', '/nowhere/at/all.json'], '--json: expected a file in a folder'],
    [
      'records in none',
      ['--data', '.', '--records', '/nowhere/at/all.jsonl'],
      '--records: expected a file in a folder',
    ],
  ])('ends on %s', (_name, args, message) => {
    const script = new URL('../../../../evaluation/driver/options.mjs', import.meta.url);
    const { status, stderr } = ended(
      `import { readOptions } from ${JSON.stringify(script)}; readOptions(${JSON.stringify(args)});`,
    );
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});

describe('placeFile', () => {
  const script = new URL('../../../../evaluation/driver/data-files.mjs', import.meta.url);
  const placing = (path: string, environment?: NodeJS.ProcessEnv) =>
    ended(
      `import { placeFile } from ${JSON.stringify(script)};
       placeFile({ from: 'data', path: ${JSON.stringify(path)} }, ${JSON.stringify(folder)}, ${JSON.stringify(join(folder, 'out'))});`,
      environment,
    );

  it('copies what is not packed', () => {
    mkdirSync(join(folder, 'eval'));
    writeFileSync(join(folder, 'eval', 'a.jsonl'), '{"a":1}\n');
    placeFile({ from: 'data', path: 'eval/a.jsonl' }, folder, join(folder, 'out'));
    expect(readFileSync(join(folder, 'out', 'data', 'eval', 'a.jsonl'), 'utf8')).toBe('{"a":1}\n');
  });
  it('says which file is missing where', () => {
    const { status, stderr } = placing('eval/none.jsonl.xz');
    expect(status).toBe(1);
    expect(stderr).toContain(`--data: expected the file eval/none.jsonl.xz in ${folder}`);
  });
  it('says that the program xz is missing', () => {
    writeFileSync(join(folder, 'b.jsonl.xz'), 'packed');
    const { status, stderr } = placing('b.jsonl.xz', { PATH: join(folder, 'no-programs') });
    expect(status).toBe(1);
    expect(stderr).toContain('expected the program xz');
  });
});
