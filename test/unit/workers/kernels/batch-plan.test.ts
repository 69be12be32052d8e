import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activationBytes, planPasses } from '../../../../workers/kernels/batch-plan.ts';

const costs = { passMs: 2, positionMs: 0.1, memoryBytes: Infinity };
const options = { bytesOf: () => 0, takesPadding: true };
const LENGTHS = [3, 40, 4, 38, 5, 3, 100, 4, 4, 39];

type Costs = typeof costs;

const longestOf = (pass: readonly number[], positions: readonly number[]) =>
  Math.max(...pass.map((index) => positions[index] ?? NaN));
const msOf = (passes: readonly (readonly number[])[], positions: readonly number[], { passMs, positionMs }: Costs) =>
  passes.reduce((sum, pass) => sum + passMs + pass.length * longestOf(pass, positions) * positionMs, 0);

/** The least time of all ways to cut sequences, sorted by length, into passes. */
function leastMs(sorted: readonly number[], asked: Costs): number {
  if (sorted.length === 0) return 0;
  return Math.min(
    ...sorted.map((_, at) => {
      const first = sorted.slice(0, at + 1);
      return asked.passMs + first.length * (first[0] ?? 0) * asked.positionMs + leastMs(sorted.slice(at + 1), asked);
    }),
  );
}

describe('planPasses', () => {
  it('holds each sequence once, the longest first, in the least time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 9 }), fc.nat(9), (positions, passMs) => {
        const asked = { ...costs, passMs: 0.5 + passMs };
        const passes = planPasses(positions, asked, options);
        expect(passes.flat().toSorted((a, b) => a - b)).toEqual([...positions.keys()]);
        const inOrder = passes.flat().map((index) => positions[index] ?? NaN);
        expect(inOrder).toEqual(positions.toSorted((a, b) => b - a));
        expect(msOf(passes, positions, asked)).toBeCloseTo(leastMs(inOrder, asked), 9);
      }),
    );
  });

  it('takes few large passes where starting one is dear, and many where it is cheap', () => {
    const sections = Array.from({ length: 40 }, (_, start) => 40 - start);
    expect(planPasses(sections, { ...costs, passMs: 100 }, options)).toHaveLength(1);
    expect(planPasses(sections, { ...costs, passMs: 0.6 }, options).map(({ length }) => length)).toContain(3);
    expect(planPasses(sections, { ...costs, passMs: 0.05 }, options)).toHaveLength(40);
  });

  it('stays within the memory, except for a sequence that exceeds it alone', () => {
    const asked = { ...costs, memoryBytes: 3 * 40 };
    const bytesOf = (positions: number) => positions;
    expect(planPasses(Array(10).fill(40), asked, { ...options, bytesOf }).map(({ length }) => length)).toEqual([
      3, 3, 3, 1,
    ]);
    expect(planPasses([400, 400], asked, { ...options, bytesOf })).toEqual([[0], [1]]);
  });

  it('joins equal lengths only where nothing can be padded', () => {
    const passes = planPasses(LENGTHS, costs, { ...options, takesPadding: false });
    for (const pass of passes) expect(new Set(pass.map((index) => LENGTHS[index])).size).toBe(1);
    expect(passes).toHaveLength(new Set(LENGTHS).size);
  });

  it('makes a pass no larger once its start is a hundredth of its time', () => {
    const positions: number[] = Array(500).fill(10);
    for (const pass of planPasses(positions, costs, options)) expect(pass.length * 10).toBeLessThanOrEqual(100 * 20);
    expect(planPasses(positions, costs, options)).toHaveLength(3);
  });

  it('holds no more members than are asked for, and plans nothing for nothing', () => {
    expect(planPasses(Array(70).fill(3), costs, { ...options, maxMembers: 32 })).toHaveLength(3);
    expect(planPasses([], costs, options)).toEqual([]);
  });
});

describe('activationBytes', () => {
  it('counts stream, scores, keys and logits', () => {
    const size = { layers: 1, width: 64, vocabulary: 100 };
    expect(activationBytes(size, 10, 40, 4)).toBe(4 * (10 * 64 * 18 + 2 * 2 * 10 * 40 + 4 * 40 * 64 + 2 * 4 * 100));
  });
});
