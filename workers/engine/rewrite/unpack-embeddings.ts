import { refuse } from '../network.ts';
import { type GraphNode, integerAttribute } from '../codec/graph-node.ts';
import { ElementType } from '../codec/tensor-proto.ts';
import type { ElementTypes } from '../analysis/graph-traversal.ts';
import type { GraphBuilder } from './graph-builder.ts';

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
