import { expect, it } from 'vitest';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import { withAttentionOutput } from '../../../evaluation/workers/attention-output.ts';
import { attendedBy } from '../../../evaluation/measures/attended.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { openHere } from '../../support/onnx/original.ts';
import { measured, someIds } from '../measured.ts';

const table = measured('Attention of the last layer, as an output');

it('is that of the last layer: without queries each position looks at all before it alike', async () => {
  const weights = randomWeights(SMALL_SIZES, 9);
  weights.layers.at(-1)?.query.fill(0);
  const { file, output } = withAttentionOutput(buildDecoder(SMALL_SIZES, weights), readNetworkConfig(undefined));
  const network = await openHere(file);
  const [tokens, rows] = [7, 3];
  const { outputs } = await network.run({ batch: 1, ids: someIds(tokens, SMALL_SIZES.vocabulary), outputs: [output] });
  const attention = outputs?.[output];
  expect(attention?.dimensions).toEqual([1, SMALL_SIZES.heads, tokens, tokens]);
  const expected = Array.from({ length: SMALL_SIZES.heads * tokens * tokens }, (_, at) => {
    const [query, key] = [Math.floor(at / tokens) % tokens, at % tokens];
    return key <= query ? 1 / (query + 1) : 0;
  });
  table.within('weights', attention?.values, expected, 1e-6);
  // The last three positions look at the first alike: at 1/5, 1/6 and 1/7 of all.
  const attended = attendedBy(attention?.values ?? new Float32Array(0), attention?.dimensions ?? [], rows);
  table.within('mean over the last rows', attended.subarray(0, 1), [(1 / 5 + 1 / 6 + 1 / 7) / 3], 1e-6);
  await network.release();
});
