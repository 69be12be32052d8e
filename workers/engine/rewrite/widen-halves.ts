import { type GraphNode, integerAttribute, makeNode, tensorAttribute } from '../codec/graph-node.ts';
import { decodeModel, encodeSkeleton, makeValueInfo, type OnnxModel, type ValueInfo } from '../codec/model-proto.ts';
import {
  ElementType,
  fromHalf,
  type Initialiser,
  makeExternalTensor,
  makeTensor,
  numbersOf,
} from '../codec/tensor-proto.ts';
import type { ModelFiles } from '../session/session.ts';
import { storedBytes } from './widen-weights.ts';

/** Names of the 16-bit file, and of its numbers in 32 bits, as external data of a session. */
const HALF_FILE = 'lightwell-half.onnx';
const FLOATS_FILE = 'lightwell-floats.bin';

/** Most bytes of widened numbers. */
const MAX_BYTES = 1.25 * 2 ** 30;

/** Constants with fewer numbers stay inside the graph. */
const SMALL = 64;

/**
 * A network that computes in 32-bit floats what it was exported to compute in 16: constants, casts, inputs and outputs are widened.
 * Codes of packed weights stay as they are; their scales are widened.
 *
 * @returns `files` itself where nothing is of 16 bits, where the graph has bodies (`If`, `Loop`, `Scan`), or where the numbers would
 *   take more than 1.25 GiB
 */
export function widenHalves(files: ModelFiles): ModelFiles {
  const model = decodeModel(files.model);
  const halves = [...model.initialisers.values()].filter(({ type }) => type === ElementType.float16);
  const sizes = halves.map(({ dimensions }) => dimensions.reduce((count, length) => count * length, 1));
  const count = sizes.reduce((sum, size) => sum + (size >= SMALL ? size : 0), 0);
  const hasBodies = model.nodes.some(({ operator }) => /^(If|Loop|Scan)$/.test(operator));
  if (halves.length === 0 || hasBodies || count * Float32Array.BYTES_PER_ELEMENT > MAX_BYTES) return files;
  const values = new Float32Array(count);
  let offset = 0;
  for (const [index, tensor] of halves.entries()) {
    const { name, dimensions } = tensor;
    const size = sizes[index] ?? 0;
    if (size < SMALL) {
      const numbers = widenInto(new Float32Array(size), tensor, files);
      model.initialisers.set(name, makeTensor(name, ElementType.float32, dimensions, numbers));
      continue;
    }
    const own = values.subarray(offset, (offset += size));
    widenInto(own, tensor, files);
    const place = { location: FLOATS_FILE, offset: own.byteOffset, byteCount: own.byteLength };
    model.initialisers.set(name, makeExternalTensor(name, ElementType.float32, dimensions, place));
  }
  const edited: OnnxModel = {
    ...model,
    nodes: model.nodes.flatMap((node) => widenedNode(node, model)),
    inputs: model.inputs.map(widenedInfo),
    outputs: model.outputs.map(widenedInfo),
  };
  return {
    ...files,
    model: encodeSkeleton(edited, HALF_FILE, [...model.notes.values()].map(widenedInfo)),
    external: [
      { path: HALF_FILE, data: files.model },
      { path: FLOATS_FILE, data: new Uint8Array(values.buffer) },
      ...files.external,
    ],
  };
}

/** Casts go to 32 bits; a node `Constant` of 16 bits becomes an initialiser of the model. */
function widenedNode(node: GraphNode, { initialisers }: OnnxModel): GraphNode[] {
  const { operator, inputs, outputs } = node;
  if (operator === 'Cast' && integerAttribute(node, 'to', 0) === ElementType.float16)
    return [makeNode('Cast', inputs, outputs, { to: ElementType.float32 })];
  const constant = operator === 'Constant' ? tensorAttribute(node, 'value') : undefined;
  if (constant?.type !== ElementType.float16) return [node];
  const [name = ''] = outputs;
  initialisers.set(name, makeTensor(name, ElementType.float32, constant.dimensions, numbersOf(constant)));
  return [];
}

function widenedInfo(info: ValueInfo): ValueInfo {
  return info.type === ElementType.float16
    ? makeValueInfo(info.name, ElementType.float32, info.dimensions ?? [])
    : info;
}

/** The numbers of all 65,536 bit patterns. */
let table: Float32Array | undefined;

/** Writes a constant's numbers. */
function widenInto(floats: Float32Array, tensor: Initialiser, files: ModelFiles): Float32Array {
  if (!tensor.raw && !tensor.external) floats.set(numbersOf(tensor));
  else {
    const known = (table ??= Float32Array.from({ length: 2 ** 16 }, (_, bits) => fromHalf(bits)));
    const halves = new Uint16Array(storedBytes(tensor, files).slice().buffer); // a copy, because typed arrays need alignment
    for (let at = 0; at < halves.length; at++) floats[at] = known[halves[at] ?? 0] ?? 0;
  }
  return floats;
}
