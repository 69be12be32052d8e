import { describe, expect, it } from 'vitest';
import { eachPosition } from '../../../../workers/engine/network.ts';

describe('eachPosition', () => {
  it('is the identity', () => {
    expect(eachPosition(2)).toEqual({ weights: Float32Array.of(1, 0, 0, 1), pools: 2 });
  });
});
