import { describe, expect, it } from 'vitest';
import { guardOf } from '../../../workers/engine/device/guard.ts';
import type { KvCache, Network, NetworkRun } from '../../../workers/engine/network.ts';
import { openNetwork } from '../../../workers/engine/session/open-network.ts';
import { createPlainSteps, PLAIN_STEPS_BYTES, STEPS_BEFORE } from '../../../workers/engine/session/plain-steps.ts';
import { planNetwork } from '../../../workers/engine/rewrite/plan-network.ts';
import type { Fetched, Ort } from '../../../workers/engine/session/session.ts';
import { differenceOf } from '../../../workers/kernels/float-arrays.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { place, testRuntime } from '../../support/onnx/place.ts';
import { factorsWith, someIds } from '../measured.ts';

/** Two ways to the same float32 numbers. */
const LIMIT = 1e-5;
const PROMPT = 5;
const STEPS = STEPS_BEFORE + 8;

const file = buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 11));
const config = { layers: undefined, headSize: undefined, contextTokens: undefined, paddingId: undefined };
const ids = someIds(PROMPT + STEPS, SMALL_SIZES.vocabulary);

/** Passes of each session, in the order in which they were opened, and how many of them were released. */
interface Seen {
  readonly passes: number[];
  released: number;
}

/** @param changed  what a session behind the first answers */
async function openWatched(
  changed: (fetched: Fetched) => Fetched = (fetched) => fetched,
): Promise<{ network: Network; seen: Seen }> {
  const { ort, threads } = await testRuntime();
  const seen: Seen = { passes: [], released: 0 };
  const create: Ort['InferenceSession']['create'] = async (graph, options) => {
    const session = await ort.InferenceSession.create(graph, options);
    const index = seen.passes.push(0) - 1;
    return {
      inputNames: session.inputNames,
      async run(feeds, fetches) {
        seen.passes[index] = (seen.passes[index] ?? 0) + 1;
        const fetched = await session.run(feeds, fetches);
        return index > 0 ? changed(fetched) : fetched;
      },
      release: async () => {
        seen.released++;
        await session.release();
      },
    };
  };
  const network = await openNetwork({
    ort: { Tensor: ort.Tensor, InferenceSession: { create } },
    files: { model: file, external: [] },
    config,
    on: { kind: 'wasm' },
    backend: { kind: 'wasm', threads, reason: 'asked for by a test' },
  });
  return { network, seen };
}

function withoutLogits(fetched: Fetched): Fetched {
  const logits: unknown = fetched['logits']?.data;
  if (logits instanceof Float32Array) logits.fill(0);
  return fetched;
}

/** Feeds the prompt, then a token at a time; gives the largest difference from passes without a KV cache. */
async function grown(network: Network, more: (tokens: number) => Partial<NetworkRun> = () => ({})): Promise<number> {
  let kvCache: KvCache | undefined;
  let difference = 0;
  for (let tokens = PROMPT; tokens <= ids.length; tokens++) {
    const start = kvCache?.tokens ?? 0;
    const asked = { batch: 1, logits: true, ...more(tokens) };
    const cached = kvCache && { kvCache, tokens: start };
    const answer = await network.run({
      ...asked,
      cached,
      ids: ids.slice(start, tokens),
      keepKvCache: true,
    } as NetworkRun);
    const whole = await network.run({ ...asked, ids: ids.slice(0, tokens) });
    difference = Math.max(difference, differenceOf(answer.logits ?? new Float32Array(0), whole.logits ?? ids));
    kvCache?.release();
    kvCache = answer.kvCache;
  }
  kvCache?.release();
  return difference;
}

// On WebGPU every step goes through the rewritten graph.
describe.runIf(place.backend === 'wasm')('steps of a text that is written without controls', () => {
  it('go through the graph without controls, once the text is long, and compute the same', async () => {
    const { network, seen } = await openWatched();
    expect(await grown(network)).toBeLessThanOrEqual(LIMIT);
    expect(seen.passes).toHaveLength(2);
    expect(seen.passes[1]).toBe(STEPS - STEPS_BEFORE);
    expect(await grown(network)).toBeLessThanOrEqual(LIMIT);
    expect(seen.passes[1]).toBe(STEPS - STEPS_BEFORE + STEPS);
    await network.release();
    expect(seen.released).toBe(2);
  });

  it('go through the rewritten graph under controls', async () => {
    const { network, seen } = await openWatched();
    const factors = (tokens: number) =>
      ({ perturbation: { mode: 'additive', factors: factorsWith(tokens, { 2: 0.1 }) } }) as const;
    expect(await grown(network, factors)).toBeLessThanOrEqual(LIMIT);
    expect(seen.passes).toHaveLength(1);
    await network.release();
  });

  it.each<[string, (fetched: Fetched) => Fetched]>([
    ['computes something else', withoutLogits],
    [
      'cannot be run',
      () => {
        throw new Error('the shapes do not fit');
      },
    ],
  ])('go through the rewritten graph where the leaner one %s', async (_, changed) => {
    const { network, seen } = await openWatched(changed);
    expect(await grown(network)).toBeLessThanOrEqual(LIMIT);
    expect(seen.passes.slice(1)).toEqual([1]);
    expect(seen.released).toBe(1);
    await network.release();
    expect(seen.released).toBe(2);
  });

  it('need no second session of a large file, or of one that keeps no keys and values', async () => {
    const { ort } = await testRuntime();
    const plan = planNetwork(file, config);
    const files = { model: file, external: [] };
    const guard = guardOf(null);
    const large = [{ path: 'weights', data: { byteLength: PLAIN_STEPS_BYTES } as Uint8Array }];
    expect(createPlainSteps(ort, plan, files, guard)).toBeDefined();
    expect(createPlainSteps(ort, plan, { ...files, external: large }, guard)).toBeUndefined();
    expect(createPlainSteps(ort, { ...plan, ownLogits: undefined }, files, guard)).toBeUndefined();
  });
});
