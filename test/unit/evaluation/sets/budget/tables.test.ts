import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRecords } from '../../../../../evaluation/driver/records.mjs';
import type { Found } from '../../../../../evaluation/sets/budget/found.ts';
import { budgetTables } from '../../../../../evaluation/sets/budget/tables.ts';

const FOLDER = 'evaluation/records';

const found: Found = {
  confirmed: 1,
  byChance: 0.1,
  byAttention: 0.4,
  confirmedInTime: 0.8,
  spent: 0.15,
  time: 0.2,
  topTime: 0.1,
  covered: 0.9,
  margin: 0.03,
};

/** A record of budget 0.15. */
function line(of: Partial<Found>, { length = 'short', load = 2, cores = 2 } = {}) {
  const value = { sections: 100, cores, exactMs: 5000, length, found: { '0.15': { ...found, ...of } } };
  return { evaluation: 'budget', key: '1 ab', network: 'e5', load, value };
}

describe('budgetTables', () => {
  it('lists budgets, by length too', () => {
    const lines = [line({}), line({ confirmed: 0.6, byAttention: null, covered: null }, { length: 'long' })];
    const [said, all, lengths, times, margins] = budgetTables(lines).split('\n\n');
    expect(said).toMatch(/^Measured: 2\. /);
    expect(all).toMatch(
      /\n\| 0\.15 +\| 0\.15 +\| 0\.20 +\| 0\.80 ± 0\.20 +\| 0\.80 +\| 0\.40 +\| 0\.10 +\| 0\.50 +\| 0\.10 +\|$/,
    );
    expect(lengths).toMatch(/\n\| 0\.15 +\| 1\.00, 0\.40, 0\.10 +\| 0\.60, , 0\.10 +\|$/);
    expect(times).toMatch(
      /^\| budget \| short \(1\) +\| long \(1\) +\|\n.*\n\| 0\.15 +\| 0\.20, 0\.10 +\| 0\.20, 0\.10 +\|$/,
    );
    expect(margins).toMatch(/\n\| 0\.15 +\| 0\.90 ± 0\.00 +\| 0\.90 ± 0\.00 +\| +\| 0\.030 +\|$/);
  });

  it('takes times of a calm machine where ten items have them', () => {
    const busy = [line({ time: 0.9 }, { load: 9 }), line({ time: 0.9 }, { load: 9 })];
    const calm = Array.from({ length: 10 }, () => line({ time: 0.2 }));
    expect(budgetTables([...busy, ...calm])).toContain(
      'Measured: 12. Times: medians of 10, processors 2, median load 2.0.',
    );
    expect(budgetTables([...busy, ...calm.slice(1)])).toContain('Times: medians of 11');
  });

  it('lists times of the longest prompts once more by themselves', () => {
    const long = line({ time: 0.3, topTime: 0.2 });
    const lines = [line({}), { ...long, value: { ...long.value, tokens: 900 } }];
    expect(budgetTables(lines)).toMatch(
      /\| short \(2\) +\| from 800 tokens \(1\) +\|\n.*\n\| 0\.15 +\| 0\.25, 0\.15 +\| 0\.30, 0\.20 +\|/,
    );
  });

  it('has nothing to list without records', () => {
    expect(() => budgetTables([])).toThrow(RangeError);
  });

  it('can be made of all committed records', () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('budget.jsonl'));
    expect(files).not.toHaveLength(0);
    for (const file of files) expect(budgetTables(openRecords(`${FOLDER}/${file}`).lines)).toMatch(/^Measured: /);
  });

  it('begin as the documentation shows them', () => {
    const [measured, all] = budgetTables(openRecords(`${FOLDER}/budget.jsonl`).lines).split('\n\n');
    expect(readFileSync('docs/benchmarks.md', 'utf8')).toContain(`${measured}\n\n${all}`);
  });
});
