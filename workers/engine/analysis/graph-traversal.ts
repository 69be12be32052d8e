import { ownValue } from '../../../src/contract/records.ts';
import { type GraphNode, integerAttribute, tensorAttribute } from '../codec/graph-node.ts';
import { graphBodyOf, type OnnxModel } from '../codec/model-proto.ts';
import { refuse } from '../network.ts';
import { ElementType, type Initialiser, numbersOf } from '../codec/tensor-proto.ts';

/**
 * Orders nodes so that every tensor is made before it is read, bodies of If, Loop and Scan included. The order of an
 * already sorted graph does not change.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE for a cycle
 */
export function sortNodes(model: OnnxModel): void {
  const { nodes } = model;
  const producers = new Map<string, number>();
  nodes.forEach((node, index) => {
    for (const output of node.outputs) if (output) producers.set(output, index);
  });
  const states = new Uint8Array(nodes.length); // 0 unseen, 1 on the way, 2 placed
  const pendingProducers = ({ inputs, captures }: GraphNode): number[] =>
    [...inputs, ...captures].flatMap((name) => {
      const producer = producers.get(name);
      return producer === undefined || states[producer] === 2 ? [] : [producer];
    });
  const sorted: GraphNode[] = [];
  // Depth first with an explicit stack: real graphs are thousands of nodes deep.
  const stack = [...nodes.keys()].reverse();
  for (let index = stack.at(-1); index !== undefined; index = stack.at(-1)) {
    const node = nodes[index];
    const pending = node && states[index] !== 2 ? pendingProducers(node) : [];
    if (node && pending.length > 0) {
      if (states[index] === 1) refuse(`the graph has a cycle through ${node.operator} ${node.name}`);
      states[index] = 1;
      stack.push(...pending.reverse());
      continue;
    }
    stack.pop();
    if (node === undefined || states[index] === 2) continue;
    states[index] = 2;
    sorted.push(node);
  }
  model.nodes = sorted;
}

/** The node that makes each tensor. */
export function makersIn(nodes: readonly GraphNode[]): ReadonlyMap<string, GraphNode> {
  return new Map(nodes.flatMap((node) => node.outputs.filter(Boolean).map((output) => [output, node] as const))); // '' is left out
}

/** All nodes that tensors are computed from, in the order given, which is any. @param stops  tensors to stop at */
export function ancestors(
  nodes: readonly GraphNode[],
  tensors: readonly string[],
  stops: ReadonlySet<string> = new Set(),
): Set<GraphNode> {
  const makers = makersIn(nodes);
  const reached = new Set<GraphNode>();
  const open = [...tensors];
  for (let tensor = open.pop(); tensor !== undefined; tensor = open.pop()) {
    const maker = stops.has(tensor) ? undefined : makers.get(tensor);
    if (maker === undefined || reached.has(maker)) continue;
    reached.add(maker);
    open.push(...maker.inputs, ...maker.captures);
  }
  return new Set(nodes.filter((node) => reached.has(node)));
}

/** All nodes that read, directly or not, one of the tensors or the result of one of the nodes. Nodes come in any order. */
export function descendants(
  nodes: readonly GraphNode[],
  tensors: ReadonlySet<string>,
  roots: ReadonlySet<GraphNode> = new Set(),
): Set<GraphNode> {
  const reached = new Set(roots);
  const made = new Set(tensors);
  const make = (node: GraphNode) => node.outputs.filter(Boolean).forEach((output) => made.add(output)); // '' is left out
  for (const node of roots) make(node);
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    for (const node of nodes) {
      if (reached.has(node) || ![...node.inputs, ...node.captures].some((input) => made.has(input))) continue;
      reached.add(node);
      make(node);
      hasGrown = true;
    }
  }
  return reached;
}

/** Element types of tensors by name; a tensor of unknown type is absent. */
export type ElementTypes = ReadonlyMap<string, number>;

const INTEGER_RESULTS = /^(Shape|Size|NonZero|ArgMax|ArgMin)$/;
const BOOL_RESULTS = /^(Equal|Less|Greater|LessOrEqual|GreaterOrEqual|And|Or|Xor|Not|IsNaN|IsInf)$/;
/** Operators whose result has the type of an input that is not the first. */
const TYPE_GIVING_INPUT: Readonly<Record<string, number>> = {
  Where: 1,
  CastLike: 1,
  OneHot: 2,
  DequantizeLinear: 1,
  GatherBlockQuantized: 2,
  EmbedLayerNormalization: 2,
};

/** Follows element types from inputs, constants and the file's notes through the sorted graph. */
export function inferTypes(model: OnnxModel): ElementTypes {
  const types = new Map<string, number>();
  for (const info of [...model.notes.values(), ...model.outputs, ...model.inputs])
    if (info.type !== 0) types.set(info.name, info.type);
  for (const tensor of model.initialisers.values()) types.set(tensor.name, tensor.type);
  for (const node of model.nodes)
    node.outputs.forEach((output, index) => {
      const type = resultType(node, index, types);
      if (output && type !== undefined && !types.has(output)) types.set(output, type);
    });
  return types;
}

function resultType(node: GraphNode, index: number, types: ElementTypes): number | undefined {
  const { operator, inputs } = node;
  if (operator === 'Cast') return integerAttribute(node, 'to', ElementType.float32);
  if (INTEGER_RESULTS.test(operator)) return ElementType.int64;
  if (BOOL_RESULTS.test(operator)) return ElementType.bool;
  if (operator === 'Constant') return constantType(node);
  if (operator === 'ConstantOfShape') return tensorAttribute(node, 'value')?.type ?? ElementType.float32;
  if (operator === 'MatMulInteger' || operator === 'ConvInteger') return ElementType.int32;
  if (operator === 'DynamicQuantizeLinear') return index === 1 ? ElementType.float32 : ElementType.uint8;
  if (operator === 'MatMulIntegerToFloat' || operator === 'DynamicQuantizeMatMul') return ElementType.float32;
  if (operator === 'EmbedLayerNormalization' && index === 1) return ElementType.int32;
  if (operator === 'If' || operator === 'Loop' || operator === 'Scan') return undefined;
  return types.get(inputs[ownValue(TYPE_GIVING_INPUT, operator) ?? 0] ?? '');
}

function constantType(node: GraphNode): number | undefined {
  const tensor = tensorAttribute(node, 'value');
  if (tensor) return tensor.type;
  if (node.attributes.has('value_float') || node.attributes.has('value_floats')) return ElementType.float32;
  if (node.attributes.has('value_int') || node.attributes.has('value_ints')) return ElementType.int64;
  return undefined;
}

/** Input with the cosine table, by operator that rotates positions. */
const COSINE_INPUT: Readonly<Record<string, number>> = { GroupQueryAttention: 7, RotaryEmbedding: 2 };

/** Positions that the graph's rotary tables reach; undefined where it computes angles itself. */
export function tabledPositions(model: OnnxModel): number | undefined {
  const lengths = model.nodes.flatMap((node) => {
    const input = ownValue(COSINE_INPUT, node.operator);
    const table = input === undefined ? undefined : constantDimensions(model, node.inputs[input] ?? '');
    return table?.slice(0, 1) ?? [];
  });
  return lengths.length > 0 ? Math.min(...lengths) : undefined;
}

/** Operators that ids pass on their way to the table. */
const ID_SHAPING = /^(Cast|Reshape|Identity|Flatten)$/;

/** Input with the table, by operator that looks ids up. */
const TABLE_INPUT: Readonly<Record<string, number>> = {
  Gather: 0,
  GatherBlockQuantized: 0,
  EmbedLayerNormalization: 2,
};

/** Rows of the table that `input_ids` are looked up in; undefined where it was not found. */
export function rowsOfTable(model: OnnxModel): number | undefined {
  let tensors = ['input_ids'];
  for (let depth = 0; depth < 4 && tensors.length > 0; depth++) {
    const readers = model.nodes.filter(({ inputs }) => inputs.some((input) => tensors.includes(input)));
    for (const { operator, inputs } of readers) {
      const table = ownValue(TABLE_INPUT, operator);
      const rows = table === undefined ? undefined : model.initialisers.get(inputs[table] ?? '')?.dimensions[0];
      if (rows !== undefined) return rows;
    }
    tensors = readers.filter(({ operator }) => ID_SHAPING.test(operator)).flatMap(({ outputs }) => outputs);
  }
  return undefined;
}

/** The constant that a tensor is, else the node that makes it. Casts and copies are passed: they do not change integers. */
function originOf(
  model: OnnxModel,
  tensor: string,
  makers?: ReadonlyMap<string, GraphNode>,
): { readonly tensor: string; readonly constant?: Initialiser | undefined; readonly maker?: GraphNode | undefined } {
  const initialiser = model.initialisers.get(tensor);
  if (initialiser) return { tensor, constant: initialiser };
  const maker = makers ? makers.get(tensor) : model.nodes.find(({ outputs }) => outputs.includes(tensor));
  if (maker && /^(Cast|Identity)$/.test(maker.operator)) return originOf(model, maker.inputs[0] ?? '', makers);
  return { tensor, maker, constant: maker?.operator === 'Constant' ? tensorAttribute(maker, 'value') : undefined };
}

/**
 * Values of a small constant of the file, an initialiser or a node `Constant`; undefined for any other tensor, and for one stored outside.
 *
 * @param makers  of the model's nodes, for who reads many constants; left out: the nodes are searched
 */
export function constantNumbers(
  model: OnnxModel,
  tensor: string,
  makers?: ReadonlyMap<string, GraphNode>,
): number[] | undefined {
  const { constant } = originOf(model, tensor, makers);
  return constant && !constant.external ? numbersOf(constant) : undefined;
}

/**
 * Lengths of a constant's axes. A table that the graph chooses by an `If`, as Phi's rotary positions for short and long texts,
 * has those of the shorter: with the other one, keys that were computed before would have other positions.
 *
 * @param makers  as for `constantNumbers`
 */
export function constantDimensions(
  model: OnnxModel,
  tensor: string,
  makers?: ReadonlyMap<string, GraphNode>,
): readonly number[] | undefined {
  const { constant, maker, tensor: made } = originOf(model, tensor, makers);
  if (constant || maker?.operator !== 'If') return constant?.dimensions;
  const branches = ['then_branch', 'else_branch'].map((name) => chosenDimensions(model, maker, name, made));
  return branches.every((each) => each !== undefined) ? branches.toSorted(([a = 0], [b = 0]) => a - b)[0] : undefined;
}

function chosenDimensions(
  model: OnnxModel,
  choice: GraphNode,
  name: string,
  tensor: string,
): readonly number[] | undefined {
  const body = graphBodyOf(choice, name);
  const inner = body?.outputs[choice.outputs.indexOf(tensor)]?.name;
  if (body === undefined || inner === undefined) return undefined;
  const initialisers = new Map([...model.initialisers, ...body.initialisers]);
  return constantDimensions({ ...model, nodes: [...body.nodes, ...model.nodes], initialisers }, inner);
}
