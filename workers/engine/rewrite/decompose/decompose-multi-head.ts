import { ElementType } from '../../codec/element-type.ts';
import type { GraphNode } from '../../codec/graph-node.ts';
import { floatAttribute, integerAttribute, integersAttribute } from '../../codec/node-attributes.ts';
import { refuse } from '../../refusal.ts';
import { attend, joinHeads, splitHeads, type AttentionContext } from './attention-core.ts';

/** Query, key and value, `[batch, tokens, heads · size]` each. */
type Projected = readonly [string, string, string];

/**
 * Replaces `com.microsoft.Attention`, whose projections are inside: one product with packed weights. Old
 * GPT-2 exports keep keys and values of the past in one tensor, `[2, batch, heads, tokens, size]`.
 *
 * @source onnxruntime ContribOperators.md, 1.30
 */
export function decomposePackedAttention(context: AttentionContext, node: GraphNode): void {
  const { builder } = context;
  const [input = '', weights = '', bias, padding, past, attentionBias] = node.inputs;
  const isPlain = !integersAttribute(node, 'qkv_hidden_sizes') && !integerAttribute(node, 'do_rotary', 0);
  if (!isPlain) refuse(`${node.operator} (${node.name}) with rotary positions or uneven sizes cannot be taken apart`);
  refuseOtherMasks(context, node, padding);
  const product = builder.node('MatMul', [input, weights]);
  const packed = bias ? builder.node('Add', [product, bias]) : product;
  const pasts = past ? [0, 1].map((half) => builder.node('Gather', [past, builder.integer(half)])) : [];
  const presents = past ? [`${node.outputs[1]}/keys`, `${node.outputs[1]}/values`] : [];
  finish(context, node, thirds(context, packed, weights, 2), { padding, attentionBias, pasts, presents });
  if (!past || !node.outputs[1]) return;
  const stacked = presents.map((tensor) =>
    builder.reshape(tensor, builder.concat(0, builder.integers(1), builder.node('Shape', [tensor]))),
  );
  builder.node('Concat', stacked, { attributes: { axis: { integer: 0 } }, output: node.outputs[1] });
}

/** Replaces `com.microsoft.MultiHeadAttention` with separate queries, keys and values, with or without a past. */
export function decomposeMultiHead(context: AttentionContext, node: GraphNode): void {
  const { builder } = context;
  const [query = '', key, value, bias, padding, attentionBias, pastKey, pastValue] = node.inputs;
  if (!key || !value)
    return refuse(`${node.operator} (${node.name}) with packed queries, keys and values cannot be taken apart`);
  refuseOtherMasks(context, node, padding);
  const biases = bias ? thirds(context, bias, bias, 0) : undefined;
  const [first, second, third] = [query, key, value].map((tensor, index) =>
    biases ? builder.node('Add', [tensor, biases[index] ?? '']) : tensor,
  );
  const parts: Projected = [first ?? '', second ?? '', third ?? ''];
  const presents = node.outputs.slice(1);
  finish(context, node, parts, { padding, attentionBias, pasts: [pastKey, pastValue], presents });
}

/** Names of optional inputs; undefined or empty where they are left out. */
interface Optional {
  readonly padding: string | undefined;
  readonly attentionBias: string | undefined;
  readonly pasts: readonly (string | undefined)[];
  /** Names under which the past with the new positions is made. */
  readonly presents: readonly string[];
}

function finish(
  context: AttentionContext,
  node: GraphNode,
  [query, key, value]: Projected,
  { padding, attentionBias, pasts, presents }: Optional,
): void {
  const { builder, types, masks } = context;
  const heads = integerAttribute(node, 'num_heads', 0);
  const type = types.get(node.inputs[0] ?? '');
  if (type !== ElementType.float32 && type !== ElementType.float16)
    return refuse(`${node.operator} (${node.name}) has ONNX element type ${type ?? 'unknown'}`);
  const extended = (tensor: string, index: 0 | 1): string => {
    const past = pasts[index];
    const split = splitHeads(context, tensor, heads);
    if (!past) return split;
    return builder.node('Concat', [past, split], {
      attributes: { axis: { integer: 2 } },
      output: presents[index],
    });
  };
  const isCausal = integerAttribute(node, 'unidirectional', 0) === 1;
  const mixed = attend(context, {
    query: splitHeads(context, query, heads),
    keys: extended(key, 0),
    values: extended(value, 1),
    scale: floatAttribute(node, 'scale', 0),
    masks: [
      ...(attentionBias ? [attentionBias] : []),
      ...(isCausal ? [masks.mask(type, 0)] : []),
      ...(padding ? [masks.padding(type)] : []),
    ],
    type,
  });
  joinHeads(context, mixed, node.outputs[0]);
}

/** Three equal parts of a packed tensor's last axis. */
function thirds({ builder, model }: AttentionContext, packed: string, sized: string, axis: number): Projected {
  const width = model.initialisers.get(sized)?.dimensions.at(-1) ?? refuse(`the width of "${sized}" is not known`);
  const part = (index: number): string => {
    const bounds = [index, index + 1].map((third) => builder.integers((third * width) / 3));
    return builder.node('Slice', [packed, ...bounds, builder.integers(axis)]);
  };
  return [part(0), part(1), part(2)];
}

/** The operator may be told the mask itself or how long each sequence is; here it is read from `attention_mask`. */
function refuseOtherMasks({ model }: AttentionContext, node: GraphNode, mask: string | undefined): void {
  let tensor = mask;
  for (let depth = 0; tensor && depth < 8; depth++) {
    if (tensor === 'attention_mask') return;
    const current = tensor;
    const maker = model.nodes.find((each) => each.outputs.includes(current));
    const passes = ['Cast', 'ReduceSum', 'Sub', 'Identity', 'EmbedLayerNormalization'].includes(maker?.operator ?? '');
    tensor = passes ? maker?.inputs[maker.operator === 'EmbedLayerNormalization' ? 7 : 0] : undefined;
  }
  if (mask) refuse(`${node.operator} (${node.name}) has a mask that does not come from "attention_mask"`);
}
