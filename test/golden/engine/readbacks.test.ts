import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Network, type NetworkRun, requested } from '../../../workers/engine/network.ts';
import { likeliest, logProbabilitiesOf } from '../../../workers/kernels/next-token.ts';
import { greedyContinuation } from '../../../workers/operations/complete/continuation.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { watchReadbacks } from '../../support/onnx/readbacks.ts';
import { openHere } from '../../support/onnx/original.ts';
import { place } from '../../support/onnx/place.ts';

const SIZES = { ...SMALL_SIZES, layers: 2, vocabulary: 3000 };
const ids = Int32Array.from({ length: 12 }, (_, i) => (i * 37 + 11) % SIZES.vocabulary);
const ROWS = 3;

let network: Network;
beforeAll(async () => {
  network = await openHere(buildDecoder(SIZES, randomWeights(SIZES, 5)));
});
afterAll(() => network.release());

/** A pass after eight tokens of a KV cache. */
async function afterCache(run: Omit<NetworkRun, 'ids' | 'cached'>) {
  const { kvCache } = await network.run({ batch: 1, ids, keepKvCache: true });
  const cached = { kvCache: requested(kvCache), tokens: 8 };
  const { counted, value } = await watchReadbacks(() => network.run({ ...run, ids: ids.subarray(8), cached }));
  cached.kvCache.release();
  value.kvCache?.release();
  return { counted, answer: value };
}

describe('the likeliest token', () => {
  it('is that of the logits, with its probability', async () => {
    const { logits, likeliest: found } = await network
      .run({
        batch: 2,
        ids: Int32Array.from([...ids, ...ids.toReversed()]),
        rows: ROWS,
        logits: true,
        likeliest: true,
        targets: ids.subarray(0, ROWS),
      })
      .then((answer) => {
        for (let row = 0; row < 2 * ROWS; row++) {
          const own =
            answer.logits?.subarray(row * SIZES.vocabulary, (row + 1) * SIZES.vocabulary) ?? new Float32Array();
          expect(answer.logProbabilities?.[row]).toBeCloseTo(logProbabilitiesOf(own)(ids[row % ROWS] ?? 0), 4);
        }
        return answer;
      });
    for (let row = 0; row < 2 * ROWS; row++) {
      const own = logits?.subarray(row * SIZES.vocabulary, (row + 1) * SIZES.vocabulary) ?? new Float32Array();
      const { id, logProbability } = likeliest(own);
      expect(found?.[2 * row]).toBe(id);
      expect(found?.[2 * row + 1]).toBeCloseTo(logProbability, 5);
    }
  });
});

// The engine's copies from a GPU; WebAssembly copies nothing.
describe.skipIf(place.backend === 'wasm')('what a pass reads back from a GPU', () => {
  it.each([1, 4])('is a number for each token that is rated, at once, in a batch of %d', async (batch) => {
    const factors = new Float32Array(batch * ids.length).fill(1);
    factors[9] = 0.1;
    const { counted, answer } = await afterCache({
      batch,
      sameIds: true,
      perturbation: { mode: 'additive', factors },
      rows: ROWS,
      targets: ids.subarray(0, ROWS),
    });
    expect(answer.logProbabilities).toHaveLength(batch * ROWS);
    expect(counted).toEqual({ readbacks: 1, bytes: inUnits(4 * batch * ROWS) });
  });

  it('is nothing of keys and values', async () => {
    const { counted } = await watchReadbacks(async () => {
      const { kvCache } = await network.run({ batch: 1, ids, keepKvCache: true });
      kvCache?.release();
    });
    expect(counted).toEqual({ readbacks: 0, bytes: 0 });
  });

  it('is less than a kilobyte for each token that is written', async () => {
    const beginning = { ids: [...ids], embeddingOverrides: [], factors: undefined, mode: 'additive' as const };
    const limits = { maximumTokens: 5, isEnd: () => false };
    const { counted, value } = await watchReadbacks(() => greedyContinuation(network, beginning, limits));
    expect(value).toHaveLength(5);
    expect(counted).toEqual({ readbacks: 5, bytes: 5 * inUnits(4 * 2) });
  });
});

/** Copies have whole units of 16 bytes. */
function inUnits(bytes: number): number {
  return 16 * Math.ceil(bytes / 16);
}
