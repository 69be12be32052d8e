import type { GraphNode } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { refuse } from '../refusal.ts';

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

/**
 * All nodes that tensors are computed from, in the order given. Nodes come in any order.
 *
 * @param stops  tensors that are not followed further back
 */
export function ancestors(
  nodes: readonly GraphNode[],
  tensors: readonly string[],
  stops: ReadonlySet<string> = new Set(),
): Set<GraphNode> {
  const makers = new Map(
    nodes.flatMap((node) => node.outputs.filter(Boolean).map((output) => [output, node] as const)),
  );
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
