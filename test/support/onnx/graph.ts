import { ElementType, makeTensor } from '../../../workers/engine/codec/tensor-proto.ts';
import { type AttributeValue, type GraphNode, makeNode } from '../../../workers/engine/codec/graph-node.ts';
import type { OnnxModel } from '../../../workers/engine/codec/model-proto.ts';

/** Adds nodes under exporter-like names; each method returns the name of a tensor. */
export interface Graph {
  readonly model: OnnxModel;
  node(operator: string, ...inputs: string[]): string;
  with(attributes: Readonly<Record<string, AttributeValue>>, operator: string, ...inputs: string[]): string;
  /** Under a name of its own, as outputs have. */
  named(output: string, operator: string, ...inputs: string[]): string;
  join(axis: number, ...inputs: string[]): string;
  weight(name: string, dimensions: number[], values: Float32Array): string;
  integers(...values: number[]): string;
  integer(value: number): string;
  float(value: number): string;
}

/** An empty graph, operator set 17. */
export function createGraph(): Graph {
  const nodes: GraphNode[] = [];
  const model: OnnxModel = {
    format: 8,
    operatorSets: new Map([['', 17]]),
    nodes,
    initialisers: new Map(),
    inputs: [],
    outputs: [],
    notes: new Map(),
    keptGraphParts: [],
    keptModelParts: [],
  };
  const constant = (name: string, type: number, dimensions: number[], values: ArrayLike<number>): string => {
    if (!model.initialisers.has(name)) model.initialisers.set(name, makeTensor(name, type, dimensions, values));
    return name;
  };
  const add = (operator: string, inputs: string[], attributes = {}, output?: string): string => {
    const name = output ?? `/model/${operator}_${nodes.length}_output_0`;
    nodes.push(makeNode(operator, inputs, [name], attributes));
    return name;
  };
  return {
    model,
    node: (operator, ...inputs) => add(operator, inputs),
    with: (attributes, operator, ...inputs) => add(operator, inputs, attributes),
    named: (output, operator, ...inputs) => add(operator, inputs, operator === 'Concat' ? { axis: 2 } : {}, output),
    join: (axis, ...inputs) => add('Concat', inputs, { axis: axis }),
    weight: (name, dimensions, values) => constant(name, ElementType.float32, dimensions, values),
    integers: (...values) => constant(`integers_${values.join('_')}`, ElementType.int64, [values.length], values),
    integer: (value) => constant(`integer_${value}`, ElementType.int64, [], [value]),
    float: (value) => constant(`float_${value}`, ElementType.float32, [], [value]),
  };
}
