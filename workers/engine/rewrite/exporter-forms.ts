import { ElementType, isFloating } from '../codec/tensor-proto.ts';
import type { GraphBuilder } from './graph-builder.ts';
import { type GraphNode, renamedNode, integerAttribute, makeNode } from '../codec/graph-node.ts';
import { graphBodyOf, type OnnxModel, makeValueInfo } from '../codec/model-proto.ts';
import { refuse } from '../refusal.ts';
import type { ElementTypes } from '../analysis/graph-traversal.ts';
import { TENSORS } from '../tensor-names.ts';

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

/**
 * Replaces `com.microsoft.GatherBlockQuantized`, the look-up in a 4- or 8-bit table, by primitives: ONNX Runtime's WASM
 * build has no kernel for it, so that current builders' models with tied embeddings would not open there at all.
 */
export function unpackEmbeddings(builder: GraphBuilder, types: ElementTypes): void {
  const { nodes } = builder.model;
  const packed = nodes.filter((node) => node.operator === 'GatherBlockQuantized');
  for (const node of packed) unpackEmbedding(builder, node, types);
  nodes.splice(0, nodes.length, ...nodes.filter((node) => !packed.includes(node)));
}

/** value = (code − zero point) · scale of its block; the zero point of unsigned codes is the middle, 8 or 128. */
function unpackEmbedding(builder: GraphBuilder, node: GraphNode, types: ElementTypes): void {
  const [table = '', ids = '', scales = '', zeroPoints] = node.inputs;
  const bits = integerAttribute(node, 'bits', 4);
  const axes = [integerAttribute(node, 'gather_axis', 0), integerAttribute(node, 'quantize_axis', 1)];
  if (zeroPoints || axes.join() !== '0,1' || types.get(table) !== ElementType.uint8 || (bits !== 4 && bits !== 8))
    refuse(`${node.operator} (${node.name}) packs its table in a way that cannot be taken apart`);
  const float32 = { to: ElementType.float32 };
  const codes = builder.node('Cast', [builder.node('Gather', [table, ids])], float32);
  const flat = bits === 8 ? codes : nibbles(builder, codes);
  const blocks = builder.reshape(flat, builder.integers(0, 0, -1, integerAttribute(node, 'block_size', 128)));
  const centred = builder.node('Sub', [blocks, builder.scalar(2 ** (bits - 1), ElementType.float32)]);
  const scale = builder.node('Cast', [builder.node('Gather', [scales, ids])], float32);
  const perBlock = builder.node('Mul', [centred, builder.reshape(scale, builder.integers(0, 0, -1, 1))]);
  const rows = builder.reshape(perBlock, builder.integers(0, 0, -1)); // [batch, tokens, width]
  builder.node('Cast', [rows], { to: types.get(scales) ?? ElementType.float32 }, node.outputs[0]);
}

/** Two codes per byte, the low half first; by arithmetic, because bit operators for bytes are missing on some backends. */
function nibbles(builder: GraphBuilder, bytes: string): string {
  const sixteen = builder.scalar(16, ElementType.float32);
  const high = builder.node('Floor', [builder.node('Div', [bytes, sixteen])]);
  const low = builder.node('Sub', [bytes, builder.node('Mul', [high, sixteen])]);
  const shape = builder.integers(0, 0, -1, 1);
  const pairs = builder.concat(3, builder.reshape(low, shape), builder.reshape(high, shape));
  return builder.reshape(pairs, builder.integers(0, 0, -1));
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
export function inlineMergedDecoder(model: OnnxModel): void {
  const choice = model.nodes.find(({ operator, inputs }) => operator === 'If' && inputs[0] === CHOICE);
  const body = choice && graphBodyOf(choice, 'then_branch');
  if (choice === undefined || body === undefined) return;
  const outer = new Map(body.outputs.map(({ name }, place) => [name, choice.outputs[place] ?? name]));
  const nodes = body.nodes.map((node) => renamedNode(node, (tensor) => outer.get(tensor) ?? tensor));
  for (const [name, tensor] of body.initialisers) model.initialisers.set(name, tensor);
  model.nodes = [...model.nodes.filter((node) => node !== choice), ...nodes];
  model.inputs = model.inputs.filter(({ name }) => name !== CHOICE);
}
