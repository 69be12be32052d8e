import { ElementType, isFloating } from '../codec/element-type.ts';
import { PREFIX } from './graph-builder.ts';
import { makeNode } from '../codec/graph-node.ts';
import type { Model } from '../codec/model-proto.ts';
import { refuse } from '../analysis/refusal.ts';
import { makeValueInfo } from '../codec/value-info.ts';

/** Name of the graph input that takes the place of `inputs_embeds`, float32 `[batch, tokens, width]`. */
export const EMBEDDINGS = `${PREFIX}embeddings`;

const ORIGINAL = 'inputs_embeds';

/**
 * Puts a Cast between the input `inputs_embeds`, where a network has one, and its readers. The network is then fed
 * float32 whatever it computes in, and its word embeddings are the result of a node, as they are in networks with a
 * table of their own: that result is hidden state 0 (graphs.md, F4).
 */
export function namedEmbeddings(model: Model): void {
  const input = model.inputs.find(({ name }) => name === ORIGINAL);
  if (input === undefined) return;
  if (!isFloating(input.type)) refuse(`input "${ORIGINAL}" has ONNX element type ${input.type}, expected floats`);
  if (input.dimensions && input.dimensions.length !== 3)
    refuse(`input "${ORIGINAL}" has ${input.dimensions.length} axes, expected [batch, tokens, width]`);
  const renamed = makeValueInfo(EMBEDDINGS, ElementType.float32, input.dimensions ?? [null, null, null]);
  model.inputs = model.inputs.map((each) => (each === input ? renamed : each));
  model.nodes.unshift(makeNode('Cast', [EMBEDDINGS], [ORIGINAL], { to: { integer: input.type } }));
}
