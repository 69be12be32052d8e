import { describe, expect, it } from 'vitest';
import { bestSpan, score, scoreOfMargin } from '../../../../workers/kernels/answer-span.ts';

const everywhere = (count: number) => Array.from({ length: count }, (_, i) => i > 0);

describe('bestSpan', () => {
  it('adds the logits of start and end, and measures them against position 0', () => {
    expect(bestSpan([1, 0, 5, 0], [2, 0, 0, 4], everywhere(4))).toEqual({ start: 2, end: 3, margin: 6 });
  });

  it('never ends before it starts', () => {
    expect(bestSpan([0, 0, 5], [0, 9, 1], everywhere(3))).toMatchObject({ start: 1, end: 1, margin: 9 });
  });

  it('keeps to 30 tokens', () => {
    const start = new Float32Array(50);
    const end = new Float32Array(50);
    start[1] = 5;
    end[30] = 3;
    end[31] = 9;
    expect(bestSpan(start, end, everywhere(50))).toMatchObject({ start: 2, end: 31, margin: 9 });
  });

  it('begins and ends only where it may, of equals at the first', () => {
    expect(bestSpan([0, 9, 1, 1], [0, 9, 1, 1], [false, false, true, true])).toMatchObject({ start: 2, end: 2 });
  });

  it('finds none where none is allowed', () => {
    expect(bestSpan([1, 2], [1, 2], [false, false])).toBeUndefined();
  });
});

describe('scores', () => {
  it('are the sigmoid of the calibrated margin', () => {
    expect(scoreOfMargin(0, { scale: 1, bias: 0 })).toBe(0.5);
    expect(scoreOfMargin(2, { scale: 0.5, bias: 1 })).toBeCloseTo(1 / (1 + Math.exp(-2)), 12);
  });

  it('stay in (0, 1] as float32 too', () => {
    for (const margin of [-1e6, -200, 0, 200, 1e6]) {
      const found = Math.fround(scoreOfMargin(margin, { scale: 1, bias: 0 }));
      expect(found).toBeGreaterThan(0);
      expect(found).toBeLessThanOrEqual(1);
    }
    expect(score(1.0000001)).toBe(1);
  });
});
