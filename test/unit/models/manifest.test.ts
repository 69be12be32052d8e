import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { embeddedModels } from '../../../src/models/catalogue.ts';

const FOLDER = 'public/models';
const models = embeddedModels('http://localhost/models/');

/** Paths of a model's files in its folder, its card apart. */
function filesOf(name: string): string[] {
  const paths = readdirSync(join(FOLDER, name), { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path !== 'README.md' && statSync(join(FOLDER, name, path)).isFile());
}

describe('the manifest', () => {
  it('has every model of the folder', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(models.map(({ name }) => name).sort());
  });

  it.each(models)('has size and SHA-256 of every file of $name', ({ name, files }) => {
    const found = filesOf(name).map((path) => {
      const content = readFileSync(join(FOLDER, name, path));
      return [path, { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }];
    });
    // After an export by hand: PYTHONPATH=training python3 -m lightwell_training models manifest
    expect(files).toEqual(Object.fromEntries(found));
  });
});
