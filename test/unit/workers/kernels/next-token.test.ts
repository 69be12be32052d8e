import { describe, expect, it } from 'vitest';
import { likeliest, likeliestIds, rankOf } from '../../../../workers/kernels/next-token.ts';

describe('likeliest', () => {
  it('is the greatest logit with its log-softmax', () => {
    const { id, logProbability } = likeliest(Float32Array.of(0, Math.log(3), 0));
    expect(id).toBe(1);
    expect(logProbability).toBeCloseTo(Math.log(3 / 5), 6);
  });

  it('is the first of equals', () => {
    expect(likeliest(Float32Array.of(1, 2, 2)).id).toBe(1);
  });

  it('leaves out what is excluded, which keeps its probability', () => {
    const { id, logProbability } = likeliest(Float32Array.of(0, Math.log(3), 0), (each) => each === 1);
    expect(id).toBe(0);
    expect(logProbability).toBeCloseTo(Math.log(1 / 5), 6);
  });

  it('does not overflow', () => {
    expect(likeliest(Float32Array.of(1e30, -1e30)).logProbability).toBe(0);
  });
});

describe('likeliestIds', () => {
  it('lists the greatest logits in order, of equals the first', () => {
    expect(likeliestIds(Float32Array.of(1, 3, 2, 3, 0), 3)).toEqual([1, 3, 2]);
  });

  it('lists a whole vocabulary that is smaller', () => {
    expect(likeliestIds(Float32Array.of(1, 2), 5)).toEqual([1, 0]);
  });
});

describe('rankOf', () => {
  it('counts the tokens that are likelier; equals share a place', () => {
    const logits = Float32Array.of(0.5, 3, 0.5, -1);
    expect([0, 1, 2, 3].map((id) => rankOf(logits, id))).toEqual([2, 1, 2, 4]);
  });
});
