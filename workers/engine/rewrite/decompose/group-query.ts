import { floatAttribute, type GraphNode, integerAttribute, MICROSOFT } from '../../codec/graph-node.ts';
import { ElementType } from '../../codec/tensor-proto.ts';
import { constantDimensions } from '../../analysis/graph-traversal.ts';
import { refuse } from '../../network.ts';
import type { GraphBuilder } from '../graph-builder.ts';
import type { PerturbedScores, ScoreMasks } from '../perturbation.ts';
import { attend, type AttentionContext, joinHeads, splitHeads, withPast } from './decompose-attention.ts';

/** Positions of GroupQueryAttention's inputs. @source onnxruntime ContribOperators.md, 1.30 */
export const GROUP_QUERY_INPUT = {
  past: 3,
  pastValue: 4,
  cosine: 7,
  sine: 8,
  positions: 9,
  bias: 10,
  sink: 11,
  queryNorm: 14,
  keyNorm: 15,
} as const;

/** One operator with its attributes and sizes. */
interface GroupQuery extends AttentionContext {
  readonly node: GraphNode;
  readonly heads: number;
  readonly keyHeads: number;
  readonly headSize: number;
  readonly type: number;
}

type Projections = readonly [query: string, key: string, value: string];

/**
 * Replaces `com.microsoft.GroupQueryAttention`: rotary positions, norms of queries and keys, past and present, soft cap,
 * causal mask and window, the operator's own bias, attention sinks.
 *
 * The ring buffer of `sliding_window_cache` becomes an ordinary past with a window in the mask, which gives the same
 * numbers and can be shared.
 */
export function decomposeGroupQuery(context: AttentionContext, node: GraphNode): PerturbedScores {
  const group = groupQueryOf(context, node);
  const { heads, keyHeads, headSize, type } = group;
  const [query, keys, values] = extended(group);
  const { mixed, scores } = attend(group, node, {
    query,
    keys,
    values,
    masks: groupQueryMasks(context, node, type),
    type,
    headSize,
    group: { heads, keyHeads },
    cap: floatAttribute(node, 'softcap', 0),
    weightsOf: (scores) => softmax(group, scores),
  });
  joinHeads(group, mixed, node.outputs[0], heads * headSize);
  return { scores, type };
}

/** Queries, and keys and values of the past and new positions; where it is known that there is no past, nothing is copied. */
function extended(group: GroupQuery): Projections {
  const { builder, node, hasPast } = group;
  const { past, pastValue } = GROUP_QUERY_INPUT;
  const projected = (own: GroupQuery) => withPositions(own, headsOf(own, 1));
  const joined = (own: GroupQuery, [, keys, values]: readonly string[]): Projections => {
    const [query, key, value] = projected(own);
    return [query, withPast(own, node.inputs[past], key, keys), withPast(own, node.inputs[pastValue], value, values)];
  };
  if (!hasPast) return joined(group, node.outputs);
  const [mixed = '', keys = '', values = ''] = node.outputs;
  const names = [`${mixed}/queries`, keys, values] as const;
  const inside = (body: GraphBuilder) => ({ ...group, builder: body });
  builder.chooseAll(
    hasPast,
    (body) => joined(inside(body), []),
    (body) => projected(inside(body)),
    names,
  );
  return names;
}

/** @throws {FailureError} MODEL_UNAVAILABLE where its past is quantised, or not among inputs and outputs */
export function groupQueryOf(context: AttentionContext, node: GraphNode): GroupQuery {
  const { types, kvCache } = context;
  const quantised = node.inputs[12] || node.inputs[13] || integerAttribute(node, 'kv_cache_bit_width', 0) > 0;
  if (quantised) refuse(`${node.operator} (${node.name}) keeps its past in quantised form`);
  const [keys, values] = [1, 2].map((at) => kvCache.find(({ output }) => output === node.outputs[at]));
  if (keys === undefined || values === undefined)
    return refuse(`${node.operator} (${node.name}) has no past and present among the graph's inputs and outputs`);
  return {
    ...context,
    node,
    heads: integerAttribute(node, 'num_heads', 0),
    keyHeads: integerAttribute(node, 'kv_num_heads', 0),
    headSize: keys.headSize,
    type: keys.type === 0 ? (types.get(node.inputs[0] ?? '') ?? ElementType.float32) : keys.type,
  };
}

/**
 * Queries, keys and values by heads, those of queries and keys normed where there are norms.
 *
 * @param axis  of the heads: 1, `[batch, heads, tokens, headSize]`, or 2
 */
function headsOf(group: GroupQuery, axis: 1 | 2): Projections {
  const { builder, node, heads, keyHeads, headSize } = group;
  const [query = '', key, value] = node.inputs;
  const byHeads = (tensor: string, count: number) =>
    axis === 1
      ? splitHeads(group, tensor, count, headSize)
      : builder.reshape(tensor, builder.integers(0, 0, count, headSize));
  const counts = [heads, keyHeads, keyHeads] as const;
  const [queries = '', keys = '', values = ''] =
    key && value
      ? [byHeads(query, heads), byHeads(key, keyHeads), byHeads(value, keyHeads)]
      : builder.parts(byHeads(query, heads + 2 * keyHeads), counts, axis);
  const epsilon = { float: floatAttribute(node, 'qk_norm_epsilon', 1e-6) };
  const normed = (tensor: string, weight: string | undefined): string =>
    weight
      ? builder.node('SimplifiedLayerNormalization', [tensor, weight], { axis: -1, epsilon, stash_type: 1 })
      : tensor;
  const { queryNorm, keyNorm } = GROUP_QUERY_INPUT;
  return [normed(queries, node.inputs[queryNorm]), normed(keys, node.inputs[keyNorm]), values];
}

/** Normed projections as the operator takes them, `[batch, tokens, heads · headSize]`: its kernel for a GPU has no norms. */
export function normedProjections(group: GroupQuery): readonly string[] {
  const { builder, heads, keyHeads, headSize } = group;
  const joined = (tensor: string, at: number) =>
    builder.reshape(tensor, builder.integers(0, 0, (at === 0 ? heads : keyHeads) * headSize));
  return headsOf(group, 2).map(joined);
}

/** Rotary positions, counted by the operator itself from the past's length: its input `position_ids` is ignored by it. */
function withPositions(group: GroupQuery, [query, key, value]: Projections): Projections {
  const { builder, masks, node, heads, keyHeads, headSize } = group;
  if (integerAttribute(node, 'do_rotary', 0) === 0) return [query, key, value];
  const [cosine = '', sine = ''] = [node.inputs[GROUP_QUERY_INPUT.cosine], node.inputs[GROUP_QUERY_INPUT.sine]];
  const rotated = 2 * (constantDimensions(builder.model, cosine)?.[1] ?? headSize / 2);
  const interleaved = integerAttribute(node, 'rotary_interleaved', 0);
  const rotate = (tensor: string, count: number): string => {
    const attributes = {
      interleaved,
      num_heads: count,
      ...(rotated < headSize && { rotary_embedding_dim: rotated }),
    };
    const inputs = [tensor, masks.positions(), cosine, sine];
    return builder.node('RotaryEmbedding', inputs, attributes, undefined, MICROSOFT);
  };
  return [rotate(query, heads), rotate(key, keyHeads), value];
}

/** What the operator adds to its scores. */
export function groupQueryMasks({ masks }: AttentionContext, node: GraphNode, type: number): ScoreMasks {
  const window = integerAttribute(node, 'local_window_size', -1);
  return { own: node.inputs[GROUP_QUERY_INPUT.bias], hiding: [masks.mask(type, window)], hasSink: hasSink(node) };
}

function hasSink(node: GraphNode): boolean {
  return Boolean(node.inputs[GROUP_QUERY_INPUT.sink]) || integerAttribute(node, 'smooth_softmax', 0) > 0;
}

/** With an attention sink, a learned score (or zero) takes part in the softmax and is dropped afterwards. */
function softmax({ builder, run, node, heads, type }: GroupQuery, scores: string): string {
  const learned = node.inputs[GROUP_QUERY_INPUT.sink];
  if (!hasSink(node)) return builder.node('Softmax', [scores], { axis: -1 });
  const perHead = learned ? builder.reshape(learned, builder.integers(1, heads, 1, 1)) : builder.scalar(0, type);
  const shape = builder.concat(0, run.batch, builder.integers(heads), run.tokens, builder.integers(1));
  const wide = builder.concat(3, scores, builder.node('Expand', [perHead, shape]));
  const weights = builder.node('Softmax', [wide], { axis: -1 });
  return builder.node('Slice', [weights, builder.integers(0), run.total, builder.integers(3)]);
}
