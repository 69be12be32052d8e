import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import type { GraphBuilder, RunLengths } from './graph-builder.ts';
import type { GraphAnalysis } from '../analysis/graph-analysis.ts';
import { floatAttribute, type GraphNode, integerAttribute, MICROSOFT } from '../codec/graph-node.ts';
import { refuse } from '../network.ts';
import { ADDED, PERTURBATION, TENSORS } from '../tensor-names.ts';
import {
  type AttentionContext,
  createCausalMasks,
  DECOMPOSERS,
  joinHeads,
  splitHeads,
  withPast,
} from './decompose/decompose-attention.ts';
import { constantDimensions, headSizeOfGroupQuery } from '../analysis/graph-traversal.ts';

/** Perturbed scores as a softmax reads them, `[batch, heads, tokens, total]`. */
interface PerturbedScores {
  readonly scores: string;
  readonly type: number;
}

/**
 * Puts the perturbation between the scores and the softmax of every attention. Fused operators are replaced by primitives
 * that compute the same, which is also the faster way on WASM.
 *
 * @returns what was perturbed, by layer
 */
export function rewriteAttention(
  builder: GraphBuilder,
  { sites, types }: GraphAnalysis,
  run: RunLengths,
  config: AttentionContext['config'],
): readonly PerturbedScores[] {
  const { model } = builder;
  const perturbed: PerturbedScores[] = [];
  const perturb = addPerturbation(builder, run, perturbed);
  const context = { builder, run, perturb, types, config, masks: createCausalMasks(builder, run) };
  const replaced = new Set<GraphNode>();
  for (const { kind, step, rank } of sites) {
    const { node } = step;
    if (kind === 'fused') {
      const isGroupQuery = node.operator === 'GroupQueryAttention';
      const decompose = isGroupQuery ? decomposeGroupQuery : DECOMPOSERS[`${node.domain}:${node.operator}`];
      if (decompose === undefined) refuse(`fused operator ${node.operator} (${node.name}) cannot be taken apart`);
      decompose(context, node);
      replaced.add(node);
      continue;
    }
    const [scores = ''] = node.inputs;
    const type = types.get(scores);
    if (type !== ElementType.float32 && type !== ElementType.float16)
      refuse(`the scores before ${node.name} have ONNX element type ${type ?? 'unknown'}`);
    node.inputs[0] = perturb(scores, type, rank);
  }
  // In place: the builder appends to this very array.
  model.nodes.splice(0, model.nodes.length, ...model.nodes.filter((node) => !replaced.has(node)));
  return perturbed;
}

/** Scores below this are masked: exporters mask with −10000, −65504, −3.4e38 or −Infinity, real scores stay far above. */
const MASKED_BELOW = -5000;

/**
 * Adds the inputs `bias` and `factor` (float32, `[1|batch, 1, 1|tokens, 1|total]`), `multiplicative` and `hides` (bool
 * scalars), and returns what puts them between scores and softmax:
 *
 * - additive:       `s + bias`
 * - multiplicative: `s + (max(s, m) − m) · (factor − 1)` with m the minimum of the row's unmasked scores. That is
 *   `(s − m) · factor` plus the row constant m, which the softmax cancels, leaves masked scores as they are and an
 *   untouched column exactly as it was. With `hides`, s + bias replaces s: rows that see only some columns.
 *
 * @param perturbed  receives the perturbed scores in order
 * @source AtMan, arXiv:2301.08110 (Eq. 4); contract facts §2.1
 */
function addPerturbation(
  builder: GraphBuilder,
  run: RunLengths,
  perturbed: PerturbedScores[],
): AttentionContext['perturb'] {
  const { float32, bool, int64 } = ElementType;
  const blockInput = (name: 'bias' | 'factor') =>
    builder.addInput(PERTURBATION[name], float32, [`${name}_batch`, 1, `${name}_tokens`, `${name}_total`]);
  const bias = blockInput('bias');
  const factor = blockInput('factor');
  const multiplicative = builder.addInput(PERTURBATION.multiplicative, bool, []);
  const hides = builder.addInput(PERTURBATION.hides, bool, []);
  const biasOf = perType((type) => builder.cast(bias, float32, type));
  const gainOf = perType((type) => {
    const gain = builder.node('Sub', [factor, builder.scalar(1, float32)]);
    return builder.cast(gain, float32, type);
  });
  const blockShape = perType(() => builder.concat(0, run.batch, builder.integers(-1), run.tokens, run.total));
  return (scores, type, rank) => {
    const block = rank === 4 ? scores : builder.reshape(scores, blockShape(int64));
    const [typedBias, gain] = [biasOf(type), gainOf(type)];
    const result = builder.choose(
      multiplicative,
      (body) =>
        body.choose(
          hides,
          (inner) => multiplied(inner, inner.node('Add', [block, typedBias]), gain, type),
          (inner) => multiplied(inner, block, gain, type),
        ),
      (body) => body.node('Add', [block, typedBias]),
    );
    perturbed.push({ scores: result, type });
    return rank === 4 ? result : builder.reshape(result, builder.node('Shape', [scores]));
  };
}

/** Tensors that all sites of one element type share. */
function perType(make: (type: number) => string): (type: number) => string {
  const made = new Map<number, string>();
  return (type) => {
    const tensor = made.get(type) ?? make(type);
    made.set(type, tensor);
    return tensor;
  };
}

function multiplied(body: GraphBuilder, scores: string, gain: string, type: number): string {
  const masked = body.node('Less', [scores, body.scalar(MASKED_BELOW, type)]);
  const highest = body.scalar(type === ElementType.float16 ? 6e4 : 1e30, type);
  const minimum = body.reduce('ReduceMin', body.node('Where', [masked, highest, scores]), -1);
  const above = body.node('Sub', [body.node('Max', [scores, minimum]), minimum]);
  return body.node('Add', [scores, body.node('Mul', [above, gain])]);
}

/**
 * Adds the outputs `attended` and `attended_last`, after the head was rewritten. The weights of each earlier layer are
 * reduced there, under a condition: stored to the end they would take heads × layers × tokens² numbers. Of the last layer
 * only the rows that predict are computed.
 *
 * @param sites  scores of each layer, in order
 * @returns      false, with nothing added, where the last layer's rows are not computed apart from the others
 */
export function addAttended(builder: GraphBuilder, sites: readonly PerturbedScores[]): boolean {
  const { model } = builder;
  const last = sites.at(-1);
  const scores = `${ADDED}tail/${last?.scores}`;
  if (!last || sites.length < 2 || !model.nodes.some(({ outputs }) => outputs.includes(scores))) return false;
  const condition = builder.addInput(TENSORS.needsAttention, ElementType.bool, []);
  const nothing = makeTensor(`${ADDED}nothing/attended`, ElementType.float32, [0, 0, 0, 0], []);
  model.initialisers.set(nothing.name, nothing);
  const layers = sites.slice(0, -1).map((site) =>
    builder.choose(
      condition,
      (body) => greatestOf(body, site),
      (body) => body.node('Identity', [nothing.name]),
    ),
  );
  builder.node('Concat', layers, { axis: 1 }, TENSORS.attended);
  builder.addOutput(TENSORS.attended, ElementType.float32, [
    'attended_batch',
    'attended_layers',
    'attended_tokens',
    null,
  ]);
  builder.node('Identity', [greatestOf(builder, { ...last, scores })], {}, TENSORS.attendedLast);
  builder.addOutput(TENSORS.attendedLast, ElementType.float32, ['logits_batch', 1, 'logits_rows', null]);
  return true;
}

/** Softmax of scores, the greatest of any head: `[batch, 1, tokens, total]`, float32. */
function greatestOf(builder: GraphBuilder, { scores, type }: PerturbedScores): string {
  const weights = builder.node('Softmax', [scores], { axis: -1 });
  return builder.cast(builder.reduce('ReduceMax', weights, 1), type, ElementType.float32);
}

/** Positions of GroupQueryAttention's inputs. @source onnxruntime ContribOperators.md, 1.30 */
const INPUT = { past: 3, pastValue: 4, cosine: 7, sine: 8, bias: 10, sink: 11, queryNorm: 14, keyNorm: 15 } as const;

/** One operator with its attributes and sizes. */
interface GroupQuery extends AttentionContext {
  readonly node: GraphNode;
  readonly heads: number;
  readonly keyHeads: number;
  readonly headSize: number;
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
function decomposeGroupQuery(context: AttentionContext, node: GraphNode): void {
  const group = groupQueryOf(context, node);
  const { query, key, value } = withPositions(group, withNorms(group, projections(group)));
  const { heads, keyHeads, headSize } = group;
  const extended = (tensor: string, input: 3 | 4) =>
    withPast(group, node.inputs[input], splitHeads(group, tensor, keyHeads, headSize), node.outputs[input - 2]);
  const keys = extended(key, INPUT.past);
  const values = extended(value, INPUT.pastValue);
  const scores = masked(group, capped(group, product(group, query, keys)));
  const weights = softmax(group, context.perturb(scores, group.type, 4));
  const { builder, run } = group;
  const grouped = builder.reshape(weights, builder.concat(0, run.batch, builder.integers(keyHeads, -1), run.total));
  const mixed = builder.node('MatMul', [grouped, values]); // [batch, keyHeads, group · tokens, size]
  const shape = builder.concat(0, run.batch, builder.integers(heads), run.tokens, builder.integers(headSize));
  joinHeads(group, builder.reshape(mixed, shape), node.outputs[0], heads * headSize);
}

function groupQueryOf(context: AttentionContext, node: GraphNode): GroupQuery {
  const { types, config } = context;
  const { model } = context.builder;
  const quantised = node.inputs[12] || node.inputs[13] || integerAttribute(node, 'kv_cache_bit_width', 0) > 0;
  if (quantised) refuse(`${node.operator} (${node.name}) keeps its past in quantised form`);
  const past = model.inputs.find((input) => input.name === node.inputs[INPUT.past]);
  const noted = past?.dimensions?.[3];
  const headSize = typeof noted === 'number' ? noted : (headSizeOfGroupQuery(node, model) ?? config.headSize);
  if (past === undefined || !node.outputs[1] || !node.outputs[2])
    return refuse(`${node.operator} (${node.name}) has no past and present among the graph's inputs and outputs`);
  return {
    ...context,
    node,
    heads: integerAttribute(node, 'num_heads', 0),
    keyHeads: integerAttribute(node, 'kv_num_heads', 0),
    headSize: headSize ?? refuse(`${node.operator} (${node.name}): the length of its heads is not known`),
    type: past.type === 0 ? (types.get(node.inputs[0] ?? '') ?? ElementType.float32) : past.type,
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

function masked({ builder, masks, node, type }: GroupQuery, scores: string): string {
  const window = integerAttribute(node, 'local_window_size', -1);
  const causal = builder.node('Add', [scores, masks.mask(type, window)]);
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
