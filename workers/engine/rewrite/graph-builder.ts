import { ElementType } from '../codec/element-type.ts';
import { encodeNode, makeNode, type GraphNode } from '../codec/graph-node.ts';
import type { Model } from '../codec/model-proto.ts';
import type { AttributeValue } from '../codec/node-attributes.ts';
import { makeTensor } from '../codec/tensor-proto.ts';
import { makeValueInfo, type Dimension } from '../codec/value-info.ts';
import { createMessage } from '../codec/wire-writer.ts';
import { ADDED } from '../tensor-names.ts';

/** Where a new node's output goes, and from which operator set the node is. */
export interface NodeOptions {
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
  readonly domain?: string;
  /** Name of the output, when the rest of the graph already reads it under that name. */
  readonly output?: string | undefined;
}

/** Adds nodes and constants to a model. Every method returns the name of the tensor it made. */
export interface GraphBuilder {
  readonly operatorSet: number;
  node(operator: string, inputs: readonly string[], options?: NodeOptions): string;
  /** int64 `[values]`. */
  integers(...values: number[]): string;
  /** int64 scalar. */
  integer(value: number): string;
  /** Scalar of a floating type. */
  scalar(value: number, type: number): string;
  cast(tensor: string, from: number, to: number): string;
  concat(axis: number, ...parts: string[]): string;
  reshape(tensor: string, shape: string, output?: string): string;
  /** Minimum or maximum along one axis, which is kept with length 1. */
  reduce(operator: 'ReduceMin' | 'ReduceMax', tensor: string, axis: number): string;
  /** Two ways to one tensor, chosen at run time by a bool scalar. Bodies may read any outer tensor. */
  choose(condition: string, whenTrue: BodyOf, whenFalse: BodyOf): string;
  addInput(name: string, type: number, dimensions: readonly Dimension[]): string;
  addOutput(name: string, type: number, dimensions: readonly Dimension[]): string;
}

/** Builds a body and returns the tensor it results in. */
export type BodyOf = (builder: GraphBuilder) => string;

/** A builder that appends to `model`. The caller sorts the nodes afterwards. */
export function createGraphBuilder(model: Model): GraphBuilder {
  return builderInto(model, model.nodes, { next: 0 });
}

function builderInto(model: Model, nodes: GraphNode[], counter: { next: number }): GraphBuilder {
  const operatorSet = model.operatorSets.get('') ?? 1;
  const constant = (name: string, type: number, dimensions: number[], values: number[]): string => {
    const full = `${ADDED}constant/${name}`;
    if (!model.initialisers.has(full)) model.initialisers.set(full, makeTensor(full, type, dimensions, values));
    return full;
  };
  const node: GraphBuilder['node'] = (operator, inputs, options = {}) => {
    const output = options.output ?? `${ADDED}${operator}/${counter.next++}`;
    nodes.push(makeNode(operator, inputs, [output], options.attributes, options.domain));
    return output;
  };
  const body = (bodyOf: BodyOf) => {
    const inner: GraphNode[] = [];
    const result = bodyOf(builderInto(model, inner, counter));
    const message = createMessage();
    for (const each of inner) message.message(1, encodeNode(each));
    return { body: message.text(2, `${ADDED}body/${counter.next++}`).message(12, createMessage().text(1, result)) };
  };
  const builder: GraphBuilder = {
    operatorSet,
    node,
    integers: (...values) => constant(`integers/${values.join('_')}`, ElementType.int64, [values.length], values),
    integer: (value) => constant(`integer/${value}`, ElementType.int64, [], [value]),
    scalar: (value, type) => constant(`scalar/${type}/${value}`, type, [], [value]),
    cast: (tensor, from, to) =>
      from === to ? tensor : node('Cast', [tensor], { attributes: { to: { integer: to } } }),
    concat: (axis, ...parts) => node('Concat', parts, { attributes: { axis: { integer: axis } } }),
    reshape: (tensor, shape, output) => node('Reshape', [tensor, shape], { output }),
    reduce: (operator, tensor, axis) => {
      const keepdims = { integer: 1 };
      // Axes became an input of ReduceMin and ReduceMax with operator set 18.
      return operatorSet >= 18
        ? node(operator, [tensor, builder.integers(axis)], { attributes: { keepdims } })
        : node(operator, [tensor], { attributes: { keepdims, axes: { integers: [axis] } } });
    },
    choose: (condition, whenTrue, whenFalse) =>
      node('If', [condition], { attributes: { then_branch: body(whenTrue), else_branch: body(whenFalse) } }),
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
