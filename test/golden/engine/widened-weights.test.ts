import { describe, expect, it } from 'vitest';
import { makeNode, MICROSOFT } from '../../../workers/engine/codec/graph-node.ts';
import { encodeSkeleton, makeValueInfo } from '../../../workers/engine/codec/model-proto.ts';
import { ElementType, makeTensor } from '../../../workers/engine/codec/tensor-proto.ts';
import { widenWeights } from '../../../workers/engine/rewrite/widen-weights.ts';
import { type ModelFiles, valuesOf } from '../../../workers/engine/session/session.ts';
import { compared, concatenated } from '../../../workers/kernels/float-arrays.ts';
import { seededRandom } from '../../../workers/kernels/seeded-random.ts';
import { createGraph } from '../../support/onnx/graph.ts';
import { place, testRuntime } from '../../support/onnx/place.ts';

interface Packed {
  readonly bits: number;
  readonly rows: number;
  readonly zeroPoints?: 'packed' | 'float32';
  readonly hasBias?: boolean;
}

const COLUMNS = 24;
const BLOCK = 32;

/** A graph of one product with packed weights `[rows, 24]` in blocks of 32, and a second that reads the same weights. */
function packedFile({ bits, rows, zeroPoints, hasBias = false }: Packed): Uint8Array {
  const random = seededRandom(bits * 100 + rows);
  const codes = (count: number) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256));
  const floats = (count: number) => Float32Array.from({ length: count }, () => random() * 0.2);
  const { model } = createGraph();
  const blocks = Math.ceil(rows / BLOCK);
  const blockBytes = (BLOCK * bits) / 8;
  const pointBytes = COLUMNS * Math.ceil((blocks * bits) / 8);
  const { uint8, float32 } = ElementType;
  const constants = [
    makeTensor('codes', uint8, [COLUMNS, blocks, blockBytes], codes(COLUMNS * blocks * blockBytes)),
    makeTensor('scales', float32, [COLUMNS * blocks], floats(COLUMNS * blocks)),
    ...(zeroPoints === 'packed' ? [makeTensor('points', uint8, [pointBytes], codes(pointBytes))] : []),
    ...(zeroPoints === 'float32' ? [makeTensor('points', float32, [COLUMNS * blocks], floats(COLUMNS * blocks))] : []),
    ...(hasBias ? [makeTensor('bias', float32, [COLUMNS], floats(COLUMNS))] : []),
  ];
  for (const constant of constants) model.initialisers.set(constant.name, constant);
  const inputs = ['x', 'codes', 'scales', zeroPoints ? 'points' : '', '', hasBias ? 'bias' : ''];
  const attributes = { K: rows, N: COLUMNS, bits, block_size: BLOCK };
  for (const output of ['y', 'z']) {
    model.nodes.push(makeNode('MatMulNBits', inputs, [output], attributes, MICROSOFT));
    model.outputs.push(makeValueInfo(output, float32, [2, COLUMNS]));
  }
  model.operatorSets.set(MICROSOFT, 1);
  model.inputs.push(makeValueInfo('x', float32, [2, rows]));
  return encodeSkeleton(model, 'none');
}

async function run({ model, external }: ModelFiles, rows: number): Promise<Float32Array> {
  const { ort } = await testRuntime();
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ['wasm'],
    externalData: [...external],
  });
  const x = Float32Array.from({ length: 2 * rows }, (_, at) => Math.sin(at));
  const fetched = await session.run({ x: new ort.Tensor('float32', x, [2, rows]) }, ['y', 'z']);
  await session.release();
  return concatenated([await valuesOf(fetched, 'y'), await valuesOf(fetched, 'z')]);
}

// Weights are only widened for WebAssembly.
describe.skipIf(place.backend === 'webgpu')('widenWeights', () => {
  it.each<Packed>([
    { bits: 4, rows: 64 },
    { bits: 4, rows: 64, zeroPoints: 'packed' },
    { bits: 4, rows: 96, zeroPoints: 'packed', hasBias: true },
    { bits: 4, rows: 64, zeroPoints: 'float32' },
    { bits: 4, rows: 80 },
    { bits: 4, rows: 80, zeroPoints: 'packed' },
    { bits: 2, rows: 64 },
    { bits: 8, rows: 64 },
    { bits: 8, rows: 96, zeroPoints: 'packed' },
  ])('computes what the packed weights do: %o', async (packed) => {
    const files = { model: packedFile(packed), external: [] };
    const widened = widenWeights(files);
    expect(widened.external.map(({ data }) => data.byteLength)).toEqual([
      files.model.byteLength,
      packed.rows * COLUMNS * 4, // once, though two products read it
    ]);
    const [expected, got] = [await run(files, packed.rows), await run(widened, packed.rows)];
    expect(compared(got, expected, 1e-5)).toMatchObject({ agrees: true });
  });

  it('has one widened weight in memory at a time', () => {
    const [, floats] = widenWeights({ model: packedFile({ bits: 4, rows: 64 }), external: [] }).external;
    const take = () => floats?.data.subarray(0, 64 * COLUMNS * 4) ?? new Uint8Array();
    const first = take();
    const numbers = first.slice();
    expect(take()).toEqual(numbers);
    expect(first.byteLength).toBe('transfer' in ArrayBuffer.prototype ? 0 : numbers.byteLength);
    expect(() => floats?.data.subarray(4)).toThrow('expected the first byte of a tensor, got byte 4 of');
  });
});
