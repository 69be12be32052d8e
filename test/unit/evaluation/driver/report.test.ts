import { describe, expect, it } from 'vitest';
import { tableOf } from '../../../../evaluation/driver/report.mjs';

describe('tableOf', () => {
  it('has a column for the model and one for each baseline', () => {
    const rows = [
      { what: 'a', model: 0.123456, baselines: { one: 2, two: 0.5 }, items: 7 },
      { what: 'b', model: { value: 67.891, error: 0.456 }, baselines: { two: 41234.5 }, items: 1500, note: 'so' },
    ];
    expect(tableOf('small', rows).split('\n')).toEqual([
      '|  | items | small | one | two | note |',
      '| --- | --- | --- | --- | --- | --- |',
      '| a | 7 | **0.1235** | 2 | 0.5 |  |',
      '| b | 1500 | **67.89 ± 0.46** |  | 41230 | so |',
    ]);
  });
  it('has no column for notes that nobody made, and shows what is not defined', () =>
    expect(tableOf('m', [{ what: 'a', model: NaN, baselines: {}, items: 1 }])).toMatch(/\| a \| 1 \| \*\*NaN\*\* \|$/));
});
