import { ancestors, constantNumbers } from '../analysis/graph-traversal.ts';
import { isKvCacheInput } from '../analysis/network-inputs.ts';
import { type GraphNode, integerAttribute, integersAttribute, makeNode, MICROSOFT } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import { ADDED } from '../tensor-names.ts';
import { besides, type Chains, type Fused } from './chains.ts';

/** A vector whose halves are turned: the second one negated, before the first. */
interface TurnedHalves {
  readonly x: string;
  readonly half: number;
  readonly chain: readonly GraphNode[];
  readonly whole: GraphNode;
}

/** The halves that a negation turns; undefined where it does something else. */
export function turnedHalves({ model, maker, next, isFloat }: Chains, negated: GraphNode): TurnedHalves | undefined {
  if (negated.operator !== 'Neg') return undefined;
  const [second, whole] = [maker(negated.inputs[0]), next(negated)];
  const first = maker(whole?.inputs[1]);
  if (!whole || !first || !second || !isHalves(model, { first, second, whole })) return undefined;
  const [x = ''] = first.inputs;
  const half = constantNumbers(model, second.inputs[1] ?? '')?.[0] ?? 0;
  if (next(first) !== whole || next(second) !== negated || !isFloat(x)) return undefined;
  return { x, half, chain: [first, second, negated, whole], whole };
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

const POSITIONS = 'position_ids';

/**
 * x · cos + turned x · sin, where the file computes both from `position_ids`: one operator, with a row of angles for each position of
 * each sequence.
 *
 * @source ONNX Runtime, docs/ContribOperators.md, com.microsoft.RotaryEmbedding
 */
export function fusedRotary(graph: Chains, negated: GraphNode): Fused | undefined {
  const { model, maker, next } = graph;
  const turned = turnedHalves(graph, negated);
  const product = turned && next(turned.whole);
  const sine = besides(product, 'Mul', turned?.whole.outputs[0]);
  const sum = product && next(product);
  const other = maker(besides(sum, 'Add', product?.outputs[0]));
  const cosine = besides(other, 'Mul', turned?.x);
  if (!turned || !product || !sum || !other || next(other) !== sum || !sine || !cosine) return undefined;
  const tables = [tableOf(graph, cosine, 'Cos', turned.half), tableOf(graph, sine, 'Sin', turned.half)];
  const [cosines, sines] = tables;
  if (!cosines || !sines || !model.inputs.some(isTextPositions)) return undefined;
  const inputs = [turned.x, rowNumbers(model), cosines, sines];
  return {
    chain: [...turned.chain, product, other, sum],
    nodes: [makeNode('RotaryEmbedding', inputs, sum.outputs, {}, MICROSOFT)],
  };
}

const isTextPositions = ({ name, dimensions }: OnnxModel['inputs'][number]) =>
  name === POSITIONS && dimensions?.length === 2;

/** Cosines or sines that are repeated for both halves of a vector, without the repetition: `[batch · tokens, half]`. */
function tableOf({ model, maker }: Chains, tensor: string, operator: string, half: number): string | undefined {
  const raised = maker(tensor);
  const axes = raised && (integersAttribute(raised, 'axes') ?? constantNumbers(model, raised.inputs[1] ?? ''));
  const inner = raised?.operator === 'Unsqueeze' && axes?.join() === '1' ? maker(raised.inputs[0]) : undefined;
  const isOfBoth = inner?.operator === operator; // angles are repeated, not what is computed from them
  const repeated = isOfBoth ? maker(inner.inputs[0]) : inner;
  const [once = '', again] = repeated?.operator === 'Concat' ? repeated.inputs : [];
  if (!repeated || once !== again || ![2, -1].includes(integerAttribute(repeated, 'axis', 0))) return undefined;
  if (![...ancestors(model.nodes, [once])].some(({ inputs }) => inputs.includes(POSITIONS))) return undefined;
  const table = `${ADDED}${operator}/${once}`;
  if (isMade(model, table)) return table;
  const rows = isOfBoth ? `${table}/rows` : once;
  if (isOfBoth) model.nodes.push(makeNode(operator, [once], [rows]));
  model.nodes.push(makeNode('Reshape', [rows, constant(model, [-1, half])], [table]));
  return table;
}

const isMade = ({ nodes }: OnnxModel, tensor: string) => nodes.some(({ outputs }) => outputs.includes(tensor));

/** Of each position the row in a table: 0, 1, 2 … in the shape of the positions. */
function rowNumbers(model: OnnxModel): string {
  const rows = `${ADDED}rows/${POSITIONS}`;
  if (isMade(model, rows)) return rows;
  const named = (part: string) => `${rows}/${part}`;
  model.nodes.push(
    makeNode('Size', [POSITIONS], [named('count')]),
    makeNode('Range', [constant(model, 0), named('count'), constant(model, 1)], [named('flat')]),
    makeNode('Shape', [POSITIONS], [named('shape')]),
    makeNode('Reshape', [named('flat'), named('shape')], [rows]),
  );
  return rows;
}

function constant({ initialisers }: OnnxModel, value: number | readonly number[]): string {
  const [values, shape] = typeof value === 'number' ? [[value], []] : [value, [value.length]];
  const name = `${ADDED}fused/${shape.length}/${values.join('_')}`;
  initialisers.set(name, makeTensor(name, ElementType.int64, shape, values));
  return name;
}

/**
 * softmax(scale · q kᵀ + mask) v over keys and values after those of the past, with a key head for each query head.
 *
 * @source ONNX Runtime, docs/ContribOperators.md, com.microsoft.MultiHeadAttention
 */
export function fusedAttention(graph: Chains, softmax: GraphNode): Fused | undefined {
  const { model, maker, next, isFloat } = graph;
  const masked = softmax.operator === 'Softmax' ? maker(softmax.inputs[0]) : undefined;
  const scaled = masked?.operator === 'Add' ? maker(masked.inputs[0]) : undefined;
  const [product, scale] = [maker(scaled?.inputs[0]), constantNumbers(model, scaled?.inputs[1] ?? '')];
  const mixed = next(softmax);
  const [turned, joined] = [maker(product?.inputs[1]), mixed && next(mixed)];
  const last = joined && next(joined);
  const isAttention =
    (scaled?.operator === 'Mul' || scaled?.operator === 'Div') &&
    scale?.length === 1 &&
    product?.operator === 'MatMul' &&
    mixed?.operator === 'MatMul' &&
    isTranspose(turned, '0,1,3,2') &&
    isTranspose(joined, '0,2,1,3') &&
    last?.operator === 'Reshape' &&
    isFloat(softmax.inputs[0] ?? '');
  if (!isAttention || !isLastAxis(softmax)) return undefined;
  const query = byTokens(graph, product.inputs[0]);
  const [keys, values] = [extended(graph, turned?.inputs[0]), extended(graph, mixed.inputs[1])];
  const heads = query?.heads;
  if (!query || !keys || !values || keys.heads !== heads || values.heads !== heads) return undefined;
  const inputs = [query.tensor, keys.tensor, values.tensor, '', '', masked?.inputs[1] ?? '', keys.past, values.past];
  const outputs = [last.outputs[0] ?? '', ...keys.node.outputs, ...values.node.outputs];
  const [factor = 1] = scale;
  const attributes = { num_heads: heads ?? 0, scale: { float: scaled.operator === 'Div' ? 1 / factor : factor } };
  const attention = makeNode('MultiHeadAttention', inputs, outputs, attributes, MICROSOFT);
  return {
    chain: [keys.node, values.node, softmax, mixed, joined, last],
    nodes: [...query.nodes, ...keys.nodes, ...values.nodes, attention],
  };
}

function isTranspose(node: GraphNode | undefined, order: string): node is GraphNode {
  return node?.operator === 'Transpose' && integersAttribute(node, 'perm')?.join() === order;
}

const isLastAxis = (node: GraphNode) => ['-1', '3'].includes(String(integerAttribute(node, 'axis', -1)));

/** What is `[batch, tokens, heads · size]` before it is split into heads, and the nodes that rotate it there. */
interface ByTokens {
  readonly tensor: string;
  readonly heads: number;
  readonly nodes: readonly GraphNode[];
}

function byTokens({ model, maker }: Chains, tensor: string | undefined): ByTokens | undefined {
  const made = maker(tensor);
  const rotary = made?.operator === 'RotaryEmbedding' ? made : undefined;
  const turned = rotary ? maker(rotary.inputs[0]) : made;
  const split = isTranspose(turned, '0,2,1,3') ? maker(turned?.inputs[0]) : undefined;
  const shape = split?.operator === 'Reshape' ? constantNumbers(model, split.inputs[1] ?? '') : undefined;
  const heads = shape?.length === 4 ? (shape[2] ?? 0) : 0;
  const [whole = ''] = split?.inputs ?? [];
  if (heads < 1) return undefined;
  if (!rotary) return { tensor: whole, heads, nodes: [] };
  const rotated = `${ADDED}rotated/${rotary.outputs[0]}`;
  const inputs = [whole, ...rotary.inputs.slice(1)];
  const node = makeNode('RotaryEmbedding', inputs, [rotated], { num_heads: heads }, MICROSOFT);
  return { tensor: rotated, heads, nodes: [node] };
}

/** Keys or values of new positions after those of the past, which are an input of the graph. */
function extended(graph: Chains, tensor: string | undefined) {
  const node = graph.maker(tensor);
  const [past = '', added] = node?.operator === 'Concat' ? node.inputs : [];
  const isPast = graph.model.inputs.some((input) => input.name === past && isKvCacheInput(input));
  const isOverTokens = node && [2, -2].includes(integerAttribute(node, 'axis', 0));
  const tokens = isPast && isOverTokens ? byTokens(graph, added) : undefined;
  return node && tokens && { ...tokens, node, past };
}
