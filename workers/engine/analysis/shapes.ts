import { type GraphNode, integerAttribute, integersAttribute, tensorAttribute } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ElementType } from '../codec/tensor-proto.ts';
import { TENSORS } from '../tensor-names.ts';
import { ownValue } from '../../../src/contract/records.ts';
import { constantNumbers, type ElementTypes, inferTypes, makersIn, sortNodes } from './graph-traversal.ts';
import type { KvCacheTensor } from './network-inputs.ts';

/** Length of an axis: a number of the file, one of the run, or unknown. */
export type Length = number | 'batch' | 'tokens' | 'past' | 'total' | undefined;

type Shape = readonly Length[];

/** Integers that are computed from lengths: a scalar, or a list. */
export interface Lengths {
  readonly values: readonly Length[];
  readonly isScalar: boolean;
}

/** Tensors that hold lengths have few numbers. */
const MAX_LENGTHS = 16;

/** Inputs other than keys and values. */
const INPUTS: Readonly<Record<string, Shape>> = {
  input_ids: ['batch', 'tokens'],
  position_ids: ['batch', 'tokens'],
  token_type_ids: ['batch', 'tokens'],
  attention_mask: ['batch', 'total'],
  inputs_embeds: ['batch', 'tokens', undefined],
  [TENSORS.embeddings]: ['batch', 'tokens', undefined],
};

/** What is known of a graph so far, by tensor. */
interface Known {
  readonly model: OnnxModel;
  readonly makers: ReadonlyMap<string, GraphNode>;
  readonly types: ElementTypes;
  /** Of tensors whose number of axes is known. */
  readonly shapes: Map<string, Shape>;
  readonly lengths: Map<string, Lengths>;
  /** Keys and values of past and present positions, `[batch, heads, total, head size]`. */
  readonly extended: ReadonlySet<string>;
}

/**
 * int64 tensors that a graph computes from the shapes of its inputs, as far as they are known.
 *
 * @edge constants, and tensors of which no number is known, are not among them
 */
export function followLengths(model: OnnxModel, kvCache: readonly KvCacheTensor[]): ReadonlyMap<string, Lengths> {
  const sorted = { ...model };
  sortNodes(sorted);
  const plain = kvCache.filter(({ isStacked }) => !isStacked);
  const known: Known = {
    model,
    makers: makersIn(sorted.nodes),
    types: inferTypes(sorted),
    shapes: new Map(inputShapes(model, plain)),
    lengths: new Map(),
    extended: new Set(plain.map(({ output }) => output)),
  };
  for (const node of sorted.nodes) follow(known, node);
  return known.lengths;
}

function inputShapes({ inputs, initialisers }: OnnxModel, kvCache: readonly KvCacheTensor[]) {
  const ofInputs = inputs.flatMap(({ name, dimensions }) => {
    const shape = ownValue(INPUTS, name);
    return shape && shape.length === dimensions?.length ? [[name, shape] as const] : [];
  });
  const ofPast = kvCache.map(({ input, heads, headSize }) => [input, ['batch', heads, 'past', headSize]] as const);
  const ofConstants = Array.from(initialisers.values(), ({ name, dimensions }) => [name, dimensions] as const);
  return [...ofInputs, ...ofPast, ...ofConstants] satisfies (readonly [string, Shape])[];
}

function follow(known: Known, node: GraphNode): void {
  const [output = ''] = node.outputs;
  const shape = shapeMade(known, node);
  if (shape && output) known.shapes.set(output, shape);
  const lengths = known.types.get(output) === ElementType.int64 ? lengthsMade(known, node) : undefined;
  if (!lengths || lengths.values.length > MAX_LENGTHS || node.operator === 'Constant') return;
  const { values } = lengths;
  const isExact = values.every((value) => typeof value !== 'number' || Number.isSafeInteger(value)); // 2⁶³ − 1 means the end
  if (isExact && values.some((value) => value !== undefined)) known.lengths.set(output, lengths);
}

/** Names between spaces. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Operators whose result has the shape of the first input. */
const UNARY = words(
  'Cast Identity Sqrt Reciprocal Neg Abs Exp Log Erf Tanh Sigmoid Relu Clip Softmax IsNaN Not Gelu LayerNormalization ' +
    'RMSNormalization SimplifiedLayerNormalization',
);
const BROADCASTING = words('Add Sub Mul Div Pow Where Max Min Less LessOrEqual Greater GreaterOrEqual Equal And Or');

/** Operators of ONNX that compute each number, or each row, by itself. */
export const ELEMENTWISE: ReadonlySet<string> = new Set([...UNARY, ...BROADCASTING]);

/** Others whose result has the shape of the first input. */
const SHAPED_AS_FIRST = words('QuickGelu RotaryEmbedding');

function shapeMade(known: Known, node: GraphNode): Shape | undefined {
  const { operator, inputs } = node;
  const shapes = inputs.map((input) => known.shapes.get(input));
  const [first, second] = shapes;
  if (operator === 'Constant') return tensorAttribute(node, 'value')?.dimensions;
  if (operator === 'Reshape') return reshaped(known, node, first);
  if (UNARY.has(operator) || SHAPED_AS_FIRST.has(operator)) return first;
  if (BROADCASTING.has(operator)) return broadcast(shapes);
  if (operator === 'Range') return [countOf(inputs.map((input) => lengthsOf(known, input)?.values[0]))];
  if (operator === 'Expand') return broadcast([first, lengthsOf(known, inputs[1])?.values]);
  if (!first) return undefined;
  switch (operator) {
    case 'MatMul':
      return multiplied(first, second);
    case 'MatMulNBits':
      return [...first.slice(0, -1), integerAttribute(node, 'N', 0)];
    case 'Transpose':
      return integersAttribute(node, 'perm')?.map((from) => first[from]);
    case 'Gather':
      return second && first.toSpliced(axisOf(node, first), 1, ...second);
    case 'Concat':
      return joined(known, node, shapes);
    default:
      return AXES.has(operator) ? changedAxes(known, node, first) : undefined;
  }
}

/** Operators with a list of axes. */
const AXES = words('Slice Unsqueeze Squeeze ReduceMean ReduceSum ReduceMax ReduceMin');

function changedAxes({ model, makers }: Known, node: GraphNode, shape: Shape): Shape | undefined {
  const { operator, inputs } = node;
  const listed =
    integersAttribute(node, 'axes') ?? constantNumbers(model, inputs[operator === 'Slice' ? 3 : 1] ?? '', makers);
  const rank = shape.length + (operator === 'Unsqueeze' ? (listed?.length ?? 0) : 0);
  const axes = listed?.map((axis) => (axis < 0 ? axis + rank : axis)).toSorted((one, other) => one - other);
  if (!axes) return undefined;
  if (operator === 'Unsqueeze') return axes.reduce<Shape>((raised, axis) => raised.toSpliced(axis, 0, 1), shape);
  if (operator === 'Squeeze') return shape.filter((_, axis) => !axes.includes(axis));
  if (operator !== 'Slice' && integerAttribute(node, 'keepdims', 1) !== 1) return undefined;
  return operator === 'Slice'
    ? unknownAt(shape, axes)
    : shape.map((length, axis) => (axes.includes(axis) ? 1 : length));
}

const unknownAt = (shape: Shape, axes: readonly number[]) =>
  shape.map((length, axis) => (axes.includes(axis) ? undefined : length));

/** @param node  with the attribute `axis`, which may count from the end */
function axisOf(node: GraphNode, shape: Shape): number {
  const axis = integerAttribute(node, 'axis', 0);
  return axis < 0 ? axis + shape.length : axis;
}

/** How many integers there are from one to another, in steps of 1. */
function countOf([start, limit, step]: readonly Length[]): Length {
  if (step !== 1) return undefined;
  if (start === 0) return limit;
  return start === 'past' && limit === 'total' ? 'tokens' : undefined;
}

/** Axes are aligned at the last one; one of length 1 is repeated. */
function broadcast(shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const known = shapes.filter((shape) => shape !== undefined);
  if (known.length < shapes.length) return undefined;
  const rank = Math.max(...known.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) => {
    const lengths = known.filter((shape) => shape.length >= rank - axis).map((shape) => shape.at(axis - rank));
    const [length = 1, ...others] = new Set(lengths.filter((each) => each !== 1));
    return others.length > 0 || lengths.includes(undefined) ? undefined : length;
  });
}

function multiplied(first: Shape, second: Shape | undefined): Shape | undefined {
  if (!second || first.length < 2 || second.length < 2) return undefined;
  const leading = broadcast([first.slice(0, -2), second.slice(0, -2)]);
  return leading && [...leading, first.at(-2), second.at(-1)];
}

/** In the target, 0 leaves an axis as long as it is, and −1 is the rest, which is not worked out. */
function reshaped(known: Known, node: GraphNode, from: Shape | undefined): Shape | undefined {
  if (integerAttribute(node, 'allowzero', 0) === 1) return undefined;
  const lengths = lengthsOf(known, node.inputs[1])?.values;
  return lengths?.map((length, axis) => (length === 0 ? from?.[axis] : length === -1 ? undefined : length));
}

function joined({ extended }: Known, node: GraphNode, shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const [first, ...others] = shapes;
  if (!first || others.some((shape) => shape?.length !== first.length)) return undefined;
  const along = axisOf(node, first);
  const parts = shapes.map((shape) => shape?.[along]);
  const numbers = parts.filter((part) => typeof part === 'number');
  const sum = numbers.length === parts.length ? numbers.reduce((total, part) => total + part, 0) : undefined;
  const isExtended = along === 2 && extended.has(node.outputs[0] ?? '');
  return first.map((length, axis) => {
    if (axis === along) return isExtended ? 'total' : sum;
    return shapes.every((shape) => shape?.[axis] === length) ? length : undefined;
  });
}

/** Integers of a tensor, computed or constant. */
function lengthsOf({ model, makers, types, shapes, lengths }: Known, tensor = ''): Lengths | undefined {
  const [computed, shape] = [lengths.get(tensor), shapes.get(tensor)];
  if (computed) return computed;
  const count = shape?.length === 0 ? 1 : shape?.length === 1 ? shape[0] : undefined;
  if (typeof count !== 'number' || count > MAX_LENGTHS || types.get(tensor) !== ElementType.int64) return undefined;
  const values = constantNumbers(model, tensor, makers);
  return values && { values, isScalar: shape?.length === 0 };
}

function lengthsMade(known: Known, node: GraphNode): Lengths | undefined {
  const { operator, inputs } = node;
  if (operator === 'Shape') {
    const shape = known.shapes.get(inputs[0] ?? '');
    const [start, end] = [integerAttribute(node, 'start', 0), integerAttribute(node, 'end', MAX_LENGTHS)];
    return shape && { values: shape.slice(start, end), isScalar: false };
  }
  const parts = inputs.map((input) => lengthsOf(known, input));
  const [first, second] = parts;
  if (!first) return undefined;
  switch (operator) {
    case 'Cast':
    case 'Identity':
      return first;
    case 'Unsqueeze':
      return first.isScalar ? { values: first.values, isScalar: false } : undefined;
    case 'Squeeze':
      return first.values.length === 1 ? { values: first.values, isScalar: true } : undefined;
    case 'Gather':
      return second && { values: second.values.map((at) => pick(first, at)), isScalar: second.isScalar };
    case 'Slice':
      return sliced(parts);
    case 'Concat':
      return { values: parts.flatMap((part) => part?.values ?? [undefined]), isScalar: false };
    default:
      return second && computed(operator, first, second);
  }
}

const pick = ({ values }: Lengths, at: Length) => (typeof at === 'number' ? values.at(at) : undefined);

function sliced([list, start, end, , step]: readonly (Lengths | undefined)[]): Lengths | undefined {
  const [from, to, by = 1] = [start?.values[0], end?.values[0], step?.values[0]];
  if (!list || typeof from !== 'number' || typeof to !== 'number' || by !== 1) return undefined;
  return { values: list.values.slice(from, to), isScalar: false };
}

const ARITHMETIC: Readonly<Record<string, (one: number, other: number) => number>> = {
  Add: (one, other) => one + other,
  Sub: (one, other) => one - other,
  Mul: (one, other) => one * other,
  Div: (one, other) => Math.trunc(one / other),
};

/** Of scalars and of single numbers; lists are not computed with. */
function computed(operator: string, first: Lengths, second: Lengths): Lengths | undefined {
  const [one, other] = [first.values[0], second.values[0]];
  if (first.values.length !== 1 || second.values.length !== 1) return undefined;
  const isScalar = first.isScalar && second.isScalar;
  if (operator === 'Add' && [one, other].toSorted().join() === 'past,tokens') return { values: ['total'], isScalar };
  if (typeof one !== 'number' || typeof other !== 'number') return undefined;
  const value = ownValue(ARITHMETIC, operator)?.(one, other);
  if (!Number.isSafeInteger(value)) return undefined;
  return { values: [value], isScalar };
}
