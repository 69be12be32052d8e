import { ElementType, encodeTensor, type Initialiser, makeTensor } from '../codec/tensor-proto.ts';
import { ADDED, ORIGINAL_FILE, TENSORS } from '../tensor-names.ts';
import { type GraphNode, type AttributeValues, encodeNode, makeNode } from '../codec/graph-node.ts';
import { type OnnxModel, type ValueInfo, makeValueInfo } from '../codec/model-proto.ts';
import { createMessage, type Message } from '../codec/protobuf.ts';

/** Adds nodes and constants to a model. Every method returns the name of the tensor it made. */
export interface GraphBuilder {
  readonly model: OnnxModel;
  /** @param output  its name, when the rest of the graph already reads it under that name */
  node(
    operator: string,
    inputs: readonly string[],
    attributes?: AttributeValues,
    output?: string,
    domain?: string,
  ): string;
  /** int64 `[values]`. */
  integers(...values: number[]): string;
  /** int64 scalar. */
  integer(value: number): string;
  /** Scalar of a floating type. */
  scalar(value: number, type: number): string;
  cast(tensor: string, from: number, to: number): string;
  concat(axis: number, ...parts: string[]): string;
  reshape(tensor: string, shape: string, output?: string): string;
  /** Minimum, maximum or sum along one axis, or the logarithm of the sum of exponentials; the axis stays with length 1. */
  reduce(operator: 'ReduceMin' | 'ReduceMax' | 'ReduceSum' | 'ReduceLogSumExp', tensor: string, axis: number): string;
  /** Parts of a tensor along an axis, of these lengths. */
  parts(tensor: string, lengths: readonly number[], axis: number): string[];
  /** Two ways to one tensor, chosen at run time by a bool scalar. Bodies may read any outer tensor. */
  choose(condition: string, whenTrue: BodyOf, whenFalse: BodyOf): string;
  /** The same for several tensors, under the names given. */
  chooseAll(condition: string, whenTrue: BodiesOf, whenFalse: BodiesOf, outputs: readonly string[]): void;
  /** Adds a node as it is. */
  add(node: GraphNode): void;
  addInput(name: string, type: number, dimensions: NonNullable<ValueInfo['dimensions']>): string;
  addOutput(name: string, type: number, dimensions: NonNullable<ValueInfo['dimensions']>): string;
}

/** Builds a body and returns the tensor it results in. */
type BodyOf = (builder: GraphBuilder) => string;
type BodiesOf = (builder: GraphBuilder) => readonly string[];

/** A builder that appends to `model`. The caller sorts the nodes when all are added. */
export function createGraphBuilder(model: OnnxModel): GraphBuilder {
  return builderInto(model, model.nodes, { next: 0 });
}

/**
 * @param scope  begins the names of constants
 * @param own    constants of a body, which has its own: ONNX Runtime has an outer one that only bodies read on the GPU, and
 *   copies it back in every pass where it is a shape
 */
function builderInto(
  model: OnnxModel,
  nodes: GraphNode[],
  counter: Counter,
  { scope, own }: { scope: string; own: Map<string, Initialiser> } = { scope: ADDED, own: model.initialisers },
): GraphBuilder {
  const operatorSet = model.operatorSets.get('') ?? 1;
  const constant = (name: string, type: number, dimensions: number[], values: number[]): string => {
    const full = `${scope}constant/${name}`;
    if (!own.has(full)) own.set(full, makeTensor(full, type, dimensions, values));
    return full;
  };
  const node: GraphBuilder['node'] = (operator, inputs, attributes, output = nextName(operator, counter), domain) => {
    nodes.push(makeNode(operator, inputs, [output], attributes, domain));
    return output;
  };
  const builder: GraphBuilder = {
    model,
    node,
    integers: (...values) => constant(`integers/${values.join('_')}`, ElementType.int64, [values.length], values),
    integer: (value) => constant(`integer/${value}`, ElementType.int64, [], [value]),
    scalar: (value, type) => constant(`scalar/${type}/${value}`, type, [], [value]),
    cast: (tensor, from, to) => (from === to ? tensor : node('Cast', [tensor], { to })),
    concat: (axis, ...parts) => node('Concat', parts, { axis }),
    reshape: (tensor, shape, output) => node('Reshape', [tensor, shape], {}, output),
    // Axes became an input of ReduceSum with operator set 13, of the others with 18.
    reduce: (operator, tensor, axis) =>
      operatorSet >= (operator === 'ReduceSum' ? 13 : 18)
        ? node(operator, [tensor, builder.integers(axis)], { keepdims: 1 })
        : node(operator, [tensor], { keepdims: 1, axes: [axis] }),
    parts: (tensor, lengths, axis) => {
      const outputs = lengths.map(() => nextName('Split', counter));
      const takesInput = operatorSet >= 13;
      const inputs = takesInput ? [tensor, builder.integers(...lengths)] : [tensor];
      nodes.push(makeNode('Split', inputs, outputs, { axis, ...(!takesInput && { split: lengths }) }));
      return outputs;
    },
    ...createChoices(model, nodes, counter),
    add: (node) => void nodes.push(node),
    addInput: (name, type, dimensions) => {
      model.inputs.push(makeValueInfo(name, type, dimensions));
      return name;
    },
    addOutput: (name, type, dimensions) => {
      model.outputs.push(makeValueInfo(name, type, dimensions));
      return name;
    },
  };
  return builder;
}

/** Number of the next name of a model. */
interface Counter {
  next: number;
}

const nextName = (kind: string, counter: Counter) => `${ADDED}${kind}/${counter.next++}`;

function createChoices(
  model: OnnxModel,
  nodes: GraphNode[],
  counter: Counter,
): Pick<GraphBuilder, 'choose' | 'chooseAll'> {
  const body = (bodiesOf: BodiesOf) => {
    const inner: GraphNode[] = [];
    const own = new Map<string, Initialiser>();
    const name = nextName('body', counter);
    const results = bodiesOf(builderInto(model, inner, counter, { scope: `${name}/`, own }));
    return { body: encodeBody(name, inner, [...own.values()], results) };
  };
  const chooseAll: GraphBuilder['chooseAll'] = (condition, whenTrue, whenFalse, outputs) => {
    const bodies = { then_branch: body(whenTrue), else_branch: body(whenFalse) };
    nodes.push(makeNode('If', [condition], outputs, bodies));
  };
  return {
    chooseAll,
    choose: (condition, whenTrue, whenFalse) => {
      const output = nextName('If', counter);
      const only = (bodyOf: BodyOf) => (inner: GraphBuilder) => [bodyOf(inner)];
      chooseAll(condition, only(whenTrue), only(whenFalse), [output]);
      return output;
    },
  };
}

/** A body of `If`, with constants of its own. */
export function encodeBody(
  name: string,
  nodes: readonly GraphNode[],
  constants: readonly Initialiser[],
  results: readonly string[],
): Message {
  const message = createMessage();
  for (const node of nodes) message.message(1, encodeNode(node));
  message.text(2, name);
  for (const constant of constants) message.message(5, encodeTensor(constant, ORIGINAL_FILE));
  for (const result of results) message.message(12, createMessage().text(1, result));
  return message;
}

/** Lengths of a run inside the graph, each int64 `[1]`. */
export interface RunLengths {
  readonly batch: string;
  /** Positions computed in this run. */
  readonly tokens: string;
  /** Positions of the shared KV cache that come before them. */
  readonly past: string;
  /** past + tokens. */
  readonly total: string;
}

/** Reads the lengths from the ids' shape and the input `past_tokens`, which the rewrite adds. */
export function runLengths(builder: GraphBuilder, ids: string): RunLengths {
  const shape = builder.node('Shape', [ids]);
  const axis = (index: number): string => builder.node('Gather', [shape, builder.integers(index)]);
  const past = builder.addInput(TENSORS.pastTokens, ElementType.int64, [1]);
  const tokens = axis(1);
  return { batch: axis(0), tokens, past, total: builder.node('Add', [past, tokens]) };
}

/** Tensors that several layers read: each is made at its first use. */
export function createTensors(): (key: string, make: () => string) => string {
  const made = new Map<string, string>();
  return (key, make) => {
    const tensor = made.get(key) ?? make();
    made.set(key, tensor);
    return tensor;
  };
}

/** Replaces a tensor among the inputs of a node. */
export function redirect(inputs: string[], from: string, to: string): void {
  inputs.forEach((input, index) => {
    if (input === from) inputs[index] = to;
  });
}

/**
 * Rows of a tensor `[…, rows, columns]`. One row for all positions stays.
 *
 * @param first  int64 `[1]`, negative: where they begin, counted from the end; left out: all rows
 */
export function rowsFrom(builder: GraphBuilder, tensor: string, first: string | undefined): string {
  if (!first) return tensor;
  return builder.node('Slice', [tensor, first, builder.integers(2 ** 31 - 1), builder.integers(-2)]);
}
