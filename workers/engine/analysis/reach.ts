import type { GraphNode } from '../codec/graph-node.ts';

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
  const found = new Set<GraphNode>();
  const open = [...tensors];
  for (let tensor = open.pop(); tensor !== undefined; tensor = open.pop()) {
    const maker = stops.has(tensor) ? undefined : makers.get(tensor);
    if (maker === undefined || found.has(maker)) continue;
    found.add(maker);
    open.push(...maker.inputs, ...maker.captures);
  }
  return new Set(nodes.filter((node) => found.has(node)));
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
  for (let found = true; found;) {
    found = false;
    for (const node of nodes) {
      if (reached.has(node) || ![...node.inputs, ...node.captures].some((input) => made.has(input))) continue;
      reached.add(node);
      make(node);
      found = true;
    }
  }
  return reached;
}
