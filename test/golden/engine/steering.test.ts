import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import { eachPosition, type Network } from '../../../workers/engine/network.ts';
import { openNetwork } from '../../../workers/engine/session/open-network.ts';
import { randomWeights, seededRandom, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { deviceHere } from '../../support/onnx/original.ts';
import { casesHere, fileBytes, place, testRuntime } from '../../support/onnx/place.ts';
import { factorsWith, measured, someIds } from '../measured.ts';
import { type ReferencePerturbation, referencePassOf, wordEmbeddings } from '../reference-decoder.ts';

/** float32 against float64 over four layers. */
const LIMIT = 1e-4;
const TOKENS = 12;
const { layers, width, vocabulary } = SMALL_SIZES;

const weights = randomWeights(SMALL_SIZES, 7);
const ids = someIds(TOKENS, vocabulary);
const table = measured('Steered passes against the float64 reference');

async function openSteered(model: Uint8Array): Promise<Network> {
  const { ort, threads } = await testRuntime();
  const on = await deviceHere();
  const backend = { kind: on.kind, threads, reason: 'asked for by a test' };
  const config = { ...readNetworkConfig({}), wantsSteering: true };
  return openNetwork({ ort, files: { model, external: [] }, config, on, backend });
}

/** Random vectors after some of the layers, 0 after the others. */
function steeringAfter(chosen: readonly number[], of = { layers, width }): Float32Array {
  const random = seededRandom(5);
  return Float32Array.from({ length: of.layers * of.width }, (_, at) =>
    chosen.includes(1 + Math.floor(at / of.width)) ? 4 * random() - 2 : 0,
  );
}

function expected(steering: Float32Array, perturbation?: ReferencePerturbation) {
  const rows = Array.from({ length: layers }, (_, layer) => steering.subarray(layer * width, (layer + 1) * width));
  return referencePassOf(SMALL_SIZES, weights, wordEmbeddings(SMALL_SIZES, weights, ids), {
    steering: rows,
    perturbation,
  });
}

const flat = (blocks: readonly Float64Array[]) => blocks.flatMap((block) => [...block]);

describe('a steered decoder', () => {
  let network: Network;
  beforeAll(async () => (network = await openSteered(buildDecoder(SMALL_SIZES, weights))));
  afterAll(() => network.release());
  const all = { batch: 1, ids, rows: TOKENS, logits: true };

  it.each([[[1]], [[2]], [[3]], [[4]], [[1, 2, 3, 4]]])(
    'has the states of the formula after layers %j',
    async (chosen) => {
      const steering = steeringAfter(chosen);
      const { hidden, logits } = expected(steering);
      const found = await network.run({ ...all, steering, pooling: eachPosition(TOKENS) });
      table.within('states', found.pooled, hidden.flatMap(flat), LIMIT);
      table.within('logits', found.logits, flat(logits), LIMIT);
      const { logits: plain = [] } = await network.run(all);
      const effect = Math.max(...flat(logits).map((logit, at) => Math.abs(logit - (plain[at] ?? 0))));
      expect(effect, 'a vector that changes nothing would prove nothing').toBeGreaterThan(0.1);
    },
  );

  it('adds the same to every sequence of a batch, beside controls, and to every position after a KV cache', async () => {
    const steering = steeringAfter([2, 4]);
    const each = [factorsWith(TOKENS, {}), factorsWith(TOKENS, { 5: 0.1 }), factorsWith(TOKENS, { 7: 2 })];
    const rows = 3;
    const wanted = each.flatMap((factors) =>
      flat(expected(steering, { mode: 'additive', factors }).logits.slice(-rows)),
    );
    const perturbation = {
      mode: 'additive',
      factors: Float32Array.from(each.flatMap((factors) => [...factors])),
    } as const;
    const start = 5;
    const whole = await network.run({ batch: 3, ids, sameIds: true, perturbation, rows, logits: true, steering });
    const { kvCache } = await network.run({ batch: 1, ids: ids.subarray(0, start), keepKvCache: true, steering });
    const cached = kvCache && { kvCache, tokens: start };
    const continued = { batch: 3, ids: ids.subarray(start), sameIds: true, perturbation, rows, logits: true };
    const after = await network.run({ ...continued, steering, ...(cached && { cached }) });
    table.within('a batch with controls', whole.logits, wanted, LIMIT);
    table.within('after a KV cache', after.logits, wanted, LIMIT);
    await expect(network.run({ ...continued, ...(cached && { cached }) })).rejects.toThrow('another steering');
    kvCache?.release();
  });

  it('computes exactly the plain numbers with zeros', async () => {
    const plain = await network.run(all);
    const zeros = await network.run({ ...all, steering: new Float32Array(layers * width) });
    table.within('zeros', zeros.logits, plain.logits ?? [], 0);
  });
});

/** Exports with sums of their own, in fused norms, in 16 bits, and with layers that end in a norm. */
const EXPORTS = [
  'opt-llama',
  'gb-llama-cpu-fp32-prune',
  'gb-qwen3-cpu-fp32',
  'opt-gemma3',
  'opt-opt',
  'capp-gpt',
  'q-llama-q4f16',
];

// Skipped without the data folder, which has the graphs.
describe.runIf(place.data)('steered networks that this project did not make', () => {
  it.each(casesHere(EXPORTS, 2))('%s adds the vector to the state after the layer', async (name) => {
    const network = await openSteered(await fileBytes(`${place.data}/graphs/${name}/model.onnx`));
    const { shape } = network;
    expect(shape.takesSteering).toBe(true);
    const steering = steeringAfter([2], shape);
    const run = { batch: 1, ids: someIds(TOKENS, shape.vocabulary), pooling: eachPosition(TOKENS) };
    const { pooled: plain = new Float32Array() } = await network.run(run);
    const { pooled: steered = new Float32Array() } = await network.run({ ...run, steering });
    const state = (states: Float32Array) => states.slice(2 * TOKENS * shape.width, 3 * TOKENS * shape.width);
    const wanted = state(plain).map((value, at) => value + (steering[shape.width + (at % shape.width)] ?? 0));
    table.within(`${name}: state`, state(steered), wanted, name.endsWith('f16') ? 2e-2 : LIMIT);
    await network.release();
  });
});
