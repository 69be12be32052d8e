import {
  constantDimensions,
  constantNumbers,
  type ElementTypes,
  inferTypes,
  sortNodes,
} from '../analysis/graph-traversal.ts';
import { type GraphNode, integerAttribute, integersAttribute, makeNode, MICROSOFT } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import { ADDED } from '../tensor-names.ts';

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
  for (const fuse of [fusedNorm, fusedRotation, fusedSwish, fusedGelu]) {
    const graph = createChains(model, types);
    const fused = model.nodes.flatMap((node) => fuse(graph, node) ?? []);
    const replacements = new Map(fused.map(({ chain, node }) => [chain.at(-1), node]));
    const dropped = new Set(fused.flatMap(({ chain }) => chain));
    model.nodes = model.nodes.flatMap((node) => replacements.get(node) ?? (dropped.has(node) ? [] : [node]));
    if (fused.some(({ node }) => node.domain === MICROSOFT) && !model.operatorSets.has(MICROSOFT))
      model.operatorSets.set(MICROSOFT, 1);
  }
}

/** Nodes in the order in which they are computed, and the node that computes what the last one does. */
interface Fused {
  readonly chain: readonly GraphNode[];
  readonly node: GraphNode;
}

type Chains = ReturnType<typeof createChains>;

/** Who makes and who reads each tensor. */
function createChains(model: OnnxModel, types: ElementTypes) {
  const makers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const readers = new Map<string, GraphNode[]>();
  for (const node of model.nodes)
    for (const tensor of new Set([...node.inputs, ...node.captures]))
      readers.set(tensor, [...(readers.get(tensor) ?? []), node]);
  const results = new Set(model.outputs.map(({ name }) => name));
  return {
    model,
    maker: (tensor = '') => makers.get(tensor),
    /** The node that alone reads the result of another. */
    next: ({ outputs: [output = ''] }: GraphNode): GraphNode | undefined => {
      const [reader, ...others] = readers.get(output) ?? [];
      return others.length === 0 && !results.has(output) ? reader : undefined;
    },
    isFloat: (tensor: string) => types.get(tensor) === ElementType.float32,
    /** Whether a tensor is one constant number, within the rounding of float32. */
    isNumber: (tensor: string | undefined, value: number) => {
      const numbers = constantNumbers(model, tensor ?? '') ?? [];
      return numbers.length === 1 && Math.abs((numbers[0] ?? 0) - value) < 1e-6;
    },
  };
}

/** The other input of a node with two; undefined where `tensor` is neither, and for another operator. */
function besides(node: GraphNode | undefined, operator: string, tensor = ''): string | undefined {
  if (node?.operator !== operator || node.domain !== '' || node.inputs.length !== 2) return undefined;
  const at = node.inputs.indexOf(tensor);
  return at < 0 ? undefined : node.inputs[1 - at];
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
    node: makeNode('SimplifiedLayerNormalization', [x, weight], last.outputs, attributes),
  };
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
function fusedRotation({ model, maker, next, isFloat }: Chains, negated: GraphNode): Fused | undefined {
  if (negated.operator !== 'Neg') return undefined;
  const [second, whole] = [maker(negated.inputs[0]), next(negated)];
  const first = maker(whole?.inputs[1]);
  if (!whole || !first || !second || !isHalves(model, { first, second, whole })) return undefined;
  const [x = ''] = first.inputs;
  const half = constantNumbers(model, second.inputs[1] ?? '')?.[0] ?? 0;
  if (next(first) !== whole || next(second) !== negated || !isFloat(x)) return undefined;
  const inputs = [x, rotation(model, half)];
  return { chain: [first, second, negated, whole], node: makeNode('MatMul', inputs, whole.outputs) };
}

/** Whether two slices cut one tensor in the middle of its last axis, and a Concat swaps them. */
function isHalves(
  model: OnnxModel,
  { first, second, whole }: Readonly<Record<'first' | 'second' | 'whole', GraphNode>>,
): boolean {
  const numbers = (node: GraphNode, input: number) => constantNumbers(model, node.inputs[input] ?? '')?.join();
  const half = Number(numbers(second, 1));
  const end = Number(numbers(second, 2));
  const axes = [numbers(first, 3), numbers(second, 3), String(integerAttribute(whole, 'axis', 0))];
  const slices = [first, second];
  return (
    slices.every(({ operator, inputs }) => operator === 'Slice' && inputs[0] === first.inputs[0] && !inputs[4]) &&
    axes.every((axis) => axis === '-1' || axis === '3') &&
    whole.operator === 'Concat' &&
    whole.inputs.length === 2 &&
    half > 0 &&
    numbers(first, 1) === '0' &&
    numbers(first, 2) === String(half) &&
    (end === 2 * half || end >= 2 ** 31 - 1)
  );
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
  return { chain: [sigmoid, product], node };
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
  return chain && { chain, node: makeNode('Gelu', [x], chain.at(-1)?.outputs ?? [], {}, MICROSOFT) };
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
