import { kvCacheTensors, type NetworkConfig } from '../analysis/network-inputs.ts';
import { makeNode, renamedNode } from '../codec/graph-node.ts';
import { graphBodyOf, makeValueInfo, type OnnxModel } from '../codec/model-proto.ts';
import { ElementType, isFloating } from '../codec/tensor-proto.ts';
import { refuse } from '../network.ts';
import { TENSORS } from '../tensor-names.ts';
import type { FusedForm } from './fused-form.ts';
import { groupHeads } from './group-heads.ts';

/** Brings forms that exporters differ in into one, before anything is looked for in the graph. */
export function simplify(model: OnnxModel, config: NetworkConfig, fused: FusedForm | undefined): void {
  inlineMergedDecoder(model);
  namedEmbeddings(model);
  fused?.fuseNodes(model);
  groupHeads(model, kvCacheTensors(model, config));
}

const ORIGINAL = 'inputs_embeds';

/**
 * Puts a Cast between the input `inputs_embeds`, where a network has one, and its readers. The network is then fed
 * float32 whatever it computes in, and its word embeddings are the result of a node, as they are in networks with a
 * table of their own: that result is hidden state 0.
 */
export function namedEmbeddings(model: OnnxModel): void {
  const input = model.inputs.find(({ name }) => name === ORIGINAL);
  if (input === undefined) return;
  if (!isFloating(input.type)) refuse(`input "${ORIGINAL}" has ONNX element type ${input.type}, expected floats`);
  if (input.dimensions && input.dimensions.length !== 3)
    refuse(`input "${ORIGINAL}" has ${input.dimensions.length} axes, expected [batch, tokens, width]`);
  const renamed = makeValueInfo(TENSORS.embeddings, ElementType.float32, input.dimensions ?? [null, null, null]);
  model.inputs = model.inputs.map((each) => (each === input ? renamed : each));
  model.nodes.unshift(makeNode('Cast', [TENSORS.embeddings], [ORIGINAL], { to: input.type }));
}

/** The input by which older exports choose between their two branches. */
const CHOICE = 'use_cache_branch';

/**
 * Replaces the choice between two branches by the branch for cached steps, where a graph is a merged decoder. That branch
 * reads keys and values of any length, 0 included, so that it also computes a whole sequence; the self-test shows whether
 * it does.
 *
 * @source optimum, `merge_decoders`: one `If`, whose `then` is the decoder with a past
 */
function inlineMergedDecoder(model: OnnxModel): void {
  const choice = model.nodes.find(({ operator, inputs }) => operator === 'If' && inputs[0] === CHOICE);
  const body = choice && graphBodyOf(choice, 'then_branch');
  if (choice === undefined || body === undefined) return;
  const outer = new Map(body.outputs.map(({ name }, place) => [name, choice.outputs[place] ?? name]));
  const nodes = body.nodes.map((node) => renamedNode(node, (tensor) => outer.get(tensor) ?? tensor));
  for (const [name, tensor] of body.initialisers) model.initialisers.set(name, tensor);
  model.nodes = [...model.nodes.filter((node) => node !== choice), ...nodes];
  model.inputs = model.inputs.filter(({ name }) => name !== CHOICE);
}
