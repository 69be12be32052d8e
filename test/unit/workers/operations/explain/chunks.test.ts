import { describe, expect, it } from 'vitest';
import type { NetworkRun } from '../../../../../workers/engine/network.ts';
import { activationBytes } from '../../../../../workers/kernels/batch-plan.ts';
import { inChunks } from '../../../../../workers/operations/explain/passes.ts';
import { createFakeModel } from '../../../../support/fakes/fake-model.ts';

const TOKENS = 40;
const ids = Int32Array.from({ length: TOKENS }, (_, i) => 7 + i);
const factors = Float64Array.from({ length: 2 * TOKENS }, (_, i) => (i === 5 || i === TOKENS + 12 ? 0.1 : 1));

/** Two sequences behind eight positions of a KV cache. */
const setting = async () => {
  const fake = createFakeModel();
  const { kvCache } = await fake.network.run({ batch: 1, ids, keepKvCache: true });
  if (!kvCache) throw new Error('expected keys and values');
  fake.runs.length = 0;
  const run = {
    batch: 2,
    ids: ids.subarray(8),
    sameIds: true as const,
    cached: { kvCache, tokens: 8 },
    perturbation: { mode: 'additive' as const, factors },
    rows: 3,
    targets: Int32Array.of(1, 2, 3),
  } satisfies NetworkRun;
  const bytesOf = (tokens: number) => 2 * activationBytes(fake.network.shape, tokens, TOKENS, 3);
  return { ...fake, run, bytesOf };
};

describe('inChunks', () => {
  it.each([4, 7, 16, 31])('computes %d positions at a time what the whole pass does', async (size) => {
    const { network, runs, run, bytesOf } = await setting();
    const { logProbabilities: expected } = await network.run(run);
    runs.length = 0;
    const { logProbabilities } = await inChunks(network, run, bytesOf(size));
    expect(logProbabilities).toEqual(expected);
    expect(runs.length).toBeGreaterThan(1);
    for (const { ids: fed } of runs.slice(0, -1)) expect(fed.length).toBeLessThanOrEqual(size);
    expect(runs.at(-1)?.ids.length).toBeGreaterThanOrEqual(run.rows);
  });

  it('leaves a pass whole that fits, has a layout, or whose network keeps nothing', async () => {
    const { network, runs, run, bytesOf } = await setting();
    const { cached: _, ...first } = { ...run, ids: ids.subarray(0, TOKENS) };
    const layout = { positions: ids.map((__, i) => i), hidden: new Uint8Array(TOKENS ** 2) };
    const keepsNothing = { ...network, shape: { ...network.shape, sharesKvCache: false } };
    await inChunks(network, run, bytesOf(32));
    await inChunks(network, { ...first, perturbation: { ...first.perturbation, layout } }, 0);
    await inChunks(keepsNothing, first, 0);
    expect(runs).toHaveLength(3);
  });

  it('releases keys and values of chunks and not what was asked for, after an error too', async () => {
    const { network, run, bytesOf } = await setting();
    const released: number[] = [];
    let left = Infinity;
    const watched = {
      ...network,
      run: async (asked: NetworkRun) => {
        if (left-- === 0) throw new RangeError('no more');
        const answer = await network.run(asked);
        const { kvCache } = answer;
        if (kvCache) Object.assign(kvCache, { release: () => void released.push(kvCache.tokens) });
        return answer;
      },
    };
    const { kvCache } = await inChunks(watched, { ...run, keepKvCache: true }, bytesOf(10));
    expect(kvCache?.tokens).toBe(TOKENS);
    expect(released).toEqual([18, 28, 37]);
    left = 2;
    await expect(inChunks(watched, run, bytesOf(10))).rejects.toThrow('no more');
    expect(released).toEqual([18, 28, 37, 18, 28]);
  });
});
