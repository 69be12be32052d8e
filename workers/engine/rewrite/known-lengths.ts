import { constantDimensions, constantNumbers, makersIn } from '../analysis/graph-traversal.ts';
import type { KvCacheTensor } from '../analysis/network-inputs.ts';
import { type GraphNode, integersAttribute } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import type { GraphBuilder, RunLengths } from './graph-builder.ts';

/**
 * Replaces lengths that exporters read from a tensor's shape in every layer: the size of a head by a constant, the length of the keys by
 * that of the run. ONNX Runtime computes what depends on constants when it opens a session, and equal nodes once.
 */
export function foldLengths(builder: GraphBuilder, kvCache: readonly KvCacheTensor[], { total }: RunLengths): void {
  const { model } = builder;
  const makers = makersIn(model.nodes);
  const extended = kvCache.filter(({ output, isStacked }) => !isStacked && makers.get(output)?.operator === 'Concat');
  const keys = new Set(extended.map(({ output }) => output));
  const folded = new Set<GraphNode>();
  for (const node of Array.from(model.nodes)) {
    const read = lengthRead(model, makers, node);
    const [output = ''] = node.outputs;
    const length = read && lengthOf(model, makers, read.tensor, read.axis);
    if (read && keys.has(read.tensor) && [2, -2].includes(read.axis))
      builder.node(read.rank === 0 ? 'Squeeze' : 'Identity', [total], {}, output);
    else if (read && length !== undefined) {
      const dimensions = read.rank === 0 ? [] : [1];
      model.initialisers.set(output, makeTensor(output, ElementType.int64, dimensions, [length]));
    } else continue;
    folded.add(node);
  }
  model.nodes.splice(0, model.nodes.length, ...model.nodes.filter((node) => !folded.has(node)));
}

/** The length that a node takes from the shape of a tensor, as a scalar or as one number in a list. */
function lengthRead(model: OnnxModel, makers: ReadonlyMap<string, GraphNode>, { operator, inputs }: GraphNode) {
  const [lengths = '', index = ''] = inputs;
  const shape = operator === 'Gather' ? makers.get(lengths) : undefined;
  if (shape?.operator !== 'Shape' || shape.attributes.size > 0) return undefined;
  const [axis, ...others] = constantNumbers(model, index, makers) ?? [];
  if (axis === undefined || others.length > 0) return undefined;
  return { tensor: shape.inputs[0] ?? '', axis, rank: constantDimensions(model, index, makers)?.length };
}

/** Length of an axis where the file has it as a number, through changes of shape. @param axis  may count from the end */
function lengthOf(
  model: OnnxModel,
  makers: ReadonlyMap<string, GraphNode>,
  tensor: string,
  axis: number,
): number | undefined {
  const maker = makers.get(tensor);
  if (maker?.operator === 'Transpose') {
    const order = integersAttribute(maker, 'perm') ?? [];
    const from = order.at(axis);
    return from === undefined ? undefined : lengthOf(model, makers, maker.inputs[0] ?? '', from - order.length);
  }
  if (maker?.operator !== 'Reshape') return undefined;
  const lengths = lastNumbers(model, makers, maker.inputs[1] ?? '');
  const length = axis < 0 ? lengths.at(axis) : undefined;
  return length !== undefined && length > 0 ? length : undefined; // 0 and −1 depend on what is reshaped
}

/** The numbers with which a shape ends. */
function lastNumbers(model: OnnxModel, makers: ReadonlyMap<string, GraphNode>, shape: string): readonly number[] {
  const joined = makers.get(shape);
  const parts = joined?.operator === 'Concat' ? joined.inputs : [shape];
  const numbers = parts.map((part) => constantNumbers(model, part, makers));
  return numbers.slice(numbers.lastIndexOf(undefined) + 1).flatMap((part) => part ?? []);
}
