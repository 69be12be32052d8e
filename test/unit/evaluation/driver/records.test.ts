import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRecords } from '../../../../evaluation/driver/records.mjs';

describe('openRecords', () => {
  let file: string;
  beforeEach(() => void (file = join(mkdtempSync(join(tmpdir(), 'records-')), 'records.jsonl')));
  afterEach(() => rmSync(join(file, '..'), { recursive: true }));

  it('gives a later run what an earlier one kept, by evaluation', () => {
    const first = openRecords(file);
    first.keep({ evaluation: 'budget', key: 'a', value: { time: 0.123456, tokens: 987 } }, 'e5');
    first.keep({ evaluation: 'margins', key: 'a', value: 3 }, 'e5');
    const later = openRecords(file);
    const kept = { evaluation: 'budget', key: 'a', value: { time: 0.1235, tokens: 987 }, network: 'e5' };
    expect(later.of('budget', 'e5')).toEqual([{ ...kept, load: expect.any(Number) }]);
    later.keep({ evaluation: 'budget', key: 'b', value: null }, 'e5');
    expect(openRecords(file).of('budget', 'e5')).toHaveLength(2);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
  });

  it('keeps lines of this run without a file', () => {
    const records = openRecords(null);
    records.keep({ evaluation: 'budget', key: 'a', value: 1 }, 'e5');
    expect(records.of('budget', 'e5')).toMatchObject([{ key: 'a', value: 1 }]);
  });

  it('refuses what was measured on another network', () => {
    const records = openRecords(null);
    records.keep({ evaluation: 'budget', key: 'a', value: 1 }, 'e5');
    expect(() => records.of('budget', 'f0')).toThrow('expected budget of the network f0, got it of e5');
    expect(records.of('margins', 'f0')).toEqual([]);
  });

  it.each([
    '{"evaluation": "budget"',
    '{"evaluation": "budget", "key": 3, "network": "e5", "load": 1, "value": 1}',
    '{"evaluation": "budget", "key": "b", "network": "e5", "load": "1", "value": 1}',
    '{"evaluation": "budget", "key": "b", "network": "e5", "load": 1}',
  ])('refuses %s', (text) => {
    const line = '{"evaluation":"budget","key":"a","network":"e5","load":1,"value":1}';
    writeFileSync(file, `${line}\n${text}\n`);
    expect(() => openRecords(file)).toThrow(
      `${file}, line 2: expected {"evaluation", "key", "network", "load", "value"}, got `,
    );
  });
});
