import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Network } from '../../../workers/engine/network.ts';
import { TABLED_FILE, withComputedAngles } from '../../support/onnx/changed/computed-angles.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { openHere } from '../../support/onnx/original.ts';
import { measured, someIds } from '../measured.ts';
import { referencePass } from '../reference-decoder.ts';

/** A GPU's own sines are off by up to 2⁻¹¹, which changes these logits by more than 1e-4. */
const LIMIT = 2e-5;
const TOKENS = 12;
const sizes = { ...SMALL_SIZES, layers: 2 };
const weights = randomWeights(sizes, 7);
const table = measured('Angles that the graph computes, against the float64 reference');

describe('rotary embeddings of a graph that computes angles', () => {
  let network: Network;
  beforeAll(async () => {
    const data = buildDecoder(sizes, weights);
    network = await openHere(withComputedAngles(data, sizes), {}, [{ path: TABLED_FILE, data }]);
  });
  afterAll(() => network.release());

  it('are those of float64 on every backend', async () => {
    const ids = someIds(TOKENS, sizes.vocabulary);
    const expected = referencePass(sizes, weights, ids).logits.flatMap((row) => [...row]);
    const { logits } = await network.run({ batch: 1, ids, rows: TOKENS, logits: true });
    table.within('logits', logits, expected, LIMIT);
  });
});
