import { describe, expect, it } from 'vitest';
import type { NetworkRun } from '../../../../../workers/engine/network.ts';
import { onePerPass } from '../../../../../workers/engine/session/create-network.ts';

/** Answers with what it was asked, and counts its runs. */
function recorder() {
  const runs: NetworkRun[] = [];
  const run = onePerPass(async (one) => {
    runs.push(one);
    const logits = Float32Array.from(one.ids);
    return { logits, outputs: { named: { dimensions: [1, one.ids.length], values: logits } } };
  });
  return { runs, run };
}

describe('oneByOne', () => {
  it('runs each sequence with what is its own, and joins what they give', async () => {
    const { run, runs } = recorder();
    const perturbation = { mode: 'additive', factors: Float64Array.of(1, 2, 3, 4) } as const;
    const pooling = { weights: Float32Array.of(1, 2, 3, 4), pools: 1 };
    const answer = await run({ batch: 2, ids: Int32Array.of(5, 6, 7, 8), perturbation, pooling });
    expect(runs.map(({ batch, ids }) => [batch, ...ids])).toEqual([
      [1, 5, 6],
      [1, 7, 8],
    ]);
    expect(runs.map((each) => [...(each.perturbation?.factors ?? [])])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(runs.map((each) => [...(each.pooling?.weights ?? [])])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(answer.logits).toEqual(Float32Array.of(5, 6, 7, 8));
    expect(answer.outputs?.['named']).toEqual({ dimensions: [2, 2], values: answer.logits });
  });

  it('gives all sequences the ids that they share', async () => {
    const { run, runs } = recorder();
    await run({ batch: 2, ids: Int32Array.of(5, 6), sameIds: true });
    expect(runs.map(({ ids }) => [...ids])).toEqual([
      [5, 6],
      [5, 6],
    ]);
  });

  it('takes no past and no padding', async () => {
    const { run } = recorder();
    const one = { batch: 1, ids: Int32Array.of(1) };
    await expect(run({ ...one, keepKvCache: true })).rejects.toThrow(/takes no KV cache/);
    await expect(run({ ...one, lengths: Int32Array.of(1) })).rejects.toThrow(/takes no KV cache/);
  });
});
