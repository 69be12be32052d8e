import { ElementType } from './element-type.ts';
import { PREFIX, type GraphBuilder } from './graph-builder.ts';
import { encodeNode, makeNode, type GraphNode } from './graph-node.ts';
import type { Model } from './model-proto.ts';
import { makeTensor } from './tensor-proto.ts';
import { createMessage, type Message } from './wire.ts';

/** Name of the added bool scalar input: false for a run that only retains keys and values. */
export const NEEDS_RESULTS = 'needs_results';

/**
 * Nodes that no retained key or value depends on: the last layer behind its keys and values, the final norm, the head.
 * Asked for before the rewrite adds its own outputs, whose pooling of earlier layers must stay where it is: moved
 * behind a branch it would keep every layer's state alive.
 */
export function nodesOfResults(model: Model, retained: readonly string[]): ReadonlySet<GraphNode> {
  if (retained.length === 0) return new Set();
  const needed = new Set(retained);
  const rest = new Set(model.nodes);
  // Nodes come in any order here, so that one sweep need not reach all ancestors.
  for (let found = true; found;) {
    found = false;
    for (const node of rest) {
      if (!node.outputs.some((output) => needed.has(output))) continue;
      for (const input of [...node.inputs, ...node.captures]) if (input) needed.add(input);
      rest.delete(node);
      found = true;
    }
  }
  return onlyData(model, rest);
}

/** Constants and what is computed from them alone stay outside: there they are folded once, at load. */
function onlyData(model: Model, nodes: ReadonlySet<GraphNode>): ReadonlySet<GraphNode> {
  const dependent = descendants(model.nodes, new Set(model.inputs.map(({ name }) => name)), new Set());
  return new Set([...nodes].filter((node) => dependent.has(node)));
}

/** All nodes that read, directly or not, one of the tensors or the result of one of the nodes. */
export function descendants(
  nodes: readonly GraphNode[],
  tensors: ReadonlySet<string>,
  roots: ReadonlySet<GraphNode>,
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

/**
 * Moves results behind a branch that a run can leave out. A section's suppression changes every position from its own
 * on, but between it and the target only keys and values are wanted: without the last layer's queries, feed-forward
 * part and the head, a network of four layers computes a fifth less there.
 *
 * @param results  from `nodesOfResults`
 */
export function branchResults(model: Model, builder: GraphBuilder, results: ReadonlySet<GraphNode>): void {
  const condition = builder.addInput(NEEDS_RESULTS, ElementType.bool, []);
  if (results.size === 0) return;
  const inside = descendants(model.nodes, new Set(), results);
  const names = model.outputs.filter(({ name }) => [...inside].some((node) => node.outputs.includes(name)));
  const branch = createMessage();
  for (const node of model.nodes) if (inside.has(node)) branch.message(1, encodeNode(renamed(node, names)));
  const outputs = names.map(({ name }) => name);
  const taken = withOutputs(branch, outputs.map(innerName));
  const left = createMessage();
  for (const { name, type, dimensions } of names) {
    const nothing = makeTensor(
      `${PREFIX}nothing/${name}`,
      type,
      (dimensions ?? []).map(() => 0),
      [],
    );
    model.initialisers.set(nothing.name, nothing);
    left.message(1, encodeNode(makeNode('Identity', [nothing.name], [`${innerName(name)}/nothing`])));
  }
  const skipped = withOutputs(
    left,
    outputs.map((name) => `${innerName(name)}/nothing`),
  );
  const choice = makeNode('If', [condition], outputs, { then_branch: { body: taken }, else_branch: { body: skipped } });
  model.nodes = [...model.nodes.filter((node) => !inside.has(node)), choice];
}

/** Names inside a body must differ from those outside. */
function innerName(name: string): string {
  return `${name}/inner`;
}

function renamed(node: GraphNode, outputs: readonly { readonly name: string }[]): GraphNode {
  const rename = (name: string) => (outputs.some((output) => output.name === name) ? innerName(name) : name);
  return { ...node, inputs: node.inputs.map(rename), outputs: node.outputs.map(rename) };
}

function withOutputs(body: Message, names: readonly string[]): Message {
  body.text(2, `${PREFIX}results`);
  for (const name of names) body.message(12, createMessage().text(1, name));
  return body;
}
