import type { ElementTypes } from '../../analysis/graph-traversal.ts';
import { ElementType } from '../../codec/tensor-proto.ts';
import {
  floatAttribute,
  type GraphNode,
  integerAttribute,
  integersAttribute,
  MICROSOFT,
} from '../../codec/graph-node.ts';
import type { NetworkConfig } from '../../analysis/network-inputs.ts';
import type { GraphBuilder, RunLengths } from '../graph-builder.ts';
import { refuse } from '../../network.ts';

/** What the decomposition of a fused attention works with. */
export interface AttentionContext {
  readonly builder: GraphBuilder;
  readonly run: RunLengths;
  readonly types: ElementTypes;
  readonly config: NetworkConfig;
  /**
   * Returns scores with the perturbation applied, of the same shape and type; a rank of 4 is `[batch, heads, tokens, total]`.
   *
   * @param into  of the graph or of the body that has the scores
   */
  readonly perturb: (into: GraphBuilder, scores: string, type: number, rank: number | undefined) => string;
  /** Masks that all layers share. */
  readonly masks: CausalMasks;
}

/** Perturbed scores as a softmax reads them, `[batch, heads, tokens, total]`. */
export interface PerturbedScores {
  readonly scores: string;
  readonly type: number;
}

/** What an attention reads; each `[batch, heads, tokens, headSize]`, keys and values over the whole length. */
interface AttentionParts {
  readonly query: string;
  readonly keys: string;
  readonly values: string;
  /** Added to the scores, broadcastable to `[batch, heads, tokens, total]`. */
  readonly masks: readonly (string | false | undefined)[];
  readonly type: number;
}

/** softmax(scale · q kᵀ + masks, perturbed) v, in primitives: `[batch, heads, tokens, headSize]`. */
function attend({ builder, perturb }: AttentionContext, node: GraphNode, parts: AttentionParts): string {
  const { query, keys, values, type } = parts;
  const product = builder.node('MatMul', [query, builder.node('Transpose', [keys], { perm: [0, 1, 3, 2] })]);
  const scale = floatAttribute(node, 'scale', 0); // 0 stands for 1 / √headSize
  const scores = scale
    ? builder.node('Mul', [product, builder.scalar(scale, type)])
    : builder.node('Div', [product, rootOfHeadSize(builder, query, type)]);
  const masked = parts.masks.reduce<string>((all, mask) => (mask ? builder.node('Add', [all, mask]) : all), scores);
  return builder.node('MatMul', [builder.node('Softmax', [perturb(builder, masked, type, 4)], { axis: -1 }), values]);
}

function rootOfHeadSize(builder: GraphBuilder, query: string, type: number): string {
  const size = builder.node('Gather', [builder.node('Shape', [query]), builder.integers(3)]);
  return builder.node('Sqrt', [builder.cast(size, ElementType.int64, type)]);
}

/** `[batch, tokens, heads · size]` → `[batch, heads, tokens, size]`. */
export function splitHeads({ builder }: AttentionContext, tensor: string, heads: number, size = -1): string {
  const split = builder.reshape(tensor, builder.integers(0, 0, heads, size));
  return builder.node('Transpose', [split], { perm: [0, 2, 1, 3] });
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
function floatTypeOf({ types }: AttentionContext, { operator, name, inputs }: GraphNode): number {
  const type = types.get(inputs[0] ?? '');
  if (type === ElementType.float32 || type === ElementType.float16) return type;
  return refuse(`${operator} (${name}) has ONNX element type ${type ?? 'unknown'}`);
}

/** Ones become 0, zeros a very negative number; by arithmetic, which every backend computes. */
function hiddenWhereZero(builder: GraphBuilder, seen: string, type: number): string {
  const lowest = builder.scalar(type === ElementType.float16 ? 65504 : 1e30, type);
  return builder.node('Mul', [builder.node('Sub', [seen, builder.scalar(1, type)]), lowest]);
}

/** Masks of a run, one per element type and window, added to the graph on first use. */
type CausalMasks = ReturnType<typeof createCausalMasks>;

/** Makes masks and positions of a run, each once, at the first use. */
export function createCausalMasks(builder: GraphBuilder, run: RunLengths) {
  const made = new Map<string, string>();
  const once = (key: string, make: () => string): string => {
    const tensor = made.get(key) ?? make();
    made.set(key, tensor);
    return tensor;
  };
  const scalarOf = (tensor: string): string => builder.node('Squeeze', [tensor]);
  const range = (from: string, to: string): string => builder.node('Range', [from, to, builder.integer(1)]);
  const queries = (): string => once('queries', () => range(scalarOf(run.past), scalarOf(run.total)));
  const keys = (): string => once('keys', () => range(builder.integer(0), scalarOf(run.total)));
  const column = (): string => once('column', () => builder.reshape(queries(), builder.integers(-1, 1)));
  const row = (): string => once('row', () => builder.reshape(keys(), builder.integers(1, -1)));
  const unless = (hidden: string, type: number): string => {
    const lowest = builder.scalar(type === ElementType.float16 ? -65504 : -1e30, type);
    return builder.node('Where', [hidden, lowest, builder.scalar(0, type)]);
  };
  const shaped = (mask: string): string =>
    builder.reshape(mask, builder.concat(0, builder.integers(1, 1), run.tokens, run.total));
  return {
    /**
     * Additive mask `[1, 1, tokens, total]`: 0 where a query may look, very negative elsewhere.
     *
     * @param window  how many positions back a query sees, itself included; ≤ 0 for all
     */
    mask: (type: number, window: number): string =>
      once(`mask/${type}/${Math.max(0, window)}`, () => {
        const ahead = unless(builder.node('Greater', [row(), column()]), type);
        if (window <= 0) return shaped(ahead);
        const begin = builder.node('Sub', [column(), builder.integer(window - 1)]);
        // Two float masks instead of a bool And: that operator was seen to read stale lanes on WebGPU.
        return shaped(builder.node('Min', [ahead, unless(builder.node('Less', [row(), begin]), type)]));
      }),
    /** Additive mask `[batch, 1, 1, total]`: 0 where the input `attention_mask` is 1, very negative in padding. */
    padding: (type: number): string =>
      once(`padding/${type}`, () => {
        const hidden = hiddenWhereZero(builder, builder.node('Cast', ['attention_mask'], { to: type }), type);
        return builder.reshape(hidden, builder.concat(0, run.batch, builder.integers(1, 1), run.total));
      }),
    /** Positions of the run's tokens, int64 `[batch, tokens]`. */
    positions: (): string =>
      once('positions', () => {
        const shape = builder.concat(0, run.batch, builder.integers(1));
        return builder.node('Expand', [builder.reshape(queries(), builder.integers(1, -1)), shape]);
      }),
  };
}

/** Query, key and value, `[batch, tokens, heads · size]` each. */
type Projected = readonly [query: string, key: string, value: string];

/**
 * Replaces `com.microsoft.Attention`, whose projections are inside: one product with packed weights. Old
 * GPT-2 exports store keys and values of the past in one tensor, `[2, batch, heads, tokens, size]`.
 *
 * @source onnxruntime ContribOperators.md, 1.30
 */
function decomposePackedAttention(context: AttentionContext, node: GraphNode): void {
  const { builder } = context;
  const [input = '', weights = '', bias, padding, past, attentionBias] = node.inputs;
  const isPlain = !integersAttribute(node, 'qkv_hidden_sizes') && !integerAttribute(node, 'do_rotary', 0);
  if (!isPlain) refuse(`${node.operator} (${node.name}) with rotary positions or uneven sizes cannot be taken apart`);
  refuseOtherMasks(context, node, padding);
  const product = builder.node('MatMul', [input, weights]);
  const packed = bias ? builder.node('Add', [product, bias]) : product;
  const pasts = past ? [0, 1].map((half) => builder.node('Gather', [past, builder.integer(half)])) : [];
  const presents = past ? [`${node.outputs[1]}/keys`, `${node.outputs[1]}/values`] : [];
  attendProjected(context, node, thirds(context, packed, weights, 2), { padding, attentionBias, pasts, presents });
  if (!past || !node.outputs[1]) return;
  const stacked = presents.map((tensor) =>
    builder.reshape(tensor, builder.concat(0, builder.integers(1), builder.node('Shape', [tensor]))),
  );
  builder.node('Concat', stacked, { axis: 0 }, node.outputs[1]);
}

/** Replaces `com.microsoft.MultiHeadAttention` with separate queries, keys and values, with or without a past. */
function decomposeMultiHead(context: AttentionContext, node: GraphNode): void {
  const { builder } = context;
  const [query = '', key, value, bias, padding, attentionBias, ...pasts] = node.inputs;
  if (!key || !value)
    return refuse(`${node.operator} (${node.name}) with packed queries, keys and values cannot be taken apart`);
  refuseOtherMasks(context, node, padding);
  const biases = bias ? thirds(context, bias, bias, 0) : undefined;
  const biased = (tensor: string, index: 0 | 1 | 2) => (biases ? builder.node('Add', [tensor, biases[index]]) : tensor);
  const parts: Projected = [biased(query, 0), biased(key, 1), biased(value, 2)];
  attendProjected(context, node, parts, { padding, attentionBias, pasts, presents: node.outputs.slice(1) });
}

/** @param optional  names of optional inputs, undefined or empty where they are left out, and of the past with the new positions */
function attendProjected(
  context: AttentionContext,
  node: GraphNode,
  [query, key, value]: Projected,
  optional: Readonly<
    Record<'padding' | 'attentionBias', string | undefined> & Record<'pasts' | 'presents', readonly string[]>
  >,
): void {
  const { pasts, presents, padding, attentionBias } = optional;
  const heads = integerAttribute(node, 'num_heads', 0);
  const type = floatTypeOf(context, node);
  const extended = (tensor: string, index: 0 | 1): string =>
    withPast(context, pasts[index], splitHeads(context, tensor, heads), presents[index]);
  const isCausal = integerAttribute(node, 'unidirectional', 0) === 1;
  const mixed = attend(context, node, {
    query: splitHeads(context, query, heads),
    keys: extended(key, 0),
    values: extended(value, 1),
    masks: [attentionBias, isCausal && context.masks.mask(type, 0), padding && context.masks.padding(type)],
    type,
  });
  joinHeads(context, mixed, node.outputs[0]);
}

/** Three equal parts of a packed tensor's last axis. */
function thirds({ builder }: AttentionContext, packed: string, sized: string, axis: number): Projected {
  const width =
    builder.model.initialisers.get(sized)?.dimensions.at(-1) ?? refuse(`the width of "${sized}" is not known`);
  const part = (index: number): string => {
    const bounds = [index, index + 1].map((third) => builder.integers((third * width) / 3));
    return builder.node('Slice', [packed, ...bounds, builder.integers(axis)]);
  };
  return [part(0), part(1), part(2)];
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

/**
 * Replaces ONNX's own `Attention` (operator set 23 and later), with or without a past.
 *
 * @source onnx.ai/onnx/operators/onnx__Attention.html
 */
function decomposeOnnxAttention(context: AttentionContext, node: GraphNode): void {
  refuseVariants(node);
  const [query = '', key = '', value = '', mask, pastKey, pastValue] = node.inputs;
  const [output, presentKey, presentValue] = node.outputs;
  const type = floatTypeOf(context, node);
  // Three axes are [batch, tokens, heads · size], and then the attributes say how many heads.
  const queryHeads = integerAttribute(node, 'q_num_heads', 0);
  const keyHeads = integerAttribute(node, 'kv_num_heads', 0);
  const split = (tensor: string, heads: number): string => (heads ? splitHeads(context, tensor, heads) : tensor);
  const group = groupOf(context, node);
  const extended = (past: string | undefined, tensor: string, present: string | undefined): string => {
    const whole = withPast(context, past, split(tensor, keyHeads), present);
    return group === 1 ? whole : repeatHeads(context, whole, group);
  };
  const isCausal = integerAttribute(node, 'is_causal', 0) === 1;
  const mixed = attend(context, node, {
    query: split(query, queryHeads),
    keys: extended(pastKey, key, presentKey),
    values: extended(pastValue, value, presentValue),
    masks: [mask && additive(context, mask, type), isCausal && context.masks.mask(type, 0)],
    type,
  });
  if (queryHeads) joinHeads(context, mixed, output);
  else context.builder.node('Identity', [mixed], {}, output);
}

/** How many query heads share a head of keys and values: from the attributes, else from the noted shapes of four axes. */
function groupOf({ builder: { model } }: AttentionContext, node: GraphNode): number {
  const headsOf = (attribute: string, place: number) => {
    const noted = model.notes.get(node.inputs[place] ?? '')?.dimensions?.[1];
    return integerAttribute(node, attribute, 0) || (typeof noted === 'number' ? noted : 0);
  };
  const queryHeads = headsOf('q_num_heads', 0);
  const keyHeads = headsOf('kv_num_heads', 1);
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

/** A bool mask (true: look) as an additive one. */
function additive({ builder, types }: AttentionContext, mask: string, type: number): string {
  if (types.get(mask) !== ElementType.bool) return mask;
  return hiddenWhereZero(builder, builder.cast(mask, ElementType.bool, type), type);
}

/** What replaces a fused operator, by domain and operator. */
export const DECOMPOSERS: Readonly<Record<string, (context: AttentionContext, node: GraphNode) => void>> = {
  [`${MICROSOFT}:MultiHeadAttention`]: decomposeMultiHead,
  [`${MICROSOFT}:Attention`]: decomposePackedAttention,
  ':Attention': decomposeOnnxAttention,
};
