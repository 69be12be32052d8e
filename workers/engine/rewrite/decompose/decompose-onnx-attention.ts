import { ElementType } from '../../codec/element-type.ts';
import type { GraphNode } from '../../codec/graph-node.ts';
import { floatAttribute, integerAttribute } from '../../codec/node-attributes.ts';
import { refuse } from '../../refusal.ts';
import { attend, joinHeads, splitHeads, type AttentionContext } from './attention-core.ts';

/**
 * Replaces ONNX's own `Attention` (operator set 23 and later), with or without a past.
 *
 * @source onnx.ai/onnx/operators/onnx__Attention.html
 */
export function decomposeOnnxAttention(context: AttentionContext, node: GraphNode): void {
  const { builder, types } = context;
  refuseVariants(node);
  const [query = '', key = '', value = '', mask, pastKey, pastValue] = node.inputs;
  const type = types.get(query);
  if (type !== ElementType.float32 && type !== ElementType.float16)
    return refuse(`${node.operator} (${node.name}) has ONNX element type ${type ?? 'unknown'}`);
  // Three axes are [batch, tokens, heads · size], and then the attributes say how many heads.
  const queryHeads = integerAttribute(node, 'q_num_heads', 0);
  const keyHeads = integerAttribute(node, 'kv_num_heads', 0);
  const split = (tensor: string, heads: number): string => (heads ? splitHeads(context, tensor, heads) : tensor);
  const extended = (past: string | undefined, tensor: string, output: string | undefined): string => {
    if (!past) return split(tensor, keyHeads);
    return builder.node('Concat', [past, split(tensor, keyHeads)], { attributes: { axis: { integer: 2 } }, output });
  };
  const group = groupOf(context, node);
  const repeated = (tensor: string): string => (group === 1 ? tensor : repeatHeads(context, tensor, group));
  const isCausal = integerAttribute(node, 'is_causal', 0) === 1;
  const mixed = attend(context, {
    query: split(query, queryHeads),
    keys: repeated(extended(pastKey, key, node.outputs[1])),
    values: repeated(extended(pastValue, value, node.outputs[2])),
    scale: floatAttribute(node, 'scale', 0),
    masks: [...(mask ? [additive(context, mask, type)] : []), ...(isCausal ? [context.masks.mask(type, 0)] : [])],
    type,
  });
  const output = node.outputs[0];
  if (queryHeads) joinHeads(context, mixed, output);
  else builder.node('Identity', [mixed], { output });
}

/** How many query heads share a head of keys and values: from the attributes, else from the noted shapes of four axes. */
function groupOf({ model }: AttentionContext, node: GraphNode): number {
  const noted = (place: number) => {
    const heads = model.notes.get(node.inputs[place] ?? '')?.dimensions?.[1];
    return typeof heads === 'number' ? heads : 0;
  };
  const queryHeads = integerAttribute(node, 'q_num_heads', 0) || noted(0);
  const keyHeads = integerAttribute(node, 'kv_num_heads', 0) || noted(1);
  if (queryHeads === 0 || keyHeads === 0) return 1;
  if (queryHeads % keyHeads === 0) return queryHeads / keyHeads;
  return refuse(`ONNX ${node.operator} (${node.name}) has ${queryHeads} query heads for ${keyHeads} key heads`);
}

/** Each head `times` in a row: `[batch, heads, tokens, size]` → `[batch, heads · times, tokens, size]`. */
function repeatHeads({ builder }: AttentionContext, tensor: string, times: number): string {
  const flat = builder.reshape(tensor, builder.integers(0, 0, 1, -1));
  const wide = builder.node('Concat', new Array<string>(times).fill(flat), { attributes: { axis: { integer: 2 } } });
  const shape = builder.node('Shape', [tensor]);
  const axis = (index: number) => builder.node('Gather', [shape, builder.integers(index)]);
  const heads = builder.node('Mul', [axis(1), builder.integers(times)]);
  return builder.reshape(wide, builder.concat(0, axis(0), heads, axis(2), axis(3)));
}

function refuseVariants(node: GraphNode): void {
  const reason =
    (floatAttribute(node, 'softcap', 0) !== 0 && 'a soft cap') ||
    (node.outputs[3] && 'its scores as an output') ||
    (node.inputs[6] && 'padded lengths of its own') ||
    // From which end the triangle is counted is told differently by operator sets 23 and 24.
    (node.inputs[4] && integerAttribute(node, 'is_causal', 0) === 1 && 'a causal mask of its own behind a past');
  if (reason) refuse(`ONNX ${node.operator} (${node.name}) with ${reason} cannot be taken apart`);
}

/** A bool mask (true: look) becomes 0 and a very negative number, by arithmetic: see `createCausalMasks`. */
function additive({ builder, types }: AttentionContext, mask: string, type: number): string {
  if (types.get(mask) !== ElementType.bool) return mask;
  const seen = builder.cast(mask, ElementType.bool, type);
  const lowest = builder.scalar(type === ElementType.float16 ? 65504 : 1e30, type);
  return builder.node('Mul', [builder.node('Sub', [seen, builder.scalar(1, type)]), lowest]);
}
