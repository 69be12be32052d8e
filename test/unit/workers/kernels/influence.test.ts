import { describe, expect, it } from 'vitest';
import { tokenInfluence } from '../../../../workers/operations/explain/passes.ts';

describe('influenceOf', () => {
  it('is positive where suppressing makes the target less likely', () => {
    expect([...tokenInfluence([-3, -1], [-1, -2])]).toEqual([2, -1]);
  });
});
