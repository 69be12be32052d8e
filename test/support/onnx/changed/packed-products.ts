import { makeNode, MICROSOFT } from '../../../../workers/engine/codec/graph-node.ts';
import { decodeModel, encodeSkeleton, type OnnxModel } from '../../../../workers/engine/codec/model-proto.ts';
import { ElementType, type Initialiser, makeTensor, numbersOf } from '../../../../workers/engine/codec/tensor-proto.ts';

/** Weights in 4 bits have a scale for each block of 32 rows. */
const BLOCK = 32;

/** The code of 0. */
const MIDDLE = 8;

/** The same network with the weights of its products rounded to 4 bits, as files named `model_q4.onnx` have them. */
export function packedProducts(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const model = decodeModel(file);
  model.nodes = model.nodes.map((node) => {
    const [input = '', name = ''] = node.inputs;
    const weight = model.initialisers.get(name);
    const [K = 0, N = 0] = weight?.dimensions ?? [];
    if (node.operator !== 'MatMul' || weight?.dimensions.length !== 2) return node;
    const inputs = [input, ...pack(weight, { rows: K, columns: N }, model)];
    return makeNode('MatMulNBits', inputs, node.outputs, { K, N, bits: 4, block_size: BLOCK }, MICROSOFT);
  });
  model.operatorSets.set(MICROSOFT, 1);
  for (const tensor of model.initialisers.values()) {
    const { name, type, dimensions } = tensor;
    // In the file itself, where the skeleton would name the original.
    if (type === ElementType.float32)
      model.initialisers.set(name, makeTensor(name, type, dimensions, numbersOf(tensor)));
  }
  return encodeSkeleton(model, 'none');
}

/** Puts codes and scales in place of a weight. @returns their names */
function pack(
  weight: Initialiser,
  { rows, columns }: { readonly rows: number; readonly columns: number },
  { initialisers }: OnnxModel,
): readonly string[] {
  const numbers = numbersOf(weight);
  const blocks = Math.ceil(rows / BLOCK);
  const codes = new Uint8Array((columns * blocks * BLOCK) / 2);
  const scales = new Float32Array(columns * blocks);
  for (let column = 0; column < columns; column++)
    for (let block = 0; block < blocks; block++) {
      const place = column * blocks + block;
      const column32 = Array.from({ length: BLOCK }, (_, at) => numbers[(block * BLOCK + at) * columns + column] ?? 0);
      const scale = Math.max(...column32.map(Math.abs)) / (MIDDLE - 1) || 1;
      scales[place] = scale;
      for (const [at, number] of column32.entries()) {
        const byte = (place * BLOCK + at) >> 1;
        codes[byte] = (codes[byte] ?? 0) | ((Math.round(number / scale) + MIDDLE) << (at % 2 === 0 ? 0 : 4));
      }
    }
  const names = [`${weight.name}/codes`, `${weight.name}/scales`] as const;
  initialisers.delete(weight.name);
  initialisers.set(names[0], makeTensor(names[0], ElementType.uint8, [columns, blocks, BLOCK / 2], codes));
  initialisers.set(names[1], makeTensor(names[1], ElementType.float32, [columns * blocks], scales));
  return names;
}
