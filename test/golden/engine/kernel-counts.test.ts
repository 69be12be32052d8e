import { describe, expect, it } from 'vitest';
import { decodeModel } from '../../../workers/engine/codec/model-proto.ts';
import type { Network } from '../../../workers/engine/network.ts';
import { originalFeed } from '../../support/files/original-feed.ts';
import { builderDecoder } from '../../support/onnx/builder-decoder.ts';
import { type DecoderSizes, randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { buildFused } from '../../support/onnx/fused.ts';
import { deviceHere, openHere } from '../../support/onnx/original.ts';
import { place, testRuntime } from '../../support/onnx/place.ts';
import { watchKernels } from '../../support/onnx/readbacks.ts';
import { openSession } from '../../../workers/engine/session/session.ts';
import { factorsWith, someIds } from '../measured.ts';

const TOKENS = 12;
const ids = someIds(TOKENS, 40);

/** What does not grow with the layers is a larger part of a smaller network. */
const LAYERS = 8;

/** The size of a head is a multiple of 16 where one operator computes attention. */
const BUILDER_SIZES = { ...SMALL_SIZES, width: 64, headSize: 16, vocabulary: 64 };

/** Files of so many layers, as exporters write them. */
const NETWORKS: Readonly<Record<string, (layers: number) => Uint8Array>> = {
  'grouped queries': (layers) => buildFused({ operator: 'GroupQueryAttention', layers, hasFeedForward: true }),
  'grouped queries in one tensor': (layers) =>
    buildFused({ operator: 'GroupQueryAttention', layers, hasFeedForward: true, packed: true }),
  'several heads': (layers) => buildFused({ operator: 'MultiHeadAttention', layers, hasFeedForward: true }),
  'the operators of the model builder': (layers) => builderDecoder({ ...BUILDER_SIZES, layers }, 'fp32'),
  primitives: (layers) => primitives({ ...SMALL_SIZES, layers }),
  'primitives with as many key heads': (layers) => primitives({ ...SMALL_SIZES, keyHeads: SMALL_SIZES.heads, layers }),
};

function primitives(sizes: DecoderSizes): Uint8Array {
  return buildDecoder({ ...sizes, vocabulary: 40 }, randomWeights({ ...sizes, vocabulary: 40 }, 5));
}

// WebAssembly runs no kernels.
describe.skipIf(place.backend === 'wasm')('kernels of a pass on a GPU, beside the file as it was exported', () => {
  it.each(Object.keys(NETWORKS))(
    'are at most 1.3 times as many with an added bias, and twice with multiplied scores: %s',
    async (name) => {
      const { exported, additive, multiplicative } = await kernelsOf(NETWORKS[name]?.(LAYERS) ?? expect.fail());
      expect(additive / exported).toBeLessThanOrEqual(1.3);
      expect(multiplicative / exported).toBeLessThanOrEqual(2);
    },
  );
});

async function kernelsOf(file: Uint8Array) {
  const network = await openHere(file);
  const counted = {
    exported: await exportedKernels(file),
    additive: await perturbedKernels(network, 'additive'),
    multiplicative: await perturbedKernels(network, 'multiplicative'),
  };
  await network.release();
  return counted;
}

/** A pass over all tokens without a past, after the first, which computes constants. */
async function exportedKernels(model: Uint8Array): Promise<number> {
  const { ort } = await testRuntime();
  const session = await openSession(ort, { model, external: [] }, await deviceHere());
  const feeds = Object.fromEntries(
    decodeModel(model).inputs.map((input) => [input.name, originalFeed(ort, input, [...ids])]),
  );
  const pass = async () => (await session.run(feeds, ['logits']))['logits']?.dispose();
  await pass();
  const { kernels } = await watchKernels(pass);
  await session.release();
  return kernels;
}

async function perturbedKernels(network: Network, mode: 'additive' | 'multiplicative'): Promise<number> {
  const perturbation = { mode, factors: factorsWith(TOKENS, { 2: 0.1 }) };
  const pass = () => network.run({ batch: 1, ids, targets: ids.subarray(0, 1), perturbation });
  await pass();
  return (await watchKernels(pass)).kernels;
}
