import { floatAttribute, type GraphNode, integerAttribute, MICROSOFT } from '../../codec/graph-node.ts';
import type { OnnxModel } from '../../codec/model-proto.ts';
import { ElementType, makeTensor } from '../../codec/tensor-proto.ts';
import { constantDimensions } from '../../analysis/graph-traversal.ts';
import type { KvCacheTensor } from '../../analysis/network-inputs.ts';
import { refuse } from '../../network.ts';
import { ADDED, TENSORS } from '../../tensor-names.ts';
import { sharedPast, sharedShape } from '../sharing.ts';
import { type AttentionContext, joinHeads, type PerturbedScores, splitHeads, withPast } from './decompose-attention.ts';

/** What the decomposition of GroupQueryAttention works with. */
interface GroupQueryContext extends AttentionContext {
  readonly kvCache: readonly KvCacheTensor[];
}

/** Positions of GroupQueryAttention's inputs. @source onnxruntime ContribOperators.md, 1.30 */
const INPUT = {
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
interface GroupQuery extends GroupQueryContext {
  readonly node: GraphNode;
  readonly heads: number;
  readonly keyHeads: number;
  readonly headSize: number;
  /** Of keys, of values. */
  readonly pasts: readonly KvCacheTensor[];
  readonly type: number;
}

/** Query, key and value, `[batch, tokens, heads · headSize]` each. */
type Projections = Readonly<Record<'query' | 'key' | 'value', string>>;

/**
 * Replaces `com.microsoft.GroupQueryAttention`: rotary positions, norms of queries and keys, past and present, soft cap,
 * causal mask and window, the operator's own bias, attention sinks.
 *
 * The ring buffer of `sliding_window_cache` becomes an ordinary past with a window in the mask, which gives the same
 * numbers and can be shared.
 */
export function decomposeGroupQuery(context: GroupQueryContext, node: GraphNode): void {
  decompose(groupQueryOf(context, node));
}

/** @returns the perturbed scores */
function decompose(group: GroupQuery): string {
  const { node, perturb } = group;
  const { query, key, value } = withPositions(group, withNorms(group, projections(group)));
  const { heads, keyHeads, headSize } = group;
  const extended = (tensor: string, input: 3 | 4) =>
    withPast(group, node.inputs[input], splitHeads(group, tensor, keyHeads, headSize), node.outputs[input - 2]);
  const keys = extended(key, INPUT.past);
  const values = extended(value, INPUT.pastValue);
  const scores = masked(group, capped(group, product(group, query, keys)));
  const { builder, run } = group;
  const perturbed = perturb(builder, scores, group.type, 4);
  const weights = softmax(group, perturbed);
  const grouped = builder.reshape(weights, builder.concat(0, run.batch, builder.integers(keyHeads, -1), run.total));
  const mixed = builder.node('MatMul', [grouped, values]); // [batch, keyHeads, group · tokens, size]
  const shape = builder.concat(0, run.batch, builder.integers(heads), run.tokens, builder.integers(headSize));
  joinHeads(group, builder.reshape(mixed, shape), node.outputs[0], heads * headSize);
  return perturbed;
}

function groupQueryOf(context: GroupQueryContext, node: GraphNode): GroupQuery {
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
    pasts: [keys, values],
    type: keys.type === 0 ? (types.get(node.inputs[0] ?? '') ?? ElementType.float32) : keys.type,
  };
}

/** Separate projections, or the three parts of a packed one. */
function projections({ builder, node, heads, keyHeads, headSize }: GroupQuery): Projections {
  const [query = '', key = '', value = ''] = node.inputs;
  if (key && value) return { query, key, value };
  const integers = (value: number): string => builder.integers(value);
  const part = (from: number, to: number): string =>
    builder.node('Slice', [query, integers(from * headSize), integers(to * headSize), integers(2)]);
  return {
    query: part(0, heads),
    key: part(heads, heads + keyHeads),
    value: part(heads + keyHeads, heads + 2 * keyHeads),
  };
}

function withNorms({ builder, node, heads, keyHeads, headSize }: GroupQuery, { query, key, value }: Projections) {
  const epsilon = { float: floatAttribute(node, 'qk_norm_epsilon', 1e-6) };
  const normed = (tensor: string, weight: string | undefined, count: number): string => {
    if (!weight) return tensor;
    const perHead = builder.reshape(tensor, builder.integers(0, 0, count, headSize));
    const attributes = { axis: -1, epsilon, stash_type: 1 };
    const result = builder.node('SimplifiedLayerNormalization', [perHead, weight], attributes);
    return builder.reshape(result, builder.integers(0, 0, count * headSize));
  };
  return {
    query: normed(query, node.inputs[INPUT.queryNorm], heads),
    key: normed(key, node.inputs[INPUT.keyNorm], keyHeads),
    value,
  };
}

/** Rotary positions, counted by the operator itself from the past's length: its input `position_ids` is ignored by it. */
function withPositions(group: GroupQuery, { query, key, value }: Projections): Projections {
  const { builder, masks, node, heads, keyHeads, headSize } = group;
  if (integerAttribute(node, 'do_rotary', 0) === 0) return { query, key, value };
  const [cosine = '', sine = ''] = [node.inputs[INPUT.cosine], node.inputs[INPUT.sine]];
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
  return { query: rotate(query, heads), key: rotate(key, keyHeads), value };
}

/**
 * Scaled scores `[batch, heads, tokens, total]`. The queries that share a key head are laid one below the other instead
 * of repeating the keys.
 */
function product(group: GroupQuery, query: string, keys: string): string {
  const { builder, run, heads, keyHeads, headSize, node, type } = group;
  const scale = floatAttribute(node, 'scale', 0) || 1 / Math.sqrt(headSize);
  const scaled = splitHeads(group, builder.node('Mul', [query, builder.scalar(scale, type)]), heads, headSize);
  const grouped = builder.reshape(scaled, builder.integers(0, keyHeads, -1, headSize));
  const turned = builder.node('Transpose', [keys], { perm: [0, 1, 3, 2] });
  const shape = builder.concat(0, run.batch, builder.integers(heads), run.tokens, run.total);
  return builder.reshape(builder.node('MatMul', [grouped, turned]), shape);
}

function capped({ builder, node, type }: GroupQuery, scores: string): string {
  const cap = floatAttribute(node, 'softcap', 0);
  if (cap === 0) return scores;
  const limit = builder.scalar(cap, type);
  return builder.node('Mul', [builder.node('Tanh', [builder.node('Div', [scores, limit])]), limit]);
}

function windowOf(node: GraphNode): number {
  return integerAttribute(node, 'local_window_size', -1);
}

function masked({ builder, masks, node, type }: GroupQuery, scores: string): string {
  const causal = builder.node('Add', [scores, masks.mask(type, windowOf(node))]);
  const bias = node.inputs[INPUT.bias];
  return bias ? builder.node('Add', [causal, bias]) : causal;
}

/** With an attention sink, a learned score (or zero) takes part in the softmax and is dropped afterwards. */
function softmax({ builder, run, node, heads, type }: GroupQuery, scores: string): string {
  const learned = node.inputs[INPUT.sink];
  const isSmooth = integerAttribute(node, 'smooth_softmax', 0) > 0;
  if (!learned && !isSmooth) return builder.node('Softmax', [scores], { axis: -1 });
  const perHead = learned ? builder.reshape(learned, builder.integers(1, heads, 1, 1)) : builder.scalar(0, type);
  const shape = builder.concat(0, run.batch, builder.integers(heads), run.tokens, builder.integers(1));
  const wide = builder.concat(3, scores, builder.node('Expand', [perHead, shape]));
  const weights = builder.node('Softmax', [wide], { axis: -1 });
  return builder.node('Slice', [weights, builder.integers(0), run.total, builder.integers(3)]);
}

/**
 * Whether ONNX Runtime's WebGPU kernel computes an operator with a bias on its scores, with the settings with which it was found
 * right. Windows become a part of the bias, norms of queries and keys operators of their own; caps and sinks are taken apart.
 */
export function canStayFused(node: GraphNode, { initialisers }: OnnxModel): boolean {
  const { operator, inputs } = node;
  const isSet = ['smooth_softmax', 'sliding_window_cache', 'kv_cache_bit_width'].some(
    (name) => integerAttribute(node, name, 0) !== 0,
  );
  const hasTables = integerAttribute(node, 'do_rotary', 0) === 0 || initialisers.has(inputs[INPUT.cosine] ?? '');
  return (
    operator === 'GroupQueryAttention' &&
    !isSet &&
    hasTables &&
    floatAttribute(node, 'softcap', 0) === 0 &&
    inputs.slice(INPUT.bias, INPUT.queryNorm).every((input) => input === '')
  );
}

/**
 * The operator itself with the bias of the run, or what replaces it, chosen by the input `fused_attention`. The operator reads the
 * KV cache as it is, which saves cutting and repeating it.
 *
 * @param wholeBias  for scores of an element type, `[1|batch, 1, tokens, total]`, with the mask of a window
 * @returns the perturbed scores; empty where the operator computes
 */
export function chooseGroupQuery(
  context: GroupQueryContext,
  node: GraphNode,
  wholeBias: (type: number, window: number) => string,
): PerturbedScores {
  const { builder, run } = context;
  const group = groupQueryOf(context, node);
  const { type, pasts } = group;
  const attributes = new Map(node.attributes);
  attributes.delete('local_window_size');
  const named = (kind: string) => node.outputs.slice(0, 3).map((output) => `${ADDED}${kind}/${output}`);
  const withPasts = (tensors: readonly string[]) =>
    Array.from(
      { length: Math.max(node.inputs.length, INPUT.positions) },
      (_, at) => tensors[at - INPUT.past] ?? node.inputs[at] ?? '',
    );
  const bias = wholeBias(type, windowOf(node));
  const nothing = makeTensor(`${ADDED}nothing/scores/${type}`, type, [0, 0, 0, 0], []);
  builder.model.initialisers.set(nothing.name, nothing);
  const scores = `${ADDED}scores/${node.outputs[0]}`;
  builder.chooseAll(
    TENSORS.fusedAttention,
    (body) => {
      const outputs = named('fused');
      const tensors = withPasts(pasts.map(({ input }) => input)).slice(0, INPUT.positions);
      const own = { ...group, builder: body };
      if (node.inputs.length > INPUT.queryNorm)
        tensors.splice(0, 3, ...Object.values(withNorms(own, projections(own))));
      body.add({ ...node, attributes, inputs: [...tensors, '', bias], outputs });
      return [...outputs, body.node('Identity', [nothing.name])];
    },
    (body) => {
      const outputs = named('decomposed');
      const shape = sharedShape(body, run);
      const inputs = withPasts(pasts.map((past) => sharedPast(body, past, run, shape)));
      return [...outputs, decompose({ ...group, builder: body, node: { ...node, inputs, outputs } })];
    },
    [...node.outputs.slice(0, 3), scores],
  );
  return { scores, type };
}
