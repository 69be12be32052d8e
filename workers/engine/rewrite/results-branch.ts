import { ancestors, descendants } from '../analysis/graph-traversal.ts';
import { ElementType } from '../codec/element-type.ts';
import { encodeNode, makeNode, type GraphNode, renamedNode } from '../codec/graph-node.ts';
import type { Model } from '../codec/model-proto.ts';
import { makeTensor } from '../codec/tensor-proto.ts';
import { createMessage, type Message } from '../codec/wire-writer.ts';
import { ADDED } from '../tensor-names.ts';
import type { GraphBuilder } from './graph-builder.ts';

/**
 * Nodes that nothing but the outputs with these names depends on. Constants and what is computed from them alone are
 * left out: outside a branch they are folded once, at load.
 */
export function nodesOnlyFor(model: Model, outputs: readonly string[]): ReadonlySet<GraphNode> {
  const others = model.outputs.map(({ name }) => name).filter((name) => !outputs.includes(name));
  const shared = ancestors(model.nodes, others);
  const dependent = descendants(model.nodes, new Set(model.inputs.map(({ name }) => name)));
  const needed = [...ancestors(model.nodes, outputs)];
  return new Set(needed.filter((node) => dependent.has(node) && !shared.has(node)));
}

/**
 * Moves what only these outputs need behind a branch that a run can leave out by the condition, a bool input that is added.
 * Hidden states that are pooled there stay alive until then, `[tokens, width]` for each layer.
 */
export function branch(model: Model, builder: GraphBuilder, conditionName: string, outputs: readonly string[]): void {
  const condition = builder.addInput(conditionName, ElementType.bool, []);
  const inside = nodesOnlyFor(model, outputs);
  if (inside.size === 0) return;
  const made = new Set([...inside].flatMap((node) => node.outputs));
  const results = model.outputs.filter(({ name }) => made.has(name));
  const names = results.map(({ name }) => name);
  const isResult = new Set(names);
  const innerOf = (name: string) => (isResult.has(name) ? innerName(name) : name);
  const taken = createMessage();
  for (const node of model.nodes)
    if (inside.has(node)) taken.message(1, encodeNode({ ...renamedNode(node, innerOf), name: node.name })); // it moves
  const left = createMessage();
  for (const { name, type, dimensions } of results) {
    const lengths = (dimensions ?? []).map(() => 0);
    const nothing = makeTensor(`${ADDED}nothing/${name}`, type, lengths, []);
    model.initialisers.set(nothing.name, nothing);
    left.message(1, encodeNode(makeNode('Identity', [nothing.name], [nothingName(name)])));
  }
  const bodies = {
    then_branch: { body: withOutputs(taken, names.map(innerName)) },
    else_branch: { body: withOutputs(left, names.map(nothingName)) },
  };
  model.nodes = [...model.nodes.filter((node) => !inside.has(node)), makeNode('If', [condition], names, bodies)];
}

/** Names inside a body must differ from those outside. */
function innerName(name: string): string {
  return `${name}/inner`;
}

function nothingName(name: string): string {
  return `${innerName(name)}/nothing`;
}

function withOutputs(body: Message, names: readonly string[]): Message {
  body.text(2, `${ADDED}results`);
  for (const name of names) body.message(12, createMessage().text(1, name));
  return body;
}
