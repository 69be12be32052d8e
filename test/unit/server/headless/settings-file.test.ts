import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readServerSettings } from '../../../../server/headless/settings-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'lightwell-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(text: string): string {
  const file = join(folder, 'settings.json');
  writeFileSync(file, text);
  return file;
}

describe('the file of --settings', () => {
  it('is what it says', () => {
    const settings = { modelNames: { gpt: 'lightwell-base' }, timeoutMs: 5000 };
    expect(readServerSettings(written(JSON.stringify(settings)))).toEqual(settings);
  });

  it.each([
    ['{', /settings\.json: expected JSON, got /],
    ['[]', /settings\.json: expected an object, got \[\]/],
    ['{"hub":"https://hub.example"}', /expected only "operator", .*, got "hub"/],
  ])('is refused in words: %s', (text, reason) => expect(() => readServerSettings(written(text))).toThrow(reason));

  it('must exist', () =>
    expect(() => readServerSettings(join(folder, 'no.json'))).toThrow(/no\.json: expected JSON, got .*ENOENT/));
});
