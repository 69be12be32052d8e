import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Network, type NetworkRun, requested } from '../../../workers/engine/network.ts';
import { likeliest, logProbabilitiesOf } from '../../../workers/kernels/next-token.ts';
import { greedyContinuation } from '../../../workers/operations/complete/continuation.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { buildFused, type FusedAttention } from '../../support/onnx/fused.ts';
import { watchReadbacks } from '../../support/onnx/readbacks.ts';
import { openHere } from '../../support/onnx/original.ts';
import { place } from '../../support/onnx/place.ts';

const SIZES = { ...SMALL_SIZES, layers: 2, vocabulary: 3000 };
const ids = Int32Array.from({ length: 12 }, (_, i) => (i * 37 + 11) % 40); // all networks have 40 tokens or more
const ROWS = 3;

let network: Network;

/** Opens a network for the tests of a block. */
function opened(file: () => Uint8Array): void {
  beforeAll(async () => {
    network = await openHere(file());
  });
  afterAll(() => network.release());
}

const primitives = () => buildDecoder(SIZES, randomWeights(SIZES, 5));
const fused = (operator: FusedAttention['operator']) => () => buildFused({ operator });

/** A pass after eight tokens of a KV cache, or of all tokens where a network has none. */
async function watchPass(run: Omit<NetworkRun, 'ids' | 'cached'>, hasCache: boolean) {
  if (!hasCache) return watchReadbacks(() => network.run({ ...run, ids }));
  const { kvCache } = await network.run({ batch: 1, ids, keepKvCache: true });
  const cached = { kvCache: requested(kvCache), tokens: 8 };
  const passed = await watchReadbacks(() => network.run({ ...run, ids: ids.subarray(8), cached }));
  cached.kvCache.release();
  return passed;
}

describe('the likeliest token', () => {
  opened(primitives);

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
describe.skipIf(place.backend === 'wasm').each([
  { name: 'primitives', file: primitives },
  { name: 'GroupQueryAttention', file: fused('GroupQueryAttention') },
  { name: 'MultiHeadAttention', file: fused('MultiHeadAttention') },
  { name: 'Attention of operator set 23', file: fused('OnnxAttention'), hasCache: false },
])('what a pass of $name reads back from a GPU', ({ file, hasCache = true }) => {
  opened(file);

  it.each([1, 4])('is a number for each token that is rated, at once, in a batch of %d', async (batch) => {
    const factors = new Float32Array(batch * ids.length).fill(1);
    factors[9] = 0.1;
    const perturbation = { mode: 'additive', factors } as const;
    const run = { batch, sameIds: true, perturbation, rows: ROWS, targets: ids.subarray(0, ROWS) };
    const { counted, value } = await watchPass(run, hasCache);
    expect(value.logProbabilities).toHaveLength(batch * ROWS);
    expect(counted).toEqual({ readbacks: 1, bytes: inUnits(4 * batch * ROWS) });
  });

  // The test's opset-23 network has no keys and values.
  it.skipIf(!hasCache)('is nothing of keys and values', async () => {
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
