import { describe, expect, it } from 'vitest';
import { ExplainRequest } from '../../../../src/contract/explain.ts';
import { jobBudget } from '../../../../src/router/operations/explain.ts';

const read = (query: string, change: object = {}) =>
  jobBudget(new URLSearchParams(query), ExplainRequest.parse({ model: 'm', prompt: 'a', target: 'b', ...change }));

describe('budgetOf', () => {
  it.each([
    ['', 1],
    ['budget=1', 1],
    ['budget=0.15', 0.15],
    ['budget=1e-3', 0.001],
    ['budget=auto', 'auto'],
  ])('reads "%s"', (query, expected) => expect(read(query)).toBe(expected));
  it.each(['budget=', 'budget=0', 'budget=-1', 'budget=1.5', 'budget=NaN', 'budget=Auto', 'budget=%20'])(
    'refuses "%s"',
    (query) => expect(() => read(query)).toThrow(/^budget: expected "auto" or a number above 0 and at most 1, got /),
  );
  it('does not go with what estimates would spoil, unless all is exact', () => {
    for (const change of [{ foil: 'c' }, { normalize: true }, { postprocessing: 'square' }]) {
      expect(() => read('budget=0.5', change)).toThrow();
      expect(read('budget=1', change)).toBe(1);
    }
  });
});
