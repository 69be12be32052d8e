import { constantDimensions } from '../../analysis/constants.ts';
import { headSizeOfGroupQuery } from '../../analysis/weight-shapes.ts';
import { ElementType } from '../../codec/element-type.ts';
import { MICROSOFT, type GraphNode } from '../../codec/graph-node.ts';
import { floatAttribute, integerAttribute } from '../../codec/node-attributes.ts';
import { refuse } from '../../refusal.ts';
import type { AttentionContext } from './attention-core.ts';

/** Positions of GroupQueryAttention's inputs. @source onnxruntime ContribOperators.md, 1.30 */
const INPUT = { past: 3, pastValue: 4, cosine: 7, sine: 8, bias: 10, sink: 11, queryNorm: 14, keyNorm: 15 } as const;

/** Attributes and sizes of one operator. */
interface GroupQuery {
  readonly node: GraphNode;
  readonly heads: number;
  readonly keyHeads: number;
  readonly headSize: number;
  readonly type: number;
}

/** Query, key and value, `[batch, tokens, heads · headSize]` each. */
interface Projections {
  readonly query: string;
  readonly key: string;
  readonly value: string;
}

/**
 * Replaces `com.microsoft.GroupQueryAttention`: rotary positions, norms of queries and keys, past and present, soft cap,
 * causal mask and window, the operator's own bias, attention sinks.
 *
 * The ring buffer of `sliding_window_cache` becomes an ordinary past with a window in the mask, which gives the same
 * numbers and can be shared.
 */
export function decomposeGroupQuery(context: AttentionContext, node: GraphNode): void {
  const group = groupQueryOf(context, node);
  const { query, key, value } = withPositions(context, group, withNorms(context, group, projections(context, group)));
  const keys = withPast(context, group, key, INPUT.past);
  const values = withPast(context, group, value, INPUT.pastValue);
  const scores = masked(context, group, capped(context, group, product(context, group, query, keys)));
  const weights = softmax(context, group, context.perturb(scores, group.type, 4));
  weightedSum(context, group, weights, values);
}

function groupQueryOf({ model, types, config }: AttentionContext, node: GraphNode): GroupQuery {
  const quantised = node.inputs[12] || node.inputs[13] || integerAttribute(node, 'kv_cache_bit_width', 0) > 0;
  if (quantised) refuse(`${node.operator} (${node.name}) keeps its past in quantised form`);
  const past = model.inputs.find((input) => input.name === node.inputs[INPUT.past]);
  const noted = past?.dimensions?.[3];
  const headSize = typeof noted === 'number' ? noted : (headSizeOfGroupQuery(node, model) ?? config.headSize);
  if (past === undefined || !node.outputs[1] || !node.outputs[2])
    return refuse(`${node.operator} (${node.name}) has no past and present among the graph's inputs and outputs`);
  return {
    node,
    heads: integerAttribute(node, 'num_heads', 0),
    keyHeads: integerAttribute(node, 'kv_num_heads', 0),
    headSize: headSize ?? refuse(`${node.operator} (${node.name}): the length of its heads is not known`),
    type: past.type === 0 ? (types.get(node.inputs[0] ?? '') ?? ElementType.float32) : past.type,
  };
}

/** Separate projections, or the three parts of a packed one. */
function projections({ builder }: AttentionContext, { node, heads, keyHeads, headSize }: GroupQuery): Projections {
  const [query = '', key = '', value = ''] = node.inputs;
  if (key && value) return { query, key, value };
  const part = (from: number, to: number): string =>
    builder.node('Slice', [query, ...[from, to].map((head) => builder.integers(head * headSize)), builder.integers(2)]);
  return {
    query: part(0, heads),
    key: part(heads, heads + keyHeads),
    value: part(heads + keyHeads, heads + 2 * keyHeads),
  };
}

function withNorms({ builder }: AttentionContext, group: GroupQuery, { query, key, value }: Projections): Projections {
  const epsilon = floatAttribute(group.node, 'qk_norm_epsilon', 1e-6);
  const normed = (tensor: string, weight: string | undefined, heads: number): string => {
    if (!weight) return tensor;
    const perHead = builder.reshape(tensor, builder.integers(0, 0, heads, group.headSize));
    const attributes = { axis: { integer: -1 }, epsilon: { float: epsilon }, stash_type: { integer: 1 } };
    const result = builder.node('SimplifiedLayerNormalization', [perHead, weight], { attributes });
    return builder.reshape(result, builder.integers(0, 0, heads * group.headSize));
  };
  return {
    query: normed(query, group.node.inputs[INPUT.queryNorm], group.heads),
    key: normed(key, group.node.inputs[INPUT.keyNorm], group.keyHeads),
    value,
  };
}

/** Rotary positions, counted by the operator itself from the past's length: its input `position_ids` is ignored by it. */
function withPositions(
  { builder, model, masks }: AttentionContext,
  { node, heads, keyHeads, headSize }: GroupQuery,
  { query, key, value }: Projections,
): Projections {
  if (integerAttribute(node, 'do_rotary', 0) === 0) return { query, key, value };
  const cosine = node.inputs[INPUT.cosine] ?? '';
  const rotated = 2 * (constantDimensions(model, cosine)?.[1] ?? headSize / 2);
  const rotate = (tensor: string, count: number): string =>
    builder.node('RotaryEmbedding', [tensor, masks.positions(), cosine, node.inputs[INPUT.sine] ?? ''], {
      domain: MICROSOFT,
      attributes: {
        interleaved: { integer: integerAttribute(node, 'rotary_interleaved', 0) },
        num_heads: { integer: count },
        ...(rotated < headSize ? { rotary_embedding_dim: { integer: rotated } } : {}),
      },
    });
  return { query: rotate(query, heads), key: rotate(key, keyHeads), value };
}

/** `[batch, tokens, heads · size]` → `[batch, heads, tokens, size]`. */
function byHead({ builder }: AttentionContext, tensor: string, heads: number, headSize: number): string {
  const split = builder.reshape(tensor, builder.integers(0, 0, heads, headSize));
  return builder.node('Transpose', [split], { attributes: { perm: { integers: [0, 2, 1, 3] } } });
}

/** Past and new, `[batch, keyHeads, total, size]`; this is also the operator's output `present`. */
function withPast(context: AttentionContext, group: GroupQuery, tensor: string, input: 3 | 4): string {
  const { node, keyHeads, headSize } = group;
  return context.builder.node('Concat', [node.inputs[input] ?? '', byHead(context, tensor, keyHeads, headSize)], {
    attributes: { axis: { integer: 2 } },
    output: node.outputs[input - 2],
  });
}

/**
 * Scaled scores `[batch, heads, tokens, total]`. The queries that share a key head are laid one below the other instead
 * of repeating the keys.
 */
function product(context: AttentionContext, group: GroupQuery, query: string, keys: string): string {
  const { builder } = context;
  const { heads, keyHeads, headSize, node, type } = group;
  const scale = floatAttribute(node, 'scale', 0) || 1 / Math.sqrt(headSize);
  const scaled = builder.node('Mul', [query, builder.scalar(scale, type)]);
  const grouped = builder.reshape(
    byHead(context, scaled, heads, headSize),
    builder.integers(0, keyHeads, -1, headSize),
  );
  const turned = builder.node('Transpose', [keys], { attributes: { perm: { integers: [0, 1, 3, 2] } } });
  const shape = builder.concat(0, context.run.batch, builder.integers(heads), context.run.tokens, context.run.total);
  return builder.reshape(builder.node('MatMul', [grouped, turned]), shape);
}

function capped({ builder }: AttentionContext, { node, type }: GroupQuery, scores: string): string {
  const cap = floatAttribute(node, 'softcap', 0);
  if (cap === 0) return scores;
  const limit = builder.scalar(cap, type);
  return builder.node('Mul', [builder.node('Tanh', [builder.node('Div', [scores, limit])]), limit]);
}

function masked({ builder, masks }: AttentionContext, { node, type }: GroupQuery, scores: string): string {
  const window = integerAttribute(node, 'local_window_size', -1);
  const causal = builder.node('Add', [scores, masks.mask(type, window)]);
  const bias = node.inputs[INPUT.bias];
  return bias ? builder.node('Add', [causal, bias]) : causal;
}

/** With an attention sink, a learned score (or zero) takes part in the softmax and is dropped afterwards. */
function softmax({ builder, run }: AttentionContext, { node, heads, type }: GroupQuery, scores: string): string {
  const attributes = { axis: { integer: -1 } };
  const learned = node.inputs[INPUT.sink];
  const isSmooth = integerAttribute(node, 'smooth_softmax', 0) > 0;
  if (!learned && !isSmooth) return builder.node('Softmax', [scores], { attributes });
  const perHead = learned ? builder.reshape(learned, builder.integers(1, heads, 1, 1)) : builder.scalar(0, type);
  const shape = builder.concat(0, run.batch, builder.integers(heads), run.tokens, builder.integers(1));
  const wide = builder.concat(3, scores, builder.node('Expand', [perHead, shape]));
  const weights = builder.node('Softmax', [wide], { attributes });
  return builder.node('Slice', [weights, builder.integers(0), run.total, builder.integers(3)]);
}

/** Weighted values, `[batch, tokens, heads · size]`, under the operator's own output name. */
function weightedSum(context: AttentionContext, group: GroupQuery, weights: string, values: string): void {
  const { builder, run } = context;
  const { heads, keyHeads, headSize, node } = group;
  const grouped = builder.reshape(weights, builder.concat(0, run.batch, builder.integers(keyHeads, -1), run.total));
  const mixed = builder.node('MatMul', [grouped, values]); // [batch, keyHeads, group · tokens, size]
  const perHead = builder.reshape(
    mixed,
    builder.concat(0, run.batch, builder.integers(heads), run.tokens, builder.integers(headSize)),
  );
  const turned = builder.node('Transpose', [perHead], { attributes: { perm: { integers: [0, 2, 1, 3] } } });
  builder.reshape(turned, builder.integers(0, 0, heads * headSize), node.outputs[0]);
}
