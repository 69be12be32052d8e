import { bodyOf } from '../codec/graph-body.ts';
import { renamedNode } from '../codec/graph-node.ts';
import type { Model } from '../codec/model-proto.ts';

/** The input by which older exports choose between their two branches. */
const CHOICE = 'use_cache_branch';

/**
 * Puts the branch for cached steps in the place of the choice, where a graph is a merged decoder. That branch reads keys and
 * values of any length, none included, so that it also computes a whole sequence; the self-test shows whether it does.
 *
 * @source optimum, `merge_decoders`: one `If`, whose `then` is the decoder with a past
 */
export function inlineMergedDecoder(model: Model): void {
  const choice = model.nodes.find(({ operator, inputs }) => operator === 'If' && inputs[0] === CHOICE);
  const body = choice && bodyOf(choice, 'then_branch');
  if (choice === undefined || body === undefined) return;
  const outer = new Map(body.outputs.map((inner, place) => [inner, choice.outputs[place] ?? inner]));
  const nodes = body.nodes.map((node) => renamedNode(node, (tensor) => outer.get(tensor) ?? tensor));
  for (const tensor of body.initialisers) model.initialisers.set(tensor.name, tensor);
  model.nodes = [...model.nodes.filter((node) => node !== choice), ...nodes];
  model.inputs = model.inputs.filter(({ name }) => name !== CHOICE);
}
