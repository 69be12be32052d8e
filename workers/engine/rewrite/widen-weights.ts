import { fromHalf } from '../../../src/formats/safetensors.ts';
import { type GraphNode, integerAttribute, makeNode, MICROSOFT, tensorAttribute } from '../codec/graph-node.ts';
import { decodeModel, encodeSkeleton, makeValueInfo, type OnnxModel, type ValueInfo } from '../codec/model-proto.ts';
import { ElementType, type Initialiser, makeExternalTensor, makeTensor, numbersOf } from '../codec/tensor-proto.ts';
import type { ModelFiles, TensorData } from '../session/session.ts';
import { free, makeTensorData } from '../session/tensor-data.ts';
import { MOST_WIDENED_BYTES } from '../network.ts';
import { ADDED } from '../tensor-names.ts';

/** Names of the 16-bit file, and of its numbers in 32 bits, as external data of a session. */
const HALF_FILE = 'lightwell-half.onnx';
const FLOATS_FILE = 'lightwell-floats.bin';

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
  const hasBodies = model.nodes.some(({ operator }) => /^(If|Loop|Scan)$/.test(operator));
  const [large, small] = [true, false].map((isLarge) =>
    halves.filter(({ dimensions }) => countOf(dimensions) >= SMALL === isLarge),
  );
  const weights = (large ?? []).map((tensor): FloatWeight => ({
    ...tensor,
    write: (values) => void widenInto(values, tensor, files),
  }));
  if (halves.length === 0 || hasBodies || !fits(weights)) return files;
  for (const tensor of small ?? []) {
    const numbers = widenInto(new Float32Array(countOf(tensor.dimensions)), tensor, files);
    model.initialisers.set(tensor.name, makeTensor(tensor.name, ElementType.float32, tensor.dimensions, numbers));
  }
  const edited: OnnxModel = {
    ...model,
    nodes: model.nodes.flatMap((node) => widenedNode(node, model)),
    inputs: model.inputs.map(widenedInfo),
    outputs: model.outputs.map(widenedInfo),
    notes: new Map([...model.notes].map(([name, note]) => [name, widenedInfo(note)])),
  };
  return withFloats(files, edited, weights, { original: HALF_FILE, floats: FLOATS_FILE });
}

/** Casts and `ConstantOfShape` go to 32 bits; a node `Constant` of 16 bits becomes an initialiser of the model. */
function widenedNode(node: GraphNode, { initialisers }: OnnxModel): GraphNode[] {
  const { operator, inputs, outputs } = node;
  if (operator === 'Cast' && integerAttribute(node, 'to', 0) === ElementType.float16)
    return [makeNode('Cast', inputs, outputs, { to: ElementType.float32 })];
  const constant = ['Constant', 'ConstantOfShape'].includes(operator) ? tensorAttribute(node, 'value') : undefined;
  if (constant?.type !== ElementType.float16) return [node];
  const [name = ''] = outputs;
  const tensor = makeTensor(name, ElementType.float32, constant.dimensions, numbersOf(constant));
  if (operator === 'ConstantOfShape') return [makeNode(operator, inputs, outputs, { value: { tensor } })];
  initialisers.set(name, tensor);
  return [];
}

function widenedInfo(info: ValueInfo): ValueInfo {
  return info.type === ElementType.float16
    ? makeValueInfo(info.name, ElementType.float32, info.dimensions ?? [])
    : info;
}

/** The numbers of all 65,536 bit patterns. */
let table: Float32Array | undefined;

function widenInto(floats: Float32Array, tensor: Initialiser, files: ModelFiles): Float32Array {
  if (!tensor.raw && !tensor.external) floats.set(numbersOf(tensor));
  else {
    const known = (table ??= Float32Array.from({ length: 2 ** 16 }, (_, bits) => fromHalf(bits)));
    const halves = new Uint16Array(storedBytes(tensor, files).slice().buffer); // a copy, because typed arrays need alignment
    for (let at = 0; at < halves.length; at++) floats[at] = known[halves[at] ?? 0] ?? 0;
  }
  return floats;
}

/** Names of the file with packed weights, and of the widened weights, as external data of a session. */
const PACKED_FILE = 'lightwell-packed.onnx';
const WIDENED_FILE = 'lightwell-widened.bin';

/**
 * A network whose products with 2-, 4- or 8-bit weights (`MatMulNBits`, float32 scales) are products with float32 weights. ONNX
 * Runtime's WebAssembly kernel widens the whole matrix in each run, which makes a step of writing several times slower.
 *
 * @returns `files` itself where there are no such weights, or where they would take more than 1.25 GiB
 * @source ONNX Runtime, docs/ContribOperators.md, com.microsoft.MatMulNBits
 */
export function widenWeights(files: ModelFiles): ModelFiles {
  const model = decodeModel(files.model);
  const products = model.nodes.flatMap((node) => packedProduct(node, model) ?? []);
  const weights = new Map(products.map((product) => [product.name, product]));
  if (weights.size === 0 || !fits([...weights.values()])) return files;
  const widened = new Map(products.map((product) => [product.node, widenedNodes(product)]));
  model.nodes = model.nodes.flatMap((node) => widened.get(node) ?? [node]);
  removeUnused(
    model,
    products.flatMap(({ node }) => node.inputs.slice(1)),
  );
  const floats = [...weights.values()].map((weight): FloatWeight => ({
    ...weight,
    write: (values) => widen(values, weight, files),
  }));
  return withFloats(files, model, floats, { original: PACKED_FILE, floats: WIDENED_FILE });
}

/** A constant that becomes one of 32-bit floats. */
export interface FloatWeight {
  readonly name: string;
  readonly dimensions: readonly number[];
  /** Fills zeros with its numbers. */
  readonly write: (values: Float32Array) => void;
}

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

const countOf = (dimensions: readonly number[]) => dimensions.reduce((count, length) => count * length, 1);

/** Whether weights can be widened: they take at most 1.25 GiB then. */
export function fits(weights: readonly Pick<FloatWeight, 'dimensions'>[]): boolean {
  const count = weights.reduce((sum, { dimensions }) => sum + countOf(dimensions), 0);
  return FLOAT_BYTES * count <= MOST_WIDENED_BYTES;
}

/** The edited model with these constants. @param names  of its original file and of the constants, as external data of a session */
export function withFloats(
  files: ModelFiles,
  edited: OnnxModel,
  weights: readonly FloatWeight[],
  names: { readonly original: string; readonly floats: string },
): ModelFiles {
  const starts = new Map<number, FloatWeight>();
  let byteLength = 0;
  for (const weight of weights) {
    const { name, dimensions } = weight;
    const place = { location: names.floats, offset: byteLength, byteCount: FLOAT_BYTES * countOf(dimensions) };
    edited.initialisers.set(name, makeExternalTensor(name, ElementType.float32, dimensions, place));
    starts.set(place.offset, weight);
    byteLength += place.byteCount;
  }
  return {
    ...files,
    model: encodeSkeleton(edited, names.original, [...edited.notes.values()]),
    external: [
      { path: names.original, data: files.model },
      { path: names.floats, data: widenedData(starts, byteLength) },
      ...files.external,
    ],
  };
}

/** Weights by their first byte. Each is widened when a session takes it, so that all of them are never in memory beside its own. */
function widenedData(starts: ReadonlyMap<number, FloatWeight>, byteLength: number): TensorData {
  let last: Uint8Array | undefined;
  const subarray = (start = 0, end = byteLength): Uint8Array<ArrayBuffer> => {
    free(last); // it is copied by now
    const weight = starts.get(start);
    if (!weight) throw new RangeError(`expected the first byte of a tensor, got byte ${start} of ${byteLength}`);
    const values = new Float32Array(countOf(weight.dimensions));
    weight.write(values);
    last = new Uint8Array(values.buffer);
    return new Uint8Array(values.buffer, 0, end - start);
  };
  const openWith: TensorData['openWith'] = async (open) => {
    try {
      return await open();
    } finally {
      free(last);
    }
  };
  const tensors = new Map([...starts].map(([start, { dimensions }]) => [start, FLOAT_BYTES * countOf(dimensions)]));
  return makeTensorData(byteLength, { tensors, subarray, openWith });
}

/** A product with packed weights, which stand for a matrix `[rows, columns]`. */
interface PackedProduct {
  readonly node: GraphNode;
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  /** `[rows, columns]` */
  readonly dimensions: readonly number[];
  readonly bits: number;
  /** Rows that share a scale. */
  readonly block: number;
  /** uint8 `[columns, blocks, block × bits / 8]` */
  readonly codes: Initialiser;
  /** float32 `[columns × blocks]` */
  readonly scales: Initialiser;
  /** Packed as the codes, each column in whole bytes, or float32 as the scales; undefined: half of the range. */
  readonly zeroPoints: Initialiser | undefined;
}

function packedProduct(node: GraphNode, { initialisers }: OnnxModel): PackedProduct | undefined {
  if (node.operator !== 'MatMulNBits' || node.domain !== MICROSOFT) return undefined;
  const [, weight = '', scale = '', zeroPoint = '', order = ''] = node.inputs;
  const [codes, scales, zeroPoints] = [weight, scale, zeroPoint].map((name) => initialisers.get(name));
  const bits = integerAttribute(node, 'bits', 4);
  const [rows, columns] = [integerAttribute(node, 'K', 0), integerAttribute(node, 'N', 0)];
  const isKnown = [2, 4, 8].includes(bits) && order === '' && (zeroPoint === '' || zeroPoints !== undefined);
  const isReadable = codes?.type === ElementType.uint8 && scales?.type === ElementType.float32;
  if (!isKnown || !isReadable || integerAttribute(node, 'weight_prepacked', 0) !== 0) return undefined;
  if (zeroPoints && zeroPoints.type !== ElementType.uint8 && zeroPoints.type !== ElementType.float32) return undefined;
  return {
    node,
    name: `${ADDED}widened/${weight}`,
    rows,
    columns,
    dimensions: [rows, columns],
    bits,
    block: integerAttribute(node, 'block_size', 32),
    codes,
    scales,
    zeroPoints,
  };
}

function widenedNodes({ node, name }: PackedProduct): GraphNode[] {
  const [input = '', , , , , bias = ''] = node.inputs;
  const [output = ''] = node.outputs;
  if (bias === '') return [makeNode('MatMul', [input, name], [output])];
  const product = `${ADDED}product/${output}`;
  return [makeNode('MatMul', [input, name], [product]), makeNode('Add', [product, bias], [output])];
}

/** Constants that only the replaced nodes read. */
function removeUnused({ nodes, initialisers, outputs }: OnnxModel, candidates: readonly string[]): void {
  const read = new Set(nodes.flatMap(({ inputs, captures }) => [...inputs, ...captures]));
  for (const { name } of outputs) read.add(name);
  for (const name of candidates) if (!read.has(name)) initialisers.delete(name);
}

/** Columns that are written together, a cache line of float32. */
const TILE = 16;

/** Writes (code − zero point) × scale to `[rows, columns]`. */
function widen(values: Float32Array, product: PackedProduct, files: ModelFiles): void {
  const { rows, columns, bits, block } = product;
  const blocks = Math.ceil(rows / block);
  const blockBytes = (block * bits) / 8;
  const codes = storedBytes(product.codes, files);
  const scales = storedFloats(product.scales, files);
  const points = zeroPointsOf(product, blocks, files);
  const [perByte, mask] = [8 / bits, 2 ** bits - 1];
  for (let from = 0; from < columns; from += TILE) {
    const end = Math.min(from + TILE, columns);
    for (let byte = 0; byte < blocks * blockBytes; byte++) {
      const at = Math.floor(byte / blockBytes);
      const firstRow = byte * perByte;
      const lastRow = Math.min(firstRow + perByte, rows);
      for (let column = from; column < end; column++) {
        let rest = codes[column * blocks * blockBytes + byte] ?? 0;
        const scale = scales[column * blocks + at] ?? 0;
        const point = points[column * blocks + at] ?? 0;
        for (let row = firstRow; row < lastRow; row++) {
          values[row * columns + column] = ((rest & mask) - point) * scale;
          rest >>= bits;
        }
      }
    }
  }
}

/** `[columns, blocks]` */
function zeroPointsOf({ bits, columns, zeroPoints }: PackedProduct, blocks: number, files: ModelFiles): Float32Array {
  if (!zeroPoints) return new Float32Array(columns * blocks).fill(2 ** (bits - 1));
  if (zeroPoints.type === ElementType.float32) return storedFloats(zeroPoints, files);
  const packed = storedBytes(zeroPoints, files);
  const columnBytes = Math.ceil((blocks * bits) / 8);
  const [perByte, mask] = [8 / bits, 2 ** bits - 1];
  return Float32Array.from({ length: columns * blocks }, (_, at) => {
    const block = at % blocks;
    const byte = packed[Math.floor(at / blocks) * columnBytes + Math.floor(block / perByte)] ?? 0;
    return (byte >> ((block % perByte) * bits)) & mask;
  });
}

/** The bytes of a constant, in the model file or beside it. */
export function storedBytes({ bytes, raw, external }: Initialiser, files: ModelFiles): Uint8Array {
  if (raw) return bytes.subarray(raw.start, raw.end);
  const data = files.external.find(({ path }) => path === external?.location)?.data;
  if (!external || !data) return new Uint8Array();
  const end = external.byteCount === undefined ? undefined : external.offset + external.byteCount;
  return data.subarray(external.offset, end);
}

/** The numbers of a constant of 32-bit floats, in the model file or beside it. */
export function storedFloats(tensor: Initialiser, files: ModelFiles): Float32Array {
  if (!tensor.raw && !tensor.external) return Float32Array.from(numbersOf(tensor));
  return new Float32Array(storedBytes(tensor, files).slice().buffer); // a copy, because typed arrays need alignment
}
