import type { Weights } from '../../../src/models/model.ts';
import { type GraphNode, integerAttribute } from '../codec/graph-node.ts';
import { decodeModel, graphBodyOf } from '../codec/model-proto.ts';
import { ElementType, type Initialiser } from '../codec/tensor-proto.ts';
import { MOST_WIDENED_BYTES } from '../network.ts';

const { float16, int8, uint8 } = ElementType;

/** Constants with fewer numbers are not weights. */
const SMALL = 64;

/** Operators on weights in 8 bits. @source ONNX operators; ONNX Runtime, docs/ContribOperators.md */
const ON_BYTES = /^(DynamicQuantize|DequantizeLinear|MatMulInteger|QLinear|QAttention)/;

/**
 * The kind of a graph's weights, by their types and the operators that read them.
 *
 * @param graph  may lack the values of its weights
 * @returns `gainedBytes`: how many more they take where WebAssembly computes with them in 32-bit floats
 */
export function weightsIn(graph: Uint8Array): Pick<Weights, 'kind'> & { readonly gainedBytes: number } {
  const { nodes, initialisers } = decodeModel(graph);
  const all = nodes.flatMap(withBodies);
  const packed = all.filter(({ operator }) => operator === 'MatMulNBits');
  const bits = Math.min(8, ...packed.map(bitsOf));
  const isInteger = packed.length > 0 || all.some(({ operator }) => ON_BYTES.test(operator));
  const large = [...initialisers.values()].filter((tensor) => countOf(tensor) >= SMALL);
  const halves = large.filter(({ type }) => type === float16);
  const isBytes = ({ type }: Initialiser) => isInteger && packed.length === 0 && (type === int8 || type === uint8);
  const products = new Map(packed.filter((node) => nodes.includes(node)).map((node) => [node.inputs[1], node]));
  const suffix = halves.length > 0 ? 'f16' : '';
  return {
    kind: isInteger ? `q${bits}${suffix}` : suffix === '' ? 'fp32' : 'fp16',
    gainedBytes: sum([
      gained(halves.map(countOf), 2),
      gained(large.filter(isBytes).map(countOf), 1),
      gained([...products.values()].map(productCount), bits / 8),
    ]),
  };
}

function withBodies(node: GraphNode): GraphNode[] {
  const bodies = [...node.attributes.keys()].flatMap((name) => graphBodyOf(node, name)?.nodes ?? []);
  return [node, ...bodies.flatMap(withBodies)];
}

function bitsOf(node: GraphNode): number {
  return integerAttribute(node, 'bits', 4);
}

/** Numbers of the `[K, N]` matrix of a packed product. */
function productCount(node: GraphNode): number {
  return integerAttribute(node, 'K', 0) * integerAttribute(node, 'N', 0);
}

function countOf({ dimensions }: Initialiser): number {
  return dimensions.reduce((count, length) => count * length, 1);
}

function gained(counts: readonly number[], bytesEach: number): number {
  const floatBytes = Float32Array.BYTES_PER_ELEMENT * sum(counts);
  return floatBytes > MOST_WIDENED_BYTES ? 0 : floatBytes - bytesEach * sum(counts);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
