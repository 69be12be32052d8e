import type { GraphNode } from '../codec/graph-node.ts';
import { refuse } from './refusal.ts';
import type { Model } from '../codec/model-proto.ts';

/**
 * Orders nodes so that every tensor is made before it is read, bodies of If, Loop and Scan included. The order of an
 * already sorted graph is kept.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE for a cycle
 */
export function sortNodes(model: Model): void {
  const producers = new Map<string, number>();
  model.nodes.forEach((node, index) => {
    for (const output of node.outputs) if (output) producers.set(output, index);
  });
  const states = new Uint8Array(model.nodes.length); // 0 unseen, 1 on the way, 2 placed
  const sorted: GraphNode[] = [];
  for (let root = 0; root < model.nodes.length; root++) place(model.nodes, root, producers, states, sorted);
  model.nodes = sorted;
}

/** Depth first with an explicit stack: real graphs are thousands of nodes deep. */
function place(
  nodes: readonly GraphNode[],
  root: number,
  producers: ReadonlyMap<string, number>,
  states: Uint8Array,
  sorted: GraphNode[],
): void {
  const stack = [root];
  for (let index = stack.at(-1); index !== undefined; index = stack.at(-1)) {
    const node = nodes[index];
    if (node === undefined || states[index] === 2) {
      stack.pop();
      continue;
    }
    const waiting = pendingProducers(node, producers, states);
    if (waiting.length > 0) {
      if (states[index] === 1) refuse(`the graph has a cycle through ${node.operator} ${node.name}`);
      states[index] = 1;
      stack.push(...waiting.reverse());
      continue;
    }
    states[index] = 2;
    sorted.push(node);
    stack.pop();
  }
}

function pendingProducers(node: GraphNode, producers: ReadonlyMap<string, number>, states: Uint8Array): number[] {
  const pending: number[] = [];
  for (const name of [...node.inputs, ...node.captures]) {
    const producer = producers.get(name);
    if (producer !== undefined && states[producer] !== 2) pending.push(producer);
  }
  return pending;
}
