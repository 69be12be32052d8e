import { constantNumbers, type ElementTypes, makersIn } from '../analysis/graph-traversal.ts';
import { type GraphNode, MICROSOFT } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ElementType } from '../codec/tensor-proto.ts';
import { createTensors } from './graph-builder.ts';

/** Nodes in the order in which they are computed, and the nodes that compute what they do, in place of the last one. */
export interface Fused {
  readonly chain: readonly GraphNode[];
  readonly nodes: readonly GraphNode[];
}

/** A graph with who makes and who reads its tensors. */
export type Chains = ReturnType<typeof createChains>;

/** Who makes and who reads each tensor. */
export function createChains(model: OnnxModel, types: ElementTypes) {
  const makers = makersIn(model.nodes);
  const readers = new Map<string, GraphNode[]>();
  for (const node of model.nodes)
    for (const tensor of new Set([...node.inputs, ...node.captures]))
      readers.set(tensor, [...(readers.get(tensor) ?? []), node]);
  const results = new Set(model.outputs.map(({ name }) => name));
  const numbers = (tensor = '') => constantNumbers(model, tensor, makers);
  return {
    model,
    maker: (tensor = '') => makers.get(tensor),
    /** Values of a small constant. */
    numbers,
    /** Tensors that several chains read. */
    once: createTensors(),
    readersOf: (tensor: string): readonly GraphNode[] => readers.get(tensor) ?? [],
    /** The node that alone reads the result of another. */
    next: ({ outputs: [output = ''] }: GraphNode): GraphNode | undefined => {
      const [reader, ...others] = readers.get(output) ?? [];
      return others.length === 0 && !results.has(output) ? reader : undefined;
    },
    isFloat: (tensor: string) => types.get(tensor) === ElementType.float32,
    /** Whether a tensor is one constant number, within the rounding of float32. */
    isNumber: (tensor: string | undefined, value: number) => {
      const [number, ...others] = numbers(tensor) ?? [];
      return number !== undefined && others.length === 0 && Math.abs(number - value) < 1e-6;
    },
  };
}

/** Replaces chains that `fuse` finds, each by its last node. */
export function replaceChains(
  model: OnnxModel,
  types: ElementTypes,
  fuse: (graph: Chains, node: GraphNode) => Fused | undefined,
): void {
  const graph = createChains(model, types);
  const fused = model.nodes.flatMap((node) => fuse(graph, node) ?? []);
  const replacements = new Map(fused.map(({ chain, nodes }) => [chain.at(-1), nodes]));
  const dropped = new Set(fused.flatMap(({ chain }) => chain));
  model.nodes = model.nodes.flatMap((node) => replacements.get(node) ?? (dropped.has(node) ? [] : [node]));
  const isOwn = fused.some(({ nodes }) => nodes.some(({ domain }) => domain === MICROSOFT));
  if (isOwn && !model.operatorSets.has(MICROSOFT)) model.operatorSets.set(MICROSOFT, 1);
}

/** The other input of a node with two; undefined where `tensor` is neither, and for another operator. */
export function besides(node: GraphNode | undefined, operator: string, tensor = ''): string | undefined {
  if (node?.operator !== operator || node.domain !== '' || node.inputs.length !== 2) return undefined;
  const at = node.inputs.indexOf(tensor);
  return at < 0 ? undefined : node.inputs[1 - at];
}
