import { expect, it } from 'vitest';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import { makeNode } from '../../../workers/engine/codec/graph-node.ts';
import { decodeModel, encodeSkeleton } from '../../../workers/engine/codec/model-proto.ts';
import { ElementType, makeTensor, numbersOf } from '../../../workers/engine/codec/tensor-proto.ts';
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

/** The same network with a number that `ConstantOfShape` makes. */
function withMadeNumber(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const model = decodeModel(file);
  const { float16, int64 } = ElementType;
  const { initialisers, nodes } = model;
  for (const tensor of initialisers.values()) initialisers.set(tensor.name, { ...tensor, filePosition: undefined }); // all stay inside
  const number = [...initialisers.values()].find(({ type, dimensions }) => type === float16 && dimensions.length === 0);
  if (!number) return expect.fail('expected a scalar');
  initialisers.delete(number.name);
  initialisers.set('no lengths', makeTensor('no lengths', int64, [0], []));
  const tensor = makeTensor('', float16, [1], numbersOf(number));
  nodes.unshift(makeNode('ConstantOfShape', ['no lengths'], [number.name], { value: { tensor } }));
  return encodeSkeleton(model, 'none');
}

it('a network in 16-bit floats runs in 32 where the device lacks them', async () => {
  const file = buildDecoder(SIZES, randomWeights(SIZES, 5));
  const half = withMadeNumber(halved(file));
  const config = readNetworkConfig(undefined);
  const plan = planNetwork(half, config);
  expect(plan.precision).toBe('float16');
  const options = { runtime: await testRuntime(), files: { model: half, external: [] }, config };
  const { network } = await openCandidate(options, plan, await deviceHere());
  const [got, expected] = [await logitsOf(network), await logitsOf(await openHere(file))];
  // Only the constants were rounded to 11 bits; sums of rounded products would be further off.
  expect(compared(got, expected, 2e-3)).toMatchObject({ agrees: true });
});
