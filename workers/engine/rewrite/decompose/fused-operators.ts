import { floatAttribute, type GraphNode, integerAttribute, makeNode, MICROSOFT } from '../../codec/graph-node.ts';
import type { OnnxModel } from '../../codec/model-proto.ts';
import { makeTensor } from '../../codec/tensor-proto.ts';
import { ADDED, TENSORS } from '../../tensor-names.ts';
import type { PerturbedScores, ScoreMasks } from '../perturbation.ts';
import type { GraphBuilder } from '../graph-builder.ts';
import { sharedPast, sharedShape } from '../sharing.ts';
import {
  type AttentionContext,
  floatTypeOf,
  joinHeads,
  multiHeadMasks,
  onnxHeads,
  onnxKeysAndValues,
  onnxMasks,
  splitHeads,
} from './decompose-attention.ts';
import { GROUP_QUERY_INPUT, groupQueryMasks, groupQueryOf, normedProjections } from './group-query.ts';

/**
 * How an attention is computed by one operator of a GPU, in the settings in which ONNX Runtime's kernel was found right. What the
 * kernel lacks becomes a part of the bias: windows, causal masks, padding.
 */
interface FusedOperator {
  /** Position of the keys of the past among the inputs; those of the values follow. */
  readonly past: number;
  /** Position of the bias. */
  readonly bias: number;
  /** Input, and attribute, that the bias stands for. */
  readonly replaced: readonly [input: number, attribute: string];
  /** The kernel takes the past of several sequences in front of several tokens. */
  readonly takesBatches?: boolean;
  readonly canStay?: (node: GraphNode, model: OnnxModel) => boolean;
  readonly masks: (context: AttentionContext, node: GraphNode) => ScoreMasks;
  /** The operator without its bias, from one with names of a body, which is the builder's. */
  readonly changed?: (context: AttentionContext, node: GraphNode) => GraphNode;
}

/** Norms of queries and keys become operators of their own. Soft caps are taken apart: the kernel ignores them. */
const GROUP_QUERY: FusedOperator = {
  past: GROUP_QUERY_INPUT.past,
  bias: GROUP_QUERY_INPUT.bias,
  replaced: [GROUP_QUERY_INPUT.positions, 'local_window_size'],
  canStay: (node, { initialisers }) => {
    const isSet = ['sliding_window_cache', 'kv_cache_bit_width'].some((name) => integerAttribute(node, name, 0) !== 0);
    const cosine = node.inputs[GROUP_QUERY_INPUT.cosine] ?? '';
    const hasTables = integerAttribute(node, 'do_rotary', 0) === 0 || initialisers.has(cosine);
    return !isSet && hasTables && floatAttribute(node, 'softcap', 0) === 0 && !node.inputs[GROUP_QUERY_INPUT.bias];
  },
  masks: (context, node) => groupQueryMasks(context, node, floatTypeOf(context, node)),
  changed: (context, node) => {
    const { queryNorm } = GROUP_QUERY_INPUT;
    if (node.inputs.length <= queryNorm) return node;
    return { ...node, inputs: [...normedProjections(groupQueryOf(context, node)), ...node.inputs.slice(3, queryNorm)] };
  },
};

const MULTI_HEAD: FusedOperator = {
  past: 6,
  bias: 5,
  replaced: [4, 'unidirectional'],
  takesBatches: true,
  masks: multiHeadMasks,
};

/** The kernel has no past. */
const PACKED: FusedOperator = {
  ...MULTI_HEAD,
  replaced: [3, 'unidirectional'],
  canStay: ({ inputs }) => !inputs[4],
};

/**
 * ONNX's own operator has no kernel on a GPU: MultiHeadAttention computes the same, from queries `[batch, tokens, width]`, and keys and
 * values by heads.
 *
 * @source ONNX Runtime, core/providers/webgpu/llm/attention.cc: "not yet implemented for WebGPU EP"
 */
const ONNX: FusedOperator = {
  ...MULTI_HEAD,
  past: 4,
  canStay: (node, model) => onnxHeads(model, node, 0) > 0,
  masks: onnxMasks,
  changed: (context, node) => {
    const heads = onnxHeads(context.builder.model, node, 0);
    const isByHeads = integerAttribute(node, 'q_num_heads', 0) === 0;
    const [query = ''] = node.inputs;
    const [output = ''] = node.outputs;
    const { keys, values } = onnxKeysAndValues(context, node);
    const inputs = [isByHeads ? joinHeads(context, query) : query, keys, values];
    const mixed = isByHeads ? `${output}/joined` : output;
    if (isByHeads) splitHeads(context, mixed, heads, -1, output);
    const attributes = { num_heads: heads, scale: { float: floatAttribute(node, 'scale', 0) } };
    return makeNode('MultiHeadAttention', inputs, [mixed], attributes, MICROSOFT);
  },
};

const OPERATORS: Readonly<Record<string, FusedOperator>> = {
  [`${MICROSOFT}:GroupQueryAttention`]: GROUP_QUERY,
  [`${MICROSOFT}:MultiHeadAttention`]: MULTI_HEAD,
  [`${MICROSOFT}:Attention`]: PACKED,
  ':Attention': ONNX,
};

function addOperator(
  { bias, replaced: [empty, attribute] }: FusedOperator,
  builder: GraphBuilder,
  node: GraphNode,
  sum: string,
) {
  const attributes = new Map(node.attributes);
  attributes.delete(attribute);
  const length = Math.max(node.inputs.findLastIndex(Boolean), bias) + 1;
  const inputs = Array.from({ length }, (_, at) => (at === bias ? sum : at === empty ? '' : (node.inputs[at] ?? '')));
  builder.add({ ...node, attributes, inputs });
}

/** Whether an operator of a GPU computes an attention with a bias on its scores. */
export function canStayFused(node: GraphNode, model: OnnxModel): boolean {
  const operator = OPERATORS[`${node.domain}:${node.operator}`];
  return operator !== undefined && operator.canStay?.(node, model) !== false;
}

/** Whether the operator of a GPU takes the past of several sequences in front of several tokens. */
export function takesBatches(node: GraphNode): boolean {
  return OPERATORS[`${node.domain}:${node.operator}`]?.takesBatches === true;
}

/**
 * The setting of the last layer: where it is taken apart, only the rows that predict are computed, or all for hidden states. One operator
 * computes all of them, in fewer kernels.
 */
export function ofLastRows(context: AttentionContext): AttentionContext {
  const { builder, run } = context;
  const tokens = builder.node('Where', [TENSORS.needsStates, run.tokens, TENSORS.rows]);
  return { ...context, run: { ...run, tokens }, first: builder.node('Neg', [tokens]) };
}

/**
 * One operator with the bias of the run, or what `decompose` replaces it by, chosen by the input `fused_attention`. The operator reads
 * the KV cache as it is, which saves cutting and repeating it, unless the input `whole_past` is false.
 *
 * @returns the perturbed scores; empty where the operator computes
 */
export function chooseFused(
  context: AttentionContext,
  node: GraphNode,
  decompose: (context: AttentionContext, node: GraphNode) => PerturbedScores,
): PerturbedScores {
  const { builder, run, kvCache } = context;
  const operator = OPERATORS[`${node.domain}:${node.operator}`] ?? GROUP_QUERY;
  const type = floatTypeOf(context, node);
  const bias = context.wholeBias(type, operator.masks(context, node));
  const hasPast = context.masks.hasPast();
  const results = node.outputs.slice(0, 3).filter(Boolean);
  const pasts = results.flatMap((output) => kvCache.find((each) => each.output === output) ?? []);
  const nothing = makeTensor(`${ADDED}nothing/scores/${type}`, type, [0, 0, 0, 0], []);
  builder.model.initialisers.set(nothing.name, nothing);
  const scores = `${ADDED}scores/${node.outputs[0]}`;
  /** The node and its setting in a body, which has names of its own. */
  const inside = (body: GraphBuilder, kind: string, tensors: readonly string[]) => {
    const named = (output: string) => output && `${ADDED}${kind}/${output}`;
    const inputs = node.inputs.map((input, at) => tensors[at - operator.past] ?? input);
    const own = { ...node, inputs, outputs: node.outputs.map(named) };
    const cache = pasts.map((past) => ({ ...past, output: named(past.output) }));
    return { own, setting: { ...context, builder: body, kvCache: cache }, results: results.map(named) };
  };
  const cut = (body: GraphBuilder) => pasts.map((past) => sharedPast(body, past, run, sharedShape(body, run)));
  const fusedOver = (body: GraphBuilder, kind: string, tensors: readonly string[]) => {
    const { own, setting, results } = inside(body, kind, tensors);
    addOperator(operator, body, operator.changed?.(setting, own) ?? own, bias);
    return results;
  };
  const whole = pasts.map(({ input }) => input);
  const fusedIn = (body: GraphBuilder) => {
    if (!operator.takesBatches || pasts.length === 0) return fusedOver(body, 'fused', whole);
    const names = results.map((output) => `${ADDED}fused/${output}`);
    const shared = (inner: GraphBuilder) => fusedOver(inner, 'shared', cut(inner));
    body.chooseAll(TENSORS.wholePast, (inner) => fusedOver(inner, 'whole', whole), shared, names);
    return names;
  };
  builder.chooseAll(
    TENSORS.fusedAttention,
    (body) => [...fusedIn(body), body.node('Identity', [nothing.name])],
    (body) => {
      const { own, setting, results } = inside(body, 'decomposed', cut(body));
      return [...results, decompose({ ...setting, hasPast }, own).scores];
    },
    [...results, scores],
  );
  return { scores, type };
}

/** Operators of the sets from 22 on. @source onnx.ai/onnx/operators */
const LATER = new Set(['Attention', 'RMSNormalization', 'RotaryEmbedding', 'Swish', 'TensorScatter']);

/**
 * Takes operator set 21 for a later one of which only the replaced attention was needed: the others were given element types since.
 * ONNX Runtime's kernels of `If` for a GPU end with set 22, and a choice on the processor copies what it chooses.
 */
export function lowerOperatorSet({ operatorSets, nodes }: OnnxModel): void {
  const isNeeded = nodes.some(({ operator, domain }) => domain === '' && LATER.has(operator));
  if ((operatorSets.get('') ?? 0) > 21 && !isNeeded) operatorSets.set('', 21);
}
