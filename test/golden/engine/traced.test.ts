import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Network } from '../../../workers/engine/network.ts';
import { traced, UNTRACED_FILE } from '../../support/onnx/changed/traced.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { openHere } from '../../support/onnx/original.ts';
import { factorsWith, measured, someIds } from '../measured.ts';
import { concatenated } from '../../../workers/kernels/float-arrays.ts';
import { referencePass } from '../reference-decoder.ts';

/** float32 against float64 over four layers. */
const LIMIT = 1e-4;
const TOKENS = 12;
const PREFIX = 5;
const weights = randomWeights(SMALL_SIZES, 7);
const ids = someIds(TOKENS, SMALL_SIZES.vocabulary);
const table = measured('A traced network, against the float64 reference');
const FACTORS = [1, 0.1, 2];

describe('a network whose lengths are computed from shapes in every layer', () => {
  let network: Network;
  beforeAll(async () => {
    const data = buildDecoder(SMALL_SIZES, weights);
    network = await openHere(traced(data), {}, [{ path: UNTRACED_FILE, data }]);
  });
  afterAll(() => network.release());

  /** A column after the prefix, so that a KV cache of the prefix is the same for all. */
  const factorsOf = (tokens: number, factor: number) => factorsWith(tokens, { 7: factor });
  const expected = (mode: 'additive' | 'multiplicative') =>
    FACTORS.flatMap((factor) => {
      const { logits } = referencePass(SMALL_SIZES, weights, ids, { mode, factors: factorsOf(TOKENS, factor) });
      return [...(logits.at(-1) ?? [])];
    });

  it.each(['additive', 'multiplicative'] as const)('computes several sequences of the same ids, %s', async (mode) => {
    const factors = concatenated(FACTORS.map((factor) => factorsOf(TOKENS, factor)));
    const several = { batch: FACTORS.length, sameIds: true, logits: true, rows: 1, perturbation: { mode, factors } };
    const { logits } = await network.run({ ...several, ids });
    table.within(`${mode}: whole`, logits, expected(mode), LIMIT);
    const { kvCache } = await network.run({ batch: 1, ids: ids.slice(0, PREFIX), keepKvCache: true });
    if (!kvCache) throw new TypeError('expected a KV cache, got none');
    const behind = await network.run({ ...several, ids: ids.slice(PREFIX), cached: { kvCache, tokens: PREFIX } });
    table.within(`${mode}: after a KV cache`, behind.logits, expected(mode), LIMIT);
    kvCache.release();
  });
});
