import { constantNumbers, type ElementTypes, makersIn } from '../analysis/graph-traversal.ts';
import type { GraphNode } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ElementType } from '../codec/tensor-proto.ts';

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
  return {
    model,
    maker: (tensor = '') => makers.get(tensor),
    readersOf: (tensor: string): readonly GraphNode[] => readers.get(tensor) ?? [],
    /** The node that alone reads the result of another. */
    next: ({ outputs: [output = ''] }: GraphNode): GraphNode | undefined => {
      const [reader, ...others] = readers.get(output) ?? [];
      return others.length === 0 && !results.has(output) ? reader : undefined;
    },
    isFloat: (tensor: string) => types.get(tensor) === ElementType.float32,
    /** Whether a tensor is one constant number, within the rounding of float32. */
    isNumber: (tensor: string | undefined, value: number) => {
      const numbers = constantNumbers(model, tensor ?? '') ?? [];
      return numbers.length === 1 && Math.abs((numbers[0] ?? 0) - value) < 1e-6;
    },
  };
}

/** The other input of a node with two; undefined where `tensor` is neither, and for another operator. */
export function besides(node: GraphNode | undefined, operator: string, tensor = ''): string | undefined {
  if (node?.operator !== operator || node.domain !== '' || node.inputs.length !== 2) return undefined;
  const at = node.inputs.indexOf(tensor);
  return at < 0 ? undefined : node.inputs[1 - at];
}
