import { describe, expect, it } from 'vitest';
import { influenceOf } from '../../../../workers/kernels/influence.ts';

describe('influenceOf', () => {
  it('is positive where suppressing makes the target less likely', () => {
    expect([...influenceOf([-3, -1], [-1, -2])]).toEqual([2, -1]);
  });
});
