import { ancestors, constantDimensions, constantNumbers, inferTypes, sortNodes } from '../analysis/graph-traversal.ts';
import {
  floatAttribute,
  type GraphNode,
  integerAttribute,
  integersAttribute,
  makeNode,
  MICROSOFT,
} from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import { ADDED } from '../tensor-names.ts';
import { besides, type Chains, type Fused, replaceChains } from './chains.ts';
import { fusedAttention } from './fuse-attention.ts';
import { fusedRotary, turnedHalves } from './fuse-rotary.ts';

/**
 * Replaces chains of primitive operators by one operator each: RMS norms, the halves that rotary embeddings turn, and the
 * activations SiLU and GELU. What a small pass costs on a GPU is the number of its kernels, and ONNX Runtime fuses none of these
 * chains there. On a processor it fuses norms and activations itself.
 *
 * Only float32 chains are replaced whose inner tensors nothing else reads.
 */
export function fuseNodes(model: OnnxModel): void {
  sortNodes(model);
  const types = inferTypes(model);
  for (const fuse of [fusedNorm, fusedSumAndNorm, fusedRotary, fusedAttention, fusedRotation, fusedSwish, fusedGelu])
    replaceChains(model, types, fuse);
  const names = model.outputs.map(({ name }) => name);
  model.nodes = [...ancestors(model.nodes, names)];
}

/** x / √(mean x² + ε) · weight. @source Zhang and Sennrich, arXiv:1910.07467 */
function fusedNorm(graph: Chains, mean: GraphNode): Fused | undefined {
  const { model, maker, next, isFloat } = graph;
  if (mean.operator !== 'ReduceMean' || !isOverLastAxis(model, mean)) return undefined;
  const square = maker(mean.inputs[0]);
  const [x = ''] = square?.inputs ?? [];
  if (!square || !isSquare(graph, square, x) || next(square) !== mean || !isFloat(x)) return undefined;
  const sum = next(mean);
  const [epsilon] = constantNumbers(model, besides(sum, 'Add', mean.outputs[0]) ?? '') ?? [];
  const root = sum && next(sum);
  if (!sum || epsilon === undefined || root?.operator !== 'Sqrt') return undefined;
  const scaled = dividedBy(graph, x, root);
  const last = scaled && next(scaled.at(-1) ?? root);
  const weight = besides(last, 'Mul', scaled?.at(-1)?.outputs[0]);
  if (!last || weight === undefined || constantDimensions(model, weight)?.length !== 1) return undefined;
  const attributes = { axis: -1, epsilon: { float: epsilon }, stash_type: 1 };
  return {
    chain: [square, mean, sum, root, ...scaled, last],
    nodes: [makeNode('SimplifiedLayerNormalization', [x, weight], last.outputs, attributes)],
  };
}

/** The residual sum after a layer's product, and the norm of it. The last norm stays apart: a head that reads given states begins with it. */
function fusedSumAndNorm({ model, maker, readersOf, isFloat }: Chains, norm: GraphNode): Fused | undefined {
  const isNorm = ({ operator }: GraphNode) => operator === 'SimplifiedLayerNormalization';
  if (!isNorm(norm) || norm === model.nodes.findLast(isNorm)) return undefined;
  const [x = '', weight = ''] = norm.inputs;
  const sum = maker(x);
  if (sum?.operator !== 'Add' || !isFloat(x) || readersOf(x).filter(isNorm).length > 1) return undefined;
  const isLayers = sum.inputs.some((term) => maker(term)?.operator.startsWith('MatMul'));
  if (!isLayers || sum.inputs.some((term) => constantDimensions(model, term))) return undefined; // a term of another shape
  const epsilon = { float: floatAttribute(norm, 'epsilon', 1e-5) };
  const inputs = [...sum.inputs, weight];
  const outputs = [norm.outputs[0] ?? '', '', '', x];
  const node = makeNode('SkipSimplifiedLayerNormalization', inputs, outputs, { epsilon }, MICROSOFT);
  return { chain: [sum, norm], nodes: [node] };
}

function isOverLastAxis(model: OnnxModel, node: GraphNode): boolean {
  const axes = integersAttribute(node, 'axes') ?? constantNumbers(model, node.inputs[1] ?? '');
  return axes?.join() === '-1' && integerAttribute(node, 'keepdims', 1) === 1;
}

function isSquare({ isNumber }: Chains, { operator, inputs }: GraphNode, x: string): boolean {
  return operator === 'Pow' ? isNumber(inputs[1], 2) : operator === 'Mul' && inputs[1] === x;
}

/** x · (1 / root) or x / root, in nodes. */
function dividedBy({ next, isNumber }: Chains, x: string, root: GraphNode): GraphNode[] | undefined {
  const inverse = next(root);
  const [output] = root.outputs;
  if (inverse?.operator === 'Div' && inverse.inputs[0] === x && inverse.inputs[1] === output) return [inverse];
  const isInverse =
    inverse?.operator === 'Reciprocal' ||
    (inverse?.operator === 'Div' && inverse.inputs[1] === output && isNumber(inverse.inputs[0], 1));
  const product = isInverse ? next(inverse) : undefined;
  return inverse && product && besides(product, 'Mul', inverse.outputs[0]) === x ? [inverse, product] : undefined;
}

/**
 * The second half of a vector negated, before the first: a product with a matrix of 0, 1 and −1, which is exact.
 *
 * @source Su et al., arXiv:2104.09864, as `rotate_half` of transformers lays the pairs out
 */
function fusedRotation(graph: Chains, negated: GraphNode): Fused | undefined {
  const turned = turnedHalves(graph, negated);
  if (!turned) return undefined;
  const { x, half, chain, whole } = turned;
  return { chain, nodes: [makeNode('MatMul', [x, rotation(graph.model, half)], whole.outputs)] };
}

function rotation(model: OnnxModel, half: number): string {
  const name = `${ADDED}rotation/${half}`;
  const size = 2 * half;
  const values = new Float32Array(size * size);
  for (let column = 0; column < half; column++) {
    values[(column + half) * size + column] = -1;
    values[column * size + column + half] = 1;
  }
  model.initialisers.set(name, makeTensor(name, ElementType.float32, [size, size], values));
  return name;
}

/** Swish, which is SiLU: x · σ(x). @source ONNX Runtime, docs/ContribOperators.md, com.microsoft.QuickGelu: x · σ(α x) */
function fusedSwish({ next, isFloat }: Chains, sigmoid: GraphNode): Fused | undefined {
  const [x = ''] = sigmoid.inputs;
  const product = sigmoid.operator === 'Sigmoid' && isFloat(x) ? next(sigmoid) : undefined;
  if (!product || besides(product, 'Mul', sigmoid.outputs[0]) !== x) return undefined;
  const node = makeNode('QuickGelu', [x], product.outputs, { alpha: { float: 1 } }, MICROSOFT);
  return { chain: [sigmoid, product], nodes: [node] };
}

/** x · ½ (1 + erf(x / √2)), with ½ before or after. @source Hendrycks and Gimpel, arXiv:1606.08415 */
function fusedGelu(graph: Chains, erf: GraphNode): Fused | undefined {
  const { maker, next, isFloat, isNumber } = graph;
  const scaled = erf.operator === 'Erf' ? maker(erf.inputs[0]) : undefined;
  const [x = '', root] = scaled?.inputs ?? [];
  const isScaled =
    (scaled?.operator === 'Div' && isNumber(root, Math.SQRT2)) ||
    (scaled?.operator === 'Mul' && isNumber(root, Math.SQRT1_2));
  const raised = next(erf);
  if (!scaled || !isScaled || !raised || next(scaled) !== erf || !isFloat(x)) return undefined;
  const product = isNumber(besides(raised, 'Add', erf.outputs[0]), 1) ? next(raised) : undefined;
  const other = product && besides(product, 'Mul', raised.outputs[0]);
  if (!product || other === undefined) return undefined;
  const halved = halfOf(graph, { x, product, other });
  const chain = halved && [scaled, erf, raised, ...halved];
  return chain && { chain, nodes: [makeNode('Gelu', [x], chain.at(-1)?.outputs ?? [], {}, MICROSOFT)] };
}

/** The nodes by which x and ½ are multiplied in. */
function halfOf(
  { maker, next, isNumber }: Chains,
  { x, product, other }: { readonly x: string; readonly product: GraphNode; readonly other: string },
): GraphNode[] | undefined {
  const last = next(product);
  if (other === x) return last && isNumber(besides(last, 'Mul', product.outputs[0]), 0.5) ? [product, last] : undefined;
  if (isNumber(other, 0.5)) return last && besides(last, 'Mul', product.outputs[0]) === x ? [product, last] : undefined;
  const before = maker(other);
  const isHalf = before && isNumber(besides(before, 'Mul', x), 0.5) && next(before) === product;
  return isHalf ? [before, product] : undefined;
}
