import type { Model } from '../codec/model-proto.ts';
import { tensorAttribute } from '../codec/node-attributes.ts';
import { bodyOf } from '../codec/graph-body.ts';
import type { GraphNode } from '../codec/graph-node.ts';
import { numbersOf } from '../codec/tensor-proto.ts';

/** What constants may pass through on their way: casts change no whole number. */
const PASSED = new Set(['Cast', 'Identity']);

/** Values of a small constant, whether it is an initialiser or a node `Constant`; undefined for any other tensor. */
export function constantNumbers(model: Model, tensor: string): number[] | undefined {
  const initialiser = model.initialisers.get(tensor);
  if (initialiser) return numbersOf(initialiser);
  const maker = model.nodes.find(({ outputs }) => outputs.includes(tensor));
  if (maker === undefined) return undefined;
  if (PASSED.has(maker.operator)) return constantNumbers(model, maker.inputs[0] ?? '');
  const value = maker.operator === 'Constant' ? tensorAttribute(maker, 'value') : undefined;
  return value && numbersOf(value);
}

/**
 * Lengths of a constant's axes. A table that the graph chooses by an `If`, as Phi's rotary positions for short and long texts,
 * has those of the shorter: with the other one, keys that were computed before would stand at other positions.
 */
export function constantDimensions(model: Model, tensor: string): readonly number[] | undefined {
  const initialiser = model.initialisers.get(tensor);
  if (initialiser) return initialiser.dimensions;
  const maker = model.nodes.find(({ outputs }) => outputs.includes(tensor));
  if (maker === undefined) return undefined;
  if (PASSED.has(maker.operator)) return constantDimensions(model, maker.inputs[0] ?? '');
  if (maker.operator === 'Constant') return tensorAttribute(maker, 'value')?.dimensions;
  if (maker.operator !== 'If') return undefined;
  const found = ['then_branch', 'else_branch'].map((name) => chosenDimensions(model, maker, name, tensor));
  return found.every((each) => each !== undefined) ? found.toSorted(([a = 0], [b = 0]) => a - b)[0] : undefined;
}

function chosenDimensions(
  model: Model,
  choice: GraphNode,
  name: string,
  tensor: string,
): readonly number[] | undefined {
  const body = bodyOf(choice, name);
  const inner = body?.outputs[choice.outputs.indexOf(tensor)];
  if (body === undefined || inner === undefined) return undefined;
  const initialisers = new Map([...model.initialisers, ...body.initialisers.map((each) => [each.name, each] as const)]);
  return constantDimensions({ ...model, nodes: [...body.nodes, ...model.nodes], initialisers }, inner);
}
