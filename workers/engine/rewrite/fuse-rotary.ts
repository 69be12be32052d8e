import { ancestors, inferTypes, sortNodes } from '../analysis/graph-traversal.ts';
import { type GraphNode, integerAttribute, integersAttribute, makeNode, MICROSOFT } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import { ADDED } from '../tensor-names.ts';
import { besides, type Chains, type Fused, replaceChains } from './chains.ts';

/** A vector whose halves are turned: the second one negated, before the first. */
interface TurnedHalves {
  readonly x: string;
  readonly half: number;
  readonly chain: readonly GraphNode[];
  readonly whole: GraphNode;
}

/** The halves that a negation turns; undefined where it does something else. */
export function turnedHalves(graph: Chains, negated: GraphNode): TurnedHalves | undefined {
  const { maker, next, numbers, isFloat } = graph;
  if (negated.operator !== 'Neg') return undefined;
  const [second, whole] = [maker(negated.inputs[0]), next(negated)];
  const first = maker(whole?.inputs[1]);
  if (!whole || !first || !second || !isHalves(graph, { first, second, whole })) return undefined;
  const [x = ''] = first.inputs;
  const half = numbers(second.inputs[1])?.[0] ?? 0;
  if (next(first) !== whole || next(second) !== negated || !isFloat(x)) return undefined;
  return { x, half, chain: [first, second, negated, whole], whole };
}

/** Whether two slices cut one tensor in the middle of its last axis, and a Concat swaps them. */
function isHalves(
  { numbers }: Chains,
  { first, second, whole }: Readonly<Record<'first' | 'second' | 'whole', GraphNode>>,
): boolean {
  const isSlice = ({ operator, inputs }: GraphNode) =>
    operator === 'Slice' && inputs[0] === first.inputs[0] && (!inputs[4] || numbers(inputs[4])?.join() === '1');
  const [begin, until] = [1, 2].map((input) => numbers(first.inputs[input])?.join());
  const [half = 0, end = 0] = [1, 2].map((input) => Number(numbers(second.inputs[input])?.join()));
  const axes = [
    numbers(first.inputs[3])?.join(),
    numbers(second.inputs[3])?.join(),
    String(integerAttribute(whole, 'axis', 0)),
  ];
  return (
    isSlice(first) &&
    isSlice(second) &&
    axes.every((axis) => axis === '-1' || axis === '3') &&
    whole.operator === 'Concat' &&
    whole.inputs.length === 2 &&
    half > 0 &&
    begin === '0' &&
    until === String(half) &&
    (end === 2 * half || end >= 2 ** 31 - 1)
  );
}

const POSITIONS = 'position_ids';

/** Replaces rotary embeddings in a graph for a processor, on which each small operator takes some microseconds. */
export function fuseRotary(model: OnnxModel): void {
  sortNodes(model);
  replaceChains(model, inferTypes(model), fusedRotary);
}

/**
 * x · cos + turned x · sin, where the file computes both from `position_ids`: one operator, with a row of angles for each position of
 * each sequence.
 *
 * @source ONNX Runtime, docs/ContribOperators.md, com.microsoft.RotaryEmbedding
 */
export function fusedRotary(graph: Chains, negated: GraphNode): Fused | undefined {
  const { model, maker, next, once } = graph;
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
  const inputs = [turned.x, once(POSITIONS, () => rowNumbers(model)), cosines, sines];
  return {
    chain: [...turned.chain, product, other, sum],
    nodes: [makeNode('RotaryEmbedding', inputs, sum.outputs, {}, MICROSOFT)],
  };
}

const isTextPositions = ({ name, dimensions }: OnnxModel['inputs'][number]) =>
  name === POSITIONS && dimensions?.length === 2;

/** Cosines or sines that are repeated for both halves of a vector, without the repetition: `[batch · tokens, half]`. */
function tableOf(
  { model, maker, numbers, once }: Chains,
  tensor: string,
  operator: string,
  half: number,
): string | undefined {
  const raised = maker(tensor);
  const axes = raised && (integersAttribute(raised, 'axes') ?? numbers(raised.inputs[1]));
  const inner = raised?.operator === 'Unsqueeze' && axes?.join() === '1' ? maker(raised.inputs[0]) : undefined;
  const isOfBoth = inner?.operator === operator; // angles are repeated, not what is computed from them
  const repeated = isOfBoth ? maker(inner.inputs[0]) : inner;
  const [angles = '', again] = repeated?.operator === 'Concat' ? repeated.inputs : [];
  if (!repeated || angles !== again || ![2, -1].includes(integerAttribute(repeated, 'axis', 0))) return undefined;
  const make = () => {
    const table = `${ADDED}${operator}/${tensor}`;
    const rows = isOfBoth ? `${table}/rows` : angles;
    if (isOfBoth) model.nodes.push(makeNode(operator, [angles], [rows]));
    model.nodes.push(makeNode('Reshape', [rows, constant(model, [-1, half])], [table]));
    return table;
  };
  return once(tensor, () => (isOfPositions(model, angles) ? make() : '')) || undefined;
}

function isOfPositions({ nodes }: OnnxModel, tensor: string): boolean {
  return [...ancestors(nodes, [tensor])].some(({ inputs }) => inputs.includes(POSITIONS));
}

/** Of each position the row in a table: 0, 1, 2 … in the shape of the positions. */
function rowNumbers(model: OnnxModel): string {
  const rows = `${ADDED}rows/${POSITIONS}`;
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
