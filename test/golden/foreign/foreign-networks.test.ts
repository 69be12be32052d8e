import { beforeAll, describe, expect, it } from 'vitest';
import { keptPast } from '../../support/onnx/kept-past.ts';
import { openHere, runOriginal } from '../../support/onnx/original.ts';
import { withTableWrittenOut } from '../../support/onnx/changed/packed-table.ts';
import { casesHere, fileBytes, place } from '../../support/onnx/place.ts';
import { torchReference } from '../../support/files/torch-reference.ts';
import { batchAndSingles, type Observe } from '../batch-and-singles.ts';
import { factorsWith, measured, someIds, upTo } from '../measured.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import { selfTest } from '../../../workers/engine/checks/self-test.ts';
import { eachPosition, type Network, type NetworkRun, type Perturbation } from '../../../workers/engine/network.ts';
import { concatenated, magnitudeOf } from '../../../workers/kernels/float-arrays.ts';

/** A network that an exporter of the wild wrote, and how it fares. */
interface Fixture {
  readonly name: string;
  readonly layers: number;
  /** float16 arithmetic rounds a thousand times coarser, and differently where the rewrite changes what is fused. */
  /** Dynamic int8 rounds all of a pass together; each sequence runs alone, so that nothing differs from its file. */
  readonly precision: 'float32' | 'float16' | 'int8';
  /** Its 4-bit table is written out, because ONNX Runtime has no kernel for it here: all else is as it was exported. */
  readonly packsTable?: boolean;
  /** The original does not run here at all (the rewrite makes it run), or gives no rows to compare with. */
  readonly withoutOriginal?: boolean;
  readonly isEncoder?: boolean;
}

/** float16 has 11 bits: one part in 2,000 each step. */
const LIMITS = { float32: 1e-5, float16: 2e-2, int8: 1e-5 } as const;
const TOKENS = 24;

const FIXTURES: readonly Fixture[] = [
  { name: 'opt-llama', layers: 3, precision: 'float32' },
  { name: 'capp-gpt', layers: 4, precision: 'float32' },
  { name: 'gb-llama-web-int4', layers: 3, precision: 'float16', packsTable: true },
  { name: 'opt-bert', layers: 3, precision: 'float32', isEncoder: true },
  { name: 'opt-gemma3', layers: 3, precision: 'float32' },
  { name: 'opt-opt', layers: 3, precision: 'float32' },
  { name: 'q-llama-q4f16', layers: 3, precision: 'float16' },
  { name: 'q-llama-q8', layers: 3, precision: 'int8' },
  { name: 'gb-llama-cpu-fp32-prune', layers: 3, precision: 'float32' },
  { name: 'gb-qwen3-cpu-fp32', layers: 3, precision: 'float32' },
  { name: 'gb-qwen3-web-fp32', layers: 3, precision: 'float32', withoutOriginal: place.backend === 'wasm' },
  { name: 'gb-mistral-cpu-fp32', layers: 3, precision: 'float32', withoutOriginal: true },
  { name: 'gb-gptoss-web-int4', layers: 3, precision: 'float16' },
  { name: 'opt-bert-seqcls', layers: 3, precision: 'float32', isEncoder: true, withoutOriginal: true },
  { name: 'dyn23-bert', layers: 3, precision: 'float32', isEncoder: true },
  { name: 'ortopt-opt-bert', layers: 3, precision: 'float32', isEncoder: true },
  { name: 'vespa-t5-enc', layers: 1, precision: 'float32', isEncoder: true },
];

/** Software WebGPU has no 16-bit floats. */
const FITTING = FIXTURES.filter(({ precision }) => place.backend === 'wasm' || precision === 'float32');

/** A decoder with rotary positions, one with learned positions, and an encoder come first. */
const HERE = casesHere(FITTING, 3);

/** Of these, the one that goes through the self-test on software WebGPU. */
const SELF_TESTED = 'opt-bert';

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ...(place.backend === 'webgpu'
    ? [['gb-llama-web-int4', /16-bit floats, which this GPU does not offer/] as const]
    : []),
  ['gb-lfm2-cpu-fp32', /convolution or recurrent state/],
  ['gb-llama-cpu-noemb', /takes embeddings instead of token ids/],
  ['opt-t5-decoder_model_merged', /encoder-decoder/],
  ['ort-gpt2-past', /exactly 1 tokens at a time/],
];

/** Fixtures and the weights they were exported from. */
const TORCH: readonly (readonly [string, string])[] = [
  ['gb-llama-cpu-fp32-prune', 'llama'],
  ['gb-qwen3-web-fp32', 'qwen3'],
  ['gb-qwen3-cpu-fp32', 'qwen3'],
  ['gb-mistral-cpu-fp32', 'mistral'],
];

const table = measured('Networks that this project did not make');
const bytesOf = (name: string) => fileBytes(`${place.data}/graphs/${name}/model.onnx`);

if (place.data === null) console.log('Skipped, foreign networks: no folder ../shared/data (or LIGHTWELL_DATA)');

// The reason is printed above.
describe.skipIf(place.data === null).each(HERE)('$name, a network from elsewhere', (fixture) => {
  let network: Network;
  let file: Uint8Array;
  let ids: Int32Array;
  beforeAll(async () => {
    file = await bytesOf(fixture.name);
    network = await openHere(file);
    ids = someIds(TOKENS, Math.min(50, network.shape.vocabulary || 50));
    return () => network.release();
  });
  const limit = LIMITS[fixture.precision];
  const observe: Observe = (run) => rowsOf(network, run, fixture.isEncoder === true);
  const additive = (changed: Record<number, number>): Perturbation => ({
    mode: 'additive',
    factors: factorsWith(TOKENS, changed),
  });

  it('is found to have its layers', () => {
    expect(network.shape.layers).toBe(fixture.layers);
  });

  // Without its own numbers there is nothing to compare with; the fixture says why.
  it.skipIf(fixture.withoutOriginal)('computes what its file does', async () => {
    const { model, external } = fixture.packsTable ? withTableWrittenOut(file) : { model: file, external: [] };
    const output = fixture.isEncoder ? 'last_hidden_state' : 'logits';
    const original = await runOriginal(model, [...ids], output, { external });
    const found = await observe({ ids, perturbation: additive({}) });
    const comparable = found.subarray(found.length - original.length); // a pruned head gives its last row only
    table.within(`${fixture.name}: neutral against original`, comparable, original, limit);
  });

  it('computes batches as single runs and behind a shared past as whole', async () => {
    const each = [additive({ 5: 0.1 }), additive({ 9: 0 }), additive({ 7: 2 })];
    const { batch, singles, factors } = await batchAndSingles(observe, ids, each);
    table.within(`${fixture.name}: batch`, batch, concatenated(singles), limit);
    if (!network.shape.sharesKvCache) return;
    const kvCache = await keptPast(network, { ids });
    const rest = ids.slice(5);
    const cached = { kvCache, tokens: 5 };
    const shared = await observe({
      batch: 3,
      ids: Int32Array.from([...rest, ...rest, ...rest]),
      cached,
      perturbation: { mode: 'additive', factors },
    });
    kvCache.release();
    const behind = singles.map((single) => single.subarray((5 * single.length) / TOKENS));
    table.within(`${fixture.name}: shared past`, shared, concatenated(behind), limit);
  });

  // It takes as long as all else on software WebGPU.
  it.skipIf(place.samples && fixture.name !== SELF_TESTED)('passes the self-test', async () => {
    const { fault, isCausal } = await selfTest(network, fixture.precision);
    expect(fault).toBeUndefined();
    if (fixture.precision !== 'int8') expect(isCausal).toBe(fixture.isEncoder !== true);
  });
});

// The reason is printed above.
describe.skipIf(place.data === null)('networks that cannot be explained exactly', () => {
  it.each(REFUSED)('refuses %s with a reason', async (name, reason) => {
    const refusal = await openHere(await bytesOf(name)).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(refusal instanceof FailureError)) throw new Error(`${name} was not refused`);
    expect(refusal.failure.code).toBe('MODEL_UNAVAILABLE');
    expect(refusal.message).toMatch(reason);
  });
});

// PyTorch's own numbers for the weights of the builder's fixtures; their ids are read off layer 0. Skipped as above, and
// where WebAssembly shows it: against a reference, `engine/formulas.test.ts` runs everywhere.
describe.skipIf(place.data === null || place.samples)('against PyTorch', () => {
  it.each(TORCH)('%s computes the logits and states of %s', async (name, weights) => {
    const network = await openHere(await bytesOf(name));
    const reference = await torchReference(weights);
    const { vocabulary, width, layers } = network.shape;
    const tokens = reference.logits.length / vocabulary;
    const ids = idsOf(reference.hs[0] ?? [], await network.embeddings(upTo(vocabulary)), width);
    const { logits, pooled } = await network.run({
      batch: 1,
      ids,
      rows: tokens,
      logits: true,
      pooling: eachPosition(tokens),
    });
    table.within(`${name}: logits against PyTorch`, logits, reference.logits, 1e-4);
    const states = reference.hs.slice(0, layers).flat(); // the last of PyTorch's is behind the final norm
    table.within(`${name}: states against PyTorch`, pooled?.subarray(0, states.length), states, 1e-4);
    await network.release();
  });
});

function idsOf(states: readonly number[], embeddings: Float32Array, width: number): Int32Array {
  return Int32Array.from({ length: states.length / width }, (_, token) => {
    const row = states.slice(token * width, (token + 1) * width);
    const distance = (id: number) =>
      magnitudeOf(row.map((value, column) => value - (embeddings[id * width + column] ?? NaN)));
    return [...upTo(embeddings.length / width)].reduce((best, id) => (distance(id) < distance(best) ? id : best), 0);
  });
}

async function rowsOf(
  network: Network,
  run: Pick<NetworkRun, 'ids'> & Partial<NetworkRun>,
  isEncoder: boolean,
): Promise<Float32Array> {
  const batch = run.batch ?? 1;
  const tokens = run.ids.length / batch;
  if (!isEncoder) {
    const { logits } = await network.run({ batch, rows: tokens, logits: true, ...run });
    return logits ?? new Float32Array(0);
  }
  const { pooled = new Float32Array(0) } = await network.run({ batch, pooling: eachPosition(tokens), ...run });
  const block = tokens * network.shape.width;
  const ends = Array.from({ length: batch }, (_, index) => (index + 1) * (network.shape.layers + 1) * block);
  return concatenated(ends.map((end) => pooled.subarray(end - block, end)));
}
