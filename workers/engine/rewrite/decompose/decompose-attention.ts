import { constantNumbers, type ElementTypes } from '../../analysis/graph-traversal.ts';
import { ElementType } from '../../codec/tensor-proto.ts';
import {
  floatAttribute,
  type GraphNode,
  integerAttribute,
  integersAttribute,
  MICROSOFT,
} from '../../codec/graph-node.ts';
import type { KvCacheTensor } from '../../analysis/network-inputs.ts';
import type { OnnxModel } from '../../codec/model-proto.ts';
import { type GraphBuilder, rowsFrom, type RunLengths } from '../graph-builder.ts';
import { refuse } from '../../network.ts';
import type { addPerturbation, PerturbedScores, ScoreMasks } from '../perturbation.ts';
import type { createCausalMasks } from './masks.ts';

/** Masks of a run, one per element type and window, added to the graph on first use. */
type CausalMasks = ReturnType<typeof createCausalMasks>;

/** What changes scores. */
type ScoreChanges = ReturnType<typeof addPerturbation>;

/** What the decomposition of a fused attention works with. */
export interface AttentionContext extends Pick<ScoreChanges, 'perturbMasked' | 'wholeBias'> {
  readonly builder: GraphBuilder;
  readonly run: RunLengths;
  /** Where the queries begin that count, as `rowsFrom` takes it: `run` has as many tokens. Left out: all of them count. */
  readonly first?: string;
  /** Bool `[1]`: the run begins after a past. Left out: nothing depends on it. */
  readonly hasPast?: string;
  readonly types: ElementTypes;
  readonly kvCache: readonly KvCacheTensor[];
  /** The network is for a GPU. */
  readonly isFused: boolean;
  /** Masks that all layers share. */
  readonly masks: CausalMasks;
}

/** What an attention reads; each `[batch, heads, tokens, headSize]`, keys and values over the whole length. */
interface AttentionParts {
  readonly query: string;
  readonly keys: string;
  readonly values: string;
  readonly masks: ScoreMasks;
  readonly type: number;
  /** Known where the operator or the file says it. */
  readonly headSize?: number;
  /** Left out: keys have as many heads as queries. */
  readonly group?: Readonly<Record<'heads' | 'keyHeads', number>>;
  /** Between scores and their softmax, and the softmax. */
  readonly cap?: number;
  readonly weightsOf?: (scores: string) => string;
}

/**
 * softmax(scale · q kᵀ + masks, perturbed) v, in primitives: `[batch, heads, tokens, headSize]`. Queries that share a key head are laid
 * one below the other instead of repeating the keys.
 */
export function attend(
  { builder, run, first, isFused, perturbMasked }: AttentionContext,
  node: GraphNode,
  parts: AttentionParts,
) {
  const { keys, values, masks, type, headSize, group, cap = 0 } = parts;
  const query = rowsFrom(builder, parts.query, first);
  const scale = floatAttribute(node, 'scale', 0) || (headSize && 1 / Math.sqrt(headSize));
  // Queries are fewer numbers than scores; on a GPU the fewest operators count, and the factor can scale scores.
  const isScaledLast = isFused && scale !== undefined && cap === 0 && !masks.own && !masks.hasSink;
  const scaled = isScaledLast ? query : scaledQuery(builder, query, type, scale);
  const below = group ? builder.reshape(scaled, builder.integers(0, group.keyHeads, -1, 0)) : scaled;
  const product = builder.node('MatMul', [below, builder.node('Transpose', [keys], { perm: [0, 1, 3, 2] })]);
  const shapeOf = (heads: number, tokens: string, last: string) =>
    builder.concat(0, run.batch, builder.integers(heads), tokens, last);
  const raw = group ? builder.reshape(product, shapeOf(group.heads, run.tokens, run.total)) : product;
  const capped = cap === 0 ? raw : softened(builder, raw, builder.scalar(cap, type));
  const scores = perturbMasked(builder, capped, type, masks, { scale: isScaledLast ? scale : 1, first });
  const weights = parts.weightsOf?.(scores) ?? builder.node('Softmax', [scores], { axis: -1 });
  const rest = builder.integers(-1);
  const grouped = group ? builder.reshape(weights, shapeOf(group.keyHeads, rest, run.total)) : weights;
  const mixed = builder.node('MatMul', [grouped, values]);
  return { scores, type, mixed: group ? builder.reshape(mixed, shapeOf(group.heads, run.tokens, rest)) : mixed };
}

function softened(builder: GraphBuilder, scores: string, cap: string): string {
  return builder.node('Mul', [builder.node('Tanh', [builder.node('Div', [scores, cap])]), cap]);
}

/** @param scale  0 or undefined stands for 1 / √headSize */
function scaledQuery(builder: GraphBuilder, query: string, type: number, scale: number | undefined): string {
  return scale
    ? builder.node('Mul', [query, builder.scalar(scale, type)])
    : builder.node('Div', [query, rootOfHeadSize(builder, query, type)]);
}

function rootOfHeadSize(builder: GraphBuilder, query: string, type: number): string {
  const size = builder.node('Gather', [builder.node('Shape', [query]), builder.integers(3)]);
  return builder.node('Sqrt', [builder.cast(size, ElementType.int64, type)]);
}

/** `[batch, tokens, heads · size]` → `[batch, heads, tokens, size]`. */
export function splitHeads(
  { builder }: Pick<AttentionContext, 'builder'>,
  tensor: string,
  heads: number,
  size = -1,
  output?: string,
): string {
  const split = builder.reshape(tensor, builder.integers(0, 0, heads, size));
  return builder.node('Transpose', [split], { perm: [0, 2, 1, 3] }, output);
}

/** `[batch, heads, tokens, size]` → `[batch, tokens, heads · size]`. */
export function joinHeads({ builder }: AttentionContext, tensor: string, output?: string, width = -1): string {
  const turned = builder.node('Transpose', [tensor], { perm: [0, 2, 1, 3] });
  return builder.reshape(turned, builder.integers(0, 0, width), output);
}

/** Keys or values of past and new positions, `[batch, heads, total, size]`; those of the new ones where there is no past. */
export function withPast({ builder }: AttentionContext, past: string | undefined, tensor: string, output?: string) {
  return past ? builder.node('Concat', [past, tensor], { axis: 2 }, output) : tensor;
}

/** Element type of a node's first input. @throws {FailureError} MODEL_UNAVAILABLE for one that is not float32 or float16 */
export function floatTypeOf({ types }: AttentionContext, { operator, name, inputs }: GraphNode): number {
  const type = types.get(inputs[0] ?? '');
  if (type === ElementType.float32 || type === ElementType.float16) return type;
  return refuse(`${operator} (${name}) has ONNX element type ${type ?? 'unknown'}`);
}

/** Query, key and value, `[batch, tokens, heads · size]` each. */
type Projected = readonly [query: string, key: string, value: string];

/**
 * Replaces `com.microsoft.Attention`, whose projections are inside: one product with packed weights. Old
 * GPT-2 exports store keys and values of the past in one tensor, `[2, batch, heads, tokens, size]`.
 *
 * @source onnxruntime ContribOperators.md, 1.30
 */
function decomposePackedAttention(context: AttentionContext, node: GraphNode): PerturbedScores {
  const { builder } = context;
  const [input = '', weights = '', bias, , past] = node.inputs;
  const isPlain = !integersAttribute(node, 'qkv_hidden_sizes') && !integerAttribute(node, 'do_rotary', 0);
  if (!isPlain) refuse(`${node.operator} (${node.name}) with rotary positions or uneven sizes cannot be taken apart`);
  const product = builder.node('MatMul', [input, weights]);
  const packed = bias ? builder.node('Add', [product, bias]) : product;
  const pasts = past ? [0, 1].map((half) => builder.node('Gather', [past, builder.integer(half)])) : [];
  const presents = past ? [`${node.outputs[1]}/keys`, `${node.outputs[1]}/values`] : [];
  const perturbed = attendProjected(context, node, thirds(context, packed, weights, 2), { pasts, presents });
  if (!past || !node.outputs[1]) return perturbed;
  const stacked = presents.map((tensor) =>
    builder.reshape(tensor, builder.concat(0, builder.integers(1), builder.node('Shape', [tensor]))),
  );
  builder.node('Concat', stacked, { axis: 0 }, node.outputs[1]);
  return perturbed;
}

/** Replaces `com.microsoft.MultiHeadAttention` with separate queries, keys and values, with or without a past. */
function decomposeMultiHead(context: AttentionContext, node: GraphNode): PerturbedScores {
  const { builder } = context;
  const [query = '', key, value, bias, , , ...pasts] = node.inputs;
  if (!key || !value)
    return refuse(`${node.operator} (${node.name}) with packed queries, keys and values cannot be taken apart`);
  const biases = bias ? thirds(context, bias, bias, 0) : undefined;
  const biased = (tensor: string, index: 0 | 1 | 2) => (biases ? builder.node('Add', [tensor, biases[index]]) : tensor);
  const parts: Projected = [biased(query, 0), biased(key, 1), biased(value, 2)];
  return attendProjected(context, node, parts, { pasts, presents: node.outputs.slice(1) });
}

/** @param optional  names of the past, and of the past with the new positions; undefined or empty where they are left out */
function attendProjected(
  context: AttentionContext,
  node: GraphNode,
  [query, key, value]: Projected,
  { pasts, presents }: Readonly<Record<'pasts' | 'presents', readonly string[]>>,
): PerturbedScores {
  const heads = integerAttribute(node, 'num_heads', 0);
  const type = floatTypeOf(context, node);
  const extended = (tensor: string, index: 0 | 1): string =>
    withPast(context, pasts[index], splitHeads(context, tensor, heads), presents[index]);
  const { mixed, scores } = attend(context, node, {
    query: splitHeads(context, query, heads),
    keys: extended(key, 0),
    values: extended(value, 1),
    masks: multiHeadMasks(context, node),
    type,
  });
  joinHeads(context, mixed, node.outputs[0]);
  return { scores, type };
}

/** What MultiHeadAttention, or `com.microsoft.Attention`, adds to its scores. */
export function multiHeadMasks(context: AttentionContext, node: GraphNode): ScoreMasks {
  const isPacked = node.operator === 'Attention';
  const [padding, own] = isPacked ? [node.inputs[3], node.inputs[5]] : [node.inputs[4], node.inputs[5]];
  refuseOtherMasks(context, node, padding);
  const type = floatTypeOf(context, node);
  const isCausal = integerAttribute(node, 'unidirectional', 0) === 1;
  const hides = own !== undefined && onlyHides(context, own);
  const hiding = [isCausal && context.masks.mask(type, 0), padding && context.masks.padding(type), hides && own];
  return { own: hides ? undefined : own, hiding };
}

/** Whether a mask is 0 or very negative. */
function onlyHides({ builder: { model } }: AttentionContext, mask: string): boolean {
  const choice = model.nodes.find(({ outputs }) => outputs.includes(mask));
  if (choice?.operator !== 'Where') return false;
  const [lowest = 0, zero, ...others] = choice.inputs
    .slice(1)
    .flatMap((input) => constantNumbers(model, input) ?? [])
    .toSorted((one, other) => one - other);
  return lowest <= -1e9 && zero === 0 && others.length === 0;
}

/** Three equal parts of a packed tensor's last axis. */
function thirds({ builder }: AttentionContext, packed: string, sized: string, axis: number): Projected {
  const width =
    builder.model.initialisers.get(sized)?.dimensions.at(-1) ?? refuse(`the width of "${sized}" is not known`);
  const [query = '', key = '', value = ''] = builder.parts(packed, new Array<number>(3).fill(width / 3), axis);
  return [query, key, value];
}

/** The operator takes the mask itself or the length of each sequence; only what comes from `attention_mask` can be replaced. */
function refuseOtherMasks({ builder: { model } }: AttentionContext, node: GraphNode, mask: string | undefined): void {
  let tensor = mask;
  for (let depth = 0; tensor && depth < 8; depth++) {
    if (tensor === 'attention_mask') return;
    const current = tensor;
    const maker = model.nodes.find(({ outputs }) => outputs.includes(current));
    const passes = ['Cast', 'ReduceSum', 'Sub', 'Identity', 'EmbedLayerNormalization'].includes(maker?.operator ?? '');
    tensor = passes ? maker?.inputs[maker.operator === 'EmbedLayerNormalization' ? 7 : 0] : undefined;
  }
  if (mask) refuse(`${node.operator} (${node.name}) has a mask that does not come from "attention_mask"`);
}

/** ONNX's own operator, with or without a past. @source onnx.ai/onnx/operators/onnx__Attention.html */
function decomposeOnnxAttention(context: AttentionContext, node: GraphNode): PerturbedScores {
  refuseVariants(node);
  const [query = ''] = node.inputs;
  // Three axes are [batch, tokens, heads · size], and then the attributes say how many heads.
  const queryHeads = integerAttribute(node, 'q_num_heads', 0);
  const type = floatTypeOf(context, node);
  const { mixed, scores } = attend(context, node, {
    query: queryHeads ? splitHeads(context, query, queryHeads) : query,
    ...onnxKeysAndValues(context, node),
    masks: onnxMasks(context, node),
    type,
  });
  if (queryHeads) joinHeads(context, mixed, node.outputs[0]);
  else context.builder.node('Identity', [mixed], {}, node.outputs[0]);
  return { scores, type };
}

/** Keys and values of ONNX's `Attention` with those of the past, a head for each of the queries, `[batch, heads, total, size]`. */
export function onnxKeysAndValues(
  context: AttentionContext,
  node: GraphNode,
): Readonly<Record<'keys' | 'values', string>> {
  const [, key = '', value = '', , pastKey, pastValue] = node.inputs;
  const [, presentKey, presentValue] = node.outputs;
  const keyHeads = integerAttribute(node, 'kv_num_heads', 0);
  const group = groupOf(context, node);
  const extended = (past: string | undefined, tensor: string, present: string | undefined): string => {
    const split = keyHeads ? splitHeads(context, tensor, keyHeads) : tensor;
    const whole = withPast(context, past, split, present);
    return group === 1 ? whole : repeatHeads(context, whole, group);
  };
  return { keys: extended(pastKey, key, presentKey), values: extended(pastValue, value, presentValue) };
}

/** What ONNX's `Attention` adds to its scores; a bool mask (true: look) hides. */
export function onnxMasks(context: AttentionContext, node: GraphNode): ScoreMasks {
  const { types, masks } = context;
  const type = floatTypeOf(context, node);
  const mask = node.inputs[3];
  const isBool = mask && types.get(mask) === ElementType.bool;
  const seen = isBool && masks.ofBool(mask, type);
  const isCausal = integerAttribute(node, 'is_causal', 0) === 1;
  return { own: isBool ? undefined : mask, hiding: [isCausal && masks.mask(type, 0), seen] };
}

/** Heads of the queries (place 0) or keys (1) of ONNX's `Attention`: from its attributes, else from noted shapes of four axes; 0: unknown. */
export function onnxHeads({ notes }: OnnxModel, node: GraphNode, place: 0 | 1): number {
  const noted = notes.get(node.inputs[place] ?? '')?.dimensions?.[1];
  const named = integerAttribute(node, place === 0 ? 'q_num_heads' : 'kv_num_heads', 0);
  return named || (typeof noted === 'number' ? noted : 0);
}

/** How many query heads share a head of keys and values. */
function groupOf({ builder: { model } }: AttentionContext, node: GraphNode): number {
  const [queryHeads, keyHeads] = [onnxHeads(model, node, 0), onnxHeads(model, node, 1)];
  if (queryHeads === 0 || keyHeads === 0) return 1;
  if (queryHeads % keyHeads === 0) return queryHeads / keyHeads;
  return refuse(`ONNX ${node.operator} (${node.name}) has ${queryHeads} query heads for ${keyHeads} key heads`);
}

/** Each head `times` in a row: `[batch, heads, tokens, size]` → `[batch, heads · times, tokens, size]`. */
function repeatHeads({ builder }: AttentionContext, tensor: string, times: number): string {
  const flat = builder.reshape(tensor, builder.integers(0, 0, 1, -1));
  const wide = builder.node('Concat', new Array<string>(times).fill(flat), { axis: 2 });
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
    // Operator sets 23 and 24 count the triangle from different ends.
    (node.inputs[4] && integerAttribute(node, 'is_causal', 0) === 1 && 'a causal mask of its own behind a past');
  if (reason) refuse(`ONNX ${node.operator} (${node.name}) with ${reason} cannot be taken apart`);
}

/** What replaces a fused operator, by domain and operator. */
export const DECOMPOSERS: Readonly<Record<string, (context: AttentionContext, node: GraphNode) => PerturbedScores>> = {
  [`${MICROSOFT}:MultiHeadAttention`]: decomposeMultiHead,
  [`${MICROSOFT}:Attention`]: decomposePackedAttention,
  ':Attention': decomposeOnnxAttention,
};
