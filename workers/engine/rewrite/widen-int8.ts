import { type GraphNode, integerAttribute, makeNode } from '../codec/graph-node.ts';
import { ownValue } from '../../../src/contract/records.ts';
import { decodeModel, type OnnxModel } from '../codec/model-proto.ts';
import { ElementType, type Initialiser, numbersOf } from '../codec/tensor-proto.ts';
import { ancestors, makersIn } from '../analysis/graph-traversal.ts';
import { roundsTogether } from '../analysis/graph-analysis.ts';
import type { ModelFiles } from '../session/session.ts';
import { ADDED } from '../tensor-names.ts';
import { besides } from './chains.ts';
import { fits, storedFloats, type FloatWeight, storedBytes, withFloats } from './widen-weights.ts';

/** Names of the file with int8 weights, and of its widened weights, as external data of a session. */
const INT8_FILE = 'lightwell-int8.onnx';
const FLOATS_FILE = 'lightwell-int8-floats.bin';

/**
 * A network whose products in dynamic int8 are products of 32-bit floats: weights are widened, and activations are no longer rounded by
 * the largest number of the pass. It is nearer to the network that was quantised, can be batched, and can share a KV cache.
 *
 * @returns `files` itself where nothing is in dynamic int8, where something of it cannot be widened (`QAttention`, `ConvInteger`), or
 *   where the weights would take more than 1.25 GiB
 * @source ONNX operators DynamicQuantizeLinear, MatMulInteger and DequantizeLinear; ONNX Runtime, docs/ContribOperators.md,
 *   DynamicQuantizeMatMul and MatMulIntegerToFloat
 */
export function widenInt8(files: ModelFiles): ModelFiles {
  const model = decodeModel(files.model);
  if (!roundsTogether(model)) return files;
  const products = productsIn(model);
  const weights = [...new Map(products.map(({ weight }) => [weight.name, weight])).values()];
  if (!fits(weights)) return files;
  const widened = new Map(products.map((product) => [product.node, nodesOf(product)]));
  const nodes = model.nodes.flatMap((node) => widened.get(node) ?? [node]);
  const results = model.outputs.map(({ name }) => name);
  model.nodes = [...ancestors(nodes, results)]; // without what rounded the activations
  if (roundsTogether(model)) return files;
  removeUnused(model);
  const floats = weights.map((weight): FloatWeight => ({ ...weight, write: (values) => widen(values, weight, files) }));
  return withFloats(files, model, floats, { original: INT8_FILE, floats: FLOATS_FILE });
}

/** (codes − zero point) × scale */
interface Int8Weight {
  /** Of the widened constant. */
  readonly name: string;
  /** `[rows, columns]` */
  readonly dimensions: readonly number[];
  readonly codes: Initialiser;
  /** One number, or one for each row or column. */
  readonly scale: Initialiser;
  /** As many; undefined: 0. */
  readonly zeroPoint: Initialiser | undefined;
  /** Whether numbers of scales and zero points belong to rows. */
  readonly isByRow: boolean;
}

/** What a node computes with widened weights. */
interface Product {
  readonly node: GraphNode;
  /** `input` · weight; undefined: the weight itself. */
  readonly input: string | undefined;
  readonly weight: Int8Weight;
  readonly bias?: string | undefined;
  readonly isTransposed?: boolean;
}

/** Reads a graph for what computes with int8 weights. */
type Find = (node: GraphNode) => Product | undefined;

function productsIn(model: OnnxModel): Product[] {
  const makers = makersIn(model.nodes);
  const maker = (operator: string, tensor = '') => {
    const node = makers.get(tensor);
    return node?.operator === operator ? node : undefined;
  };
  const product = (
    node: GraphNode,
    input: string | undefined,
    names: readonly (string | undefined)[],
    bias?: string,
  ) => {
    const weight = int8Weight(model, names);
    return weight && input !== undefined ? { node, input, weight, bias } : undefined;
  };
  const finders: Readonly<Record<string, Find>> = {
    DynamicQuantizeMatMul: (node) => {
      const [input, codes, scale, point, bias] = node.inputs;
      return product(node, input, [codes, scale, point], bias);
    },
    MatMulIntegerToFloat: (node) => {
      const [rounded, codes, , scale, , point, bias] = node.inputs;
      return product(node, maker('DynamicQuantizeLinear', rounded)?.inputs[0], [codes, scale, point], bias);
    },
    Mul: (node) => {
      const whole = node.inputs.map((input) => maker('MatMulInteger', maker('Cast', input)?.inputs[0]));
      const at = whole.findIndex(Boolean);
      const rounded = maker('DynamicQuantizeLinear', whole[at]?.inputs[0]);
      const scale = besides(makers.get(node.inputs[1 - at] ?? ''), 'Mul', rounded?.outputs[1]);
      return product(node, rounded?.inputs[0], [whole[at]?.inputs[1], scale, whole[at]?.inputs[3]]);
    },
    DequantizeLinear: (node) => {
      const [codes, scale, point] = node.inputs;
      const transposed = maker('Transpose', codes)?.inputs[0];
      const weight = int8Weight(model, [transposed ?? codes, scale, point]);
      if (!weight || integerAttribute(node, 'block_size', 0) !== 0) return undefined;
      const isByRow = [0, -2].includes(integerAttribute(node, 'axis', 1)) === (transposed === undefined);
      return { node, input: undefined, weight: { ...weight, isByRow }, isTransposed: transposed !== undefined };
    },
  };
  return model.nodes.flatMap((node) => ownValue(finders, node.operator)?.(node) ?? []);
}

/** @param names  of codes, scale and zero point */
function int8Weight(
  { initialisers }: OnnxModel,
  [code = '', scaleName = '', point = '']: readonly (string | undefined)[],
): Int8Weight | undefined {
  const [codes, scale, zeroPoint] = [code, scaleName, point].map((name) => initialisers.get(name));
  const isInt8 = codes?.type === ElementType.int8 || codes?.type === ElementType.uint8;
  if (!isInt8 || codes.dimensions.length !== 2 || scale?.type !== ElementType.float32) return undefined;
  if (point !== '' && zeroPoint?.type !== codes.type) return undefined;
  const name = `${ADDED}widened/${code}/${scaleName}`;
  return { name, dimensions: codes.dimensions, codes, scale, zeroPoint, isByRow: false };
}

function nodesOf({ node, input, weight, bias = '', isTransposed }: Product): GraphNode[] {
  const [output = ''] = node.outputs;
  if (input === undefined) return [makeNode(isTransposed ? 'Transpose' : 'Identity', [weight.name], [output])];
  if (bias === '') return [makeNode('MatMul', [input, weight.name], [output])];
  const product = `${ADDED}product/${output}`;
  return [makeNode('MatMul', [input, weight.name], [product]), makeNode('Add', [product, bias], [output])];
}

/** Constants that no node reads. */
function removeUnused({ nodes, initialisers, outputs }: OnnxModel): void {
  const read = new Set(nodes.flatMap(({ inputs, captures }) => [...inputs, ...captures]));
  for (const { name } of outputs) read.add(name);
  for (const name of initialisers.keys()) if (!read.has(name)) initialisers.delete(name);
}

function widen(values: Float32Array, weight: Int8Weight, files: ModelFiles): void {
  const [, columns = 0] = weight.dimensions;
  const codes = integersOf(weight.codes, files);
  const scales = storedFloats(weight.scale, files);
  const points = weight.zeroPoint ? integersOf(weight.zeroPoint, files) : [0];
  for (let at = 0; at < values.length; at++) {
    const group = weight.isByRow ? Math.floor(at / columns) : at % columns;
    const point = points[points.length === 1 ? 0 : group] ?? 0;
    values[at] = ((codes[at] ?? 0) - point) * (scales[scales.length === 1 ? 0 : group] ?? 0);
  }
}

/** Numbers of a constant of 8-bit integers, signed or not. */
function integersOf(tensor: Initialiser, files: ModelFiles): ArrayLike<number> {
  if (!tensor.raw && !tensor.external) return numbersOf(tensor);
  const { buffer, byteOffset, byteLength } = storedBytes(tensor, files);
  return tensor.type === ElementType.int8
    ? new Int8Array(buffer, byteOffset, byteLength)
    : new Uint8Array(buffer, byteOffset, byteLength);
}
