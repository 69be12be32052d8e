import { expect, it } from 'vitest';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import type { Network } from '../../../workers/engine/network.ts';
import { planNetwork } from '../../../workers/engine/rewrite/plan-network.ts';
import { openCandidate } from '../../../workers/engine/session/open-network.ts';
import { compared } from '../../../workers/kernels/float-arrays.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { halved } from '../../support/onnx/changed/halved.ts';
import { deviceHere, openHere } from '../../support/onnx/original.ts';
import { testRuntime } from '../../support/onnx/place.ts';

const SIZES = { ...SMALL_SIZES, layers: 1 };
const IDS = Int32Array.of(5, 17, 3, 29, 8, 11);

async function logitsOf(network: Network): Promise<Float32Array> {
  const { logits } = await network.run({ batch: 1, ids: IDS, rows: IDS.length, logits: true });
  await network.release();
  return logits ?? new Float32Array();
}

it('a network in 16-bit floats runs in 32 where the device lacks them', async () => {
  const file = buildDecoder(SIZES, randomWeights(SIZES, 5));
  const half = halved(file);
  const config = readNetworkConfig(undefined);
  const plan = planNetwork(half, config);
  expect(plan.precision).toBe('float16');
  const options = { runtime: await testRuntime(), files: { model: half, external: [] }, config };
  const { network } = await openCandidate(options, plan, await deviceHere());
  const [got, expected] = [await logitsOf(network), await logitsOf(await openHere(file))];
  // Only the constants were rounded to 11 bits; sums of rounded products would be further off.
  expect(compared(got, expected, 2e-3)).toMatchObject({ agrees: true });
});
