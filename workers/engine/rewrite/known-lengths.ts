import type { KvCacheTensor } from '../analysis/network-inputs.ts';
import { followLengths, type Length, type Lengths } from '../analysis/shapes.ts';
import type { GraphNode } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import { ADDED } from '../tensor-names.ts';
import { createTensors, type GraphBuilder, type RunLengths } from './graph-builder.ts';

/**
 * Replaces integers that exporters compute from shapes in every layer by constants, where the file says what they are, such as half the
 * size of a head. What reads a constant can be recognised then.
 */
export function foldNumbers(model: OnnxModel, kvCache: readonly KvCacheTensor[]): void {
  replaceLengths(model, kvCache, ({ values, isScalar }, output) => {
    const numbers = values.filter((value) => typeof value === 'number');
    if (numbers.length < values.length) return false;
    const dimensions = isScalar ? [] : [numbers.length];
    model.initialisers.set(output, makeTensor(output, ElementType.int64, dimensions, numbers));
    return true;
  });
}

/** Replaces shapes that exporters read from tensors in every layer by lengths of the run, which are computed once. */
export function foldLengths(builder: GraphBuilder, kvCache: readonly KvCacheTensor[], run: RunLengths): void {
  const { nodes } = builder.model;
  const once = createTensors();
  const lengthOf = (value: NonNullable<Length>) => (typeof value === 'number' ? builder.integers(value) : run[value]);
  const captured = new Set(nodes.flatMap(({ captures }) => captures));
  const lists = new Map<string, string>();
  replaceLengths(builder.model, kvCache, ({ values, isScalar }, output) => {
    const parts = values.filter((value) => value !== undefined);
    if (parts.length < values.length) return false;
    const [first = '', ...others] = parts.map(lengthOf);
    const list = once(parts.join(), () => (others.length === 0 ? first : builder.concat(0, first, ...others)));
    if (isScalar || captured.has(output)) builder.node(isScalar ? 'Squeeze' : 'Identity', [list], {}, output);
    else lists.set(output, list);
    return true;
  });
  for (const { inputs } of nodes) inputs.forEach((input, at) => (inputs[at] = lists.get(input) ?? input));
}

/** @param replace  makes the tensor `output` in another way, or returns false */
function replaceLengths(
  model: OnnxModel,
  kvCache: readonly KvCacheTensor[],
  replace: (lengths: Lengths, output: string) => boolean,
): void {
  const lengths = followLengths(model, kvCache);
  const results = new Set(model.outputs.map(({ name }) => name));
  const replaced = new Set<GraphNode>();
  for (const node of Array.from(model.nodes)) {
    const [output = ''] = node.outputs;
    const known = output.startsWith(ADDED) || results.has(output) ? undefined : lengths.get(output);
    if (known && replace(known, output)) replaced.add(node);
  }
  model.nodes.splice(0, model.nodes.length, ...model.nodes.filter((node) => !replaced.has(node)));
}
