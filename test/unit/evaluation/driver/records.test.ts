import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRecords } from '../../../../evaluation/driver/records.mjs';

describe('openRecords', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'records-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('gives a later run what an earlier one kept, by evaluation', () => {
    const file = join(folder, 'records.jsonl');
    const first = openRecords(file);
    first.keep({ evaluation: 'budget', key: 'a', value: { time: 0.2 } });
    first.keep({ evaluation: 'margins', key: 'a', value: 3 });
    const later = openRecords(file);
    expect(later.of('budget')).toEqual({ a: { time: 0.2 } });
    later.keep({ evaluation: 'budget', key: 'b', value: null });
    expect(openRecords(file).of('budget')).toEqual({ a: { time: 0.2 }, b: null });
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
  });

  it('keeps nothing without a file', () => {
    const records = openRecords(null);
    records.keep({ evaluation: 'budget', key: 'a', value: 1 });
    expect(records.of('budget')).toEqual({});
  });

  it.each(['{"evaluation": "budget"', '{"evaluation": "budget", "key": 3, "value": 1}'])('refuses %s', (text) => {
    const file = join(folder, 'records.jsonl');
    writeFileSync(file, `{"evaluation":"budget","key":"a","value":1}\n${text}\n`);
    expect(() => openRecords(file)).toThrow(`${file}, line 2: expected {"evaluation", "key", "value"}, got `);
  });
});
