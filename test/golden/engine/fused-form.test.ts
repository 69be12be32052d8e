import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Network, type NetworkAnswer, type NetworkRun, requested } from '../../../workers/engine/network.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { builderDecoder } from '../../support/onnx/builder-decoder.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { buildFused } from '../../support/onnx/fused.ts';
import { openHere } from '../../support/onnx/original.ts';
import { place } from '../../support/onnx/place.ts';
import { watchReadbacks } from '../../support/onnx/readbacks.ts';
import { factorsWith, measured, someIds } from '../measured.ts';

const SIZES = { ...SMALL_SIZES, vocabulary: 40 };
const EQUAL_SIZES = { ...SIZES, keyHeads: SIZES.heads, layers: 4 };
const BUILDER_SIZES = { ...SIZES, width: 64, headSize: 16 }; // the fused kernel takes multiples of 16 only

const NETWORKS: readonly { name: string; file: Uint8Array; isEncoder?: boolean }[] = [
  { name: 'primitives', file: buildDecoder(SIZES, randomWeights(SIZES, 5)) },
  { name: 'primitives with as many key heads', file: buildDecoder(EQUAL_SIZES, randomWeights(EQUAL_SIZES, 5)) },
  { name: 'grouped queries', file: buildFused({ operator: 'GroupQueryAttention', layers: 4 }) },
  {
    name: 'grouped queries with a window and norms',
    file: buildFused({ operator: 'GroupQueryAttention', layers: 4, norms: true, attributes: { local_window_size: 3 } }),
  },
  {
    name: 'grouped queries in one tensor',
    file: buildFused({ operator: 'GroupQueryAttention', layers: 4, packed: true }),
  },
  {
    name: 'grouped queries with a sink and a window',
    file: buildFused({ operator: 'GroupQueryAttention', layers: 4, sink: true, attributes: { local_window_size: 3 } }),
  },
  {
    name: 'grouped queries with a smooth softmax',
    file: buildFused({ operator: 'GroupQueryAttention', layers: 4, attributes: { smooth_softmax: 1 } }),
  },
  { name: 'a file of the model builder', file: builderDecoder(BUILDER_SIZES, 'fp32') },
  { name: 'several heads', file: buildFused({ operator: 'MultiHeadAttention', layers: 4 }) },
  {
    name: 'packed attention',
    file: buildFused({ operator: 'PackedAttention', layers: 4 }),
    isEncoder: true,
  },
  {
    name: "ONNX's attention, grouped",
    file: buildFused({ operator: 'OnnxAttention', layers: 4, grouped: true }),
    isEncoder: true,
  },
];

const TOKENS = 12;
const BATCH = 3;
const ids = someIds(TOKENS, SIZES.vocabulary);
const batchIds = Int32Array.from({ length: BATCH * TOKENS }, (_, at) => ids[(at * 5) % TOKENS] ?? 0);
const LENGTHS = Int32Array.of(TOKENS, 5, 9);
const factors = new Float32Array([...factorsWith(TOKENS, { 2: 0.1 }), ...factorsWith(TOKENS, { 5: 0 })]);
const targets = ids.subarray(0, 2);
const MANY = 40;
const longIds = someIds(MANY, SIZES.vocabulary);
const shared = { batch: 2, ids, sameIds: true, rows: 2, targets };

/** Every kind of run that chooses between operators. */
const RUNS: Readonly<Record<string, NetworkRun>> = {
  'without controls': { batch: BATCH, ids: batchIds, rows: 4, logits: true },
  'with an added bias': { ...shared, perturbation: { mode: 'additive', factors } },
  // ONNX Runtime's kernel is another one from 32 tokens on.
  'of many tokens with an added bias': {
    batch: 2,
    ids: longIds,
    sameIds: true,
    rows: 2,
    targets,
    perturbation: {
      mode: 'additive',
      factors: new Float32Array([...factorsWith(MANY, { 2: 0.1 }), ...factorsWith(MANY, { 35: 0 })]),
    },
  },
  'with multiplied scores': { ...shared, perturbation: { mode: 'multiplicative', factors } },
  'with states': { batch: 1, ids, pooling: { weights: new Float32Array(TOKENS).fill(1 / TOKENS), pools: 1 } },
  'with attention': { batch: 1, ids, rows: 2, targets, attention: true },
  'of padded sequences': {
    batch: LENGTHS.length,
    ids: batchIds,
    lengths: LENGTHS,
    pooling: { weights: lastOf(LENGTHS), pools: 1 },
  },
};

const table = measured('The fused form against the primitive one');
const LIMIT = 2e-5;

describe.each(NETWORKS)('the fused form of a network of $name', ({ name, file, isEncoder = false }) => {
  let fused: Network;
  let primitive: Network;
  beforeAll(async () => {
    fused = await openHere(file, {}, [], undefined, 'fused');
    primitive = await openHere(file, {}, [], undefined, 'primitive');
  });
  afterAll(async () => {
    await fused.release();
    await primitive.release();
  });

  // Without keys and values, no rows are computed apart, and no attention is shown.
  const kinds = Object.keys(RUNS).filter((kind) => !isEncoder || kind !== 'with attention');
  it.each(kinds)('computes a run %s', async (kind) => {
    const run = RUNS[kind] ?? expect.fail();
    expectSame(`${name}, ${kind}`, await fused.run(run), await primitive.run(run));
  });

  // An encoder has no keys and values.
  it.skipIf(isEncoder)(
    'continues a KV cache, one token and several at a time, in one sequence and in a batch',
    async () => {
      const continuations = (network: Network) => continued(network);
      const [own, expected] = [await continuations(fused), await continuations(primitive)];
      own.forEach((answer, at) => expectSame(`${name}, after a cache`, answer, expected[at] ?? {}));
    },
  );

  // Copies are those of a GPU.
  it.skipIf(place.backend === 'wasm' || isEncoder)('copies no keys and values back', async () => {
    const { counted } = await watchReadbacks(async () => {
      const { kvCache } = await fused.run({ batch: 1, ids, keepKvCache: true });
      kvCache?.release();
    });
    expect(counted).toEqual({ readbacks: 0, bytes: 0 });
  });
});

/** Weights that pick the last token of each sequence, `[batch, 1, tokens]`. */
function lastOf(lengths: Int32Array): Float32Array {
  const weights = new Float32Array(lengths.length * TOKENS);
  lengths.forEach((length, sequence) => (weights[sequence * TOKENS + length - 1] = 1));
  return weights;
}

async function continued(network: Network): Promise<NetworkAnswer[]> {
  const { kvCache } = await network.run({ batch: 1, ids, keepKvCache: true });
  const cached = { kvCache: requested(kvCache), tokens: 8 };
  const perturbation = { mode: 'additive', factors } as const;
  const answers = [
    await network.run({ batch: 1, ids: ids.subarray(8, 9), cached, logits: true }),
    await network.run({ batch: 1, ids: ids.subarray(8), cached, logits: true }),
    await network.run({ ...shared, ids: ids.subarray(8), cached, perturbation }),
    await network.run({
      ...shared,
      ids: ids.subarray(11),
      rows: 1,
      targets: targets.subarray(0, 1),
      cached: { ...cached, tokens: 11 },
      perturbation,
    }),
  ];
  cached.kvCache.release();
  return answers;
}

function expectSame(check: string, found: NetworkAnswer, expected: NetworkAnswer): void {
  const blocks = ['logits', 'logProbabilities', 'pooled'] as const;
  const compared = blocks.filter((block) => expected[block]);
  expect(compared.length, check).toBeGreaterThan(0);
  for (const block of compared) table.within(check, found[block], expected[block] ?? [], LIMIT);
  if (expected.attention) table.within(check, found.attention?.earlier, expected.attention.earlier, LIMIT);
}
