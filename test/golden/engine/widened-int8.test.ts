import { describe, expect, it } from 'vitest';
import { makeNode, MICROSOFT } from '../../../workers/engine/codec/graph-node.ts';
import { encodeSkeleton, makeValueInfo } from '../../../workers/engine/codec/model-proto.ts';
import { ElementType, makeTensor } from '../../../workers/engine/codec/tensor-proto.ts';
import { widenInt8 } from '../../../workers/engine/rewrite/widen-int8.ts';
import { type ModelFiles, valuesOf } from '../../../workers/engine/session/session.ts';
import { compared } from '../../../workers/kernels/float-arrays.ts';
import { createGraph } from '../../support/onnx/graph.ts';
import { place, testRuntime } from '../../support/onnx/place.ts';

const [ROWS, COLUMNS] = [48, 24];
const { float32, int8, uint8 } = ElementType;

/** As `quantize_dynamic` of ONNX Runtime writes a product, as its optimiser fuses it, and a table that is stored in int8. */
type Form = 'MatMulInteger' | 'MatMulIntegerToFloat' | 'DynamicQuantizeMatMul' | 'DequantizeLinear';

interface Rounded {
  readonly form: Form;
  readonly type: 'int8' | 'uint8';
  /** Whether each column, or each row, has a scale and a zero point of its own. */
  readonly scales?: 'columns' | 'rows';
  readonly hasZeroPoint?: boolean;
  readonly hasBias?: boolean;
  /** Stored as `[columns, rows]`, as a table that word embeddings and head share. */
  readonly isTransposed?: boolean;
}

const codeAt = (at: number, { type }: Rounded) => ((at * 37) % 256) - (type === 'int8' ? 128 : 0);
const scaleOf = (group: number) => 0.01 + 0.001 * group;
const pointOf = (group: number, { type }: Rounded) => (group % 5) + (type === 'uint8' ? 120 : -3);
const biasOf = (column: number) => Math.cos(column);

const x = Float32Array.from({ length: 2 * ROWS }, (_, at) => Math.sin(at) * (at % 7 === 0 ? 20 : 1));

function groupOf({ scales }: Rounded, row: number, column: number): number {
  if (scales === undefined) return 0;
  return scales === 'rows' ? row : column;
}

/** x · (codes − zero point) × scale + bias, in 64-bit floats. */
function expectedOf(rounded: Rounded): Float32Array {
  return Float32Array.from({ length: 2 * COLUMNS }, (_, at) => {
    const column = at % COLUMNS;
    let sum = rounded.hasBias ? biasOf(column) : 0;
    for (let row = 0; row < ROWS; row++) {
      const group = groupOf(rounded, row, column);
      const point = rounded.hasZeroPoint ? pointOf(group, rounded) : 0;
      const weight = (codeAt(row * COLUMNS + column, rounded) - point) * scaleOf(group);
      sum += (x[Math.floor(at / COLUMNS) * ROWS + row] ?? 0) * weight;
    }
    return sum;
  });
}

/** A file with one product that rounds its activations, beside the constant of a second. */
function fileOf(rounded: Rounded): Uint8Array {
  const { form, type, scales, hasZeroPoint = false, hasBias = false, isTransposed = false } = rounded;
  const { model } = createGraph();
  const codeType = type === 'int8' ? int8 : uint8;
  const groups = scales === undefined ? 1 : scales === 'rows' ? ROWS : COLUMNS;
  const shape = scales === undefined ? [] : [groups];
  const perGroup = <Value>(of: (group: number) => Value) => Array.from({ length: groups }, (_, group) => of(group));
  const stored = (at: number) => (isTransposed ? (at % ROWS) * COLUMNS + Math.floor(at / ROWS) : at);
  const codes = Array.from({ length: ROWS * COLUMNS }, (_, at) => codeAt(stored(at), rounded));
  const points = perGroup((group) => pointOf(group, rounded));
  const constants = [
    makeTensor('codes', codeType, isTransposed ? [COLUMNS, ROWS] : [ROWS, COLUMNS], codes),
    makeTensor('scale', float32, shape, perGroup(scaleOf)),
    ...(hasZeroPoint ? [makeTensor('point', codeType, shape, points)] : []),
    ...(hasBias
      ? [
          makeTensor(
            'bias',
            float32,
            [COLUMNS],
            Array.from({ length: COLUMNS }, (_, at) => biasOf(at)),
          ),
        ]
      : []),
  ];
  for (const constant of constants) model.initialisers.set(constant.name, constant);
  const point = hasZeroPoint ? 'point' : '';
  const bias = hasBias ? 'bias' : '';
  const add = (operator: string, inputs: string[], outputs: string[], attributes = {}, domain = '') =>
    model.nodes.push(makeNode(operator, inputs, outputs, attributes, domain));
  if (form === 'DynamicQuantizeMatMul') add(form, ['x', 'codes', 'scale', point, bias], ['y'], {}, MICROSOFT);
  else add('DynamicQuantizeLinear', ['x'], ['xq', 'xs', 'xp']);
  if (form === 'MatMulIntegerToFloat')
    add(form, ['xq', 'codes', 'xs', 'scale', 'xp', point, bias], ['y'], {}, MICROSOFT);
  if (form === 'MatMulInteger') {
    add('MatMulInteger', ['xq', 'codes', 'xp', point], ['whole']);
    add('Cast', ['whole'], ['float'], { to: float32 });
    add('Mul', ['xs', 'scale'], ['scales']);
    add('Mul', ['float', 'scales'], [hasBias ? 'product' : 'y']);
    if (hasBias) add('Add', ['bias', 'product'], ['y']);
  }
  if (form === 'DequantizeLinear') {
    if (isTransposed) add('Transpose', ['codes'], ['turned'], { perm: [1, 0] });
    const axis = scales === 'rows' ? 0 : 1;
    add('DequantizeLinear', [isTransposed ? 'turned' : 'codes', 'scale', point], ['table'], { axis });
    add('MatMul', ['x', 'table'], ['y']);
  }
  model.operatorSets.set(MICROSOFT, 1);
  model.inputs.push(makeValueInfo('x', float32, [2, ROWS]));
  model.outputs.push(makeValueInfo('y', float32, [2, COLUMNS]));
  return encodeSkeleton(model, 'none');
}

async function run({ model, external }: ModelFiles): Promise<Float32Array> {
  const { ort } = await testRuntime();
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ['wasm'],
    externalData: [...external],
  });
  const fetched = await session.run({ x: new ort.Tensor('float32', x, [2, ROWS]) }, ['y']);
  await session.release();
  return valuesOf(fetched, 'y');
}

// The products are the same on a GPU.
describe.skipIf(place.backend === 'webgpu')('widenInt8', () => {
  it.each<Rounded>([
    { form: 'MatMulInteger', type: 'int8' },
    { form: 'MatMulInteger', type: 'uint8', hasZeroPoint: true },
    { form: 'MatMulInteger', type: 'int8', scales: 'columns', hasZeroPoint: true, hasBias: true },
    { form: 'MatMulIntegerToFloat', type: 'uint8', hasZeroPoint: true, hasBias: true },
    { form: 'MatMulIntegerToFloat', type: 'int8', scales: 'columns' },
    { form: 'DynamicQuantizeMatMul', type: 'int8', hasBias: true },
    { form: 'DynamicQuantizeMatMul', type: 'uint8', scales: 'columns', hasZeroPoint: true },
    { form: 'DequantizeLinear', type: 'int8', scales: 'columns' },
    { form: 'DequantizeLinear', type: 'uint8', scales: 'rows', hasZeroPoint: true },
    { form: 'DequantizeLinear', type: 'uint8', isTransposed: true, hasZeroPoint: true },
    { form: 'DequantizeLinear', type: 'int8', scales: 'columns', isTransposed: true },
  ])('computes with unrounded activations: %o', async (rounded) => {
    const files = { model: fileOf(rounded), external: [] };
    const widened = widenInt8(files);
    expect(widened).not.toBe(files);
    expect(compared(await run(widened), expectedOf(rounded), 1e-5)).toMatchObject({ agrees: true });
  });

  it('leaves a network whose rounding it does not know, or that has none', () => {
    const { model } = createGraph();
    model.nodes.push(makeNode('DynamicQuantizeLinear', ['x'], ['xq', 'xs', 'xp']));
    model.nodes.push(makeNode('ConvInteger', ['xq', 'codes', 'xp'], ['y']));
    model.inputs.push(makeValueInfo('x', float32, [1, 1, 8, 8]));
    model.outputs.push(makeValueInfo('y', ElementType.int32, [1, 1, 8, 8]));
    const unknown = { model: encodeSkeleton(model, 'none'), external: [] };
    expect(widenInt8(unknown)).toBe(unknown);
    model.nodes = [makeNode('Identity', ['x'], ['y'])];
    const plain = { model: encodeSkeleton(model, 'none'), external: [] };
    expect(widenInt8(plain)).toBe(plain);
  });
});
