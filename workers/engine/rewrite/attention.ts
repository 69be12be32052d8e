import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import type { GraphBuilder, RunLengths } from './graph-builder.ts';
import type { GraphAnalysis } from '../analysis/graph-analysis.ts';
import type { GraphNode } from '../codec/graph-node.ts';
import { refuse } from '../network.ts';
import { ADDED, PERTURBATION, TENSORS } from '../tensor-names.ts';
import {
  type AttentionContext,
  createCausalMasks,
  DECOMPOSERS,
  type PerturbedScores,
} from './decompose/decompose-attention.ts';
import { canStayFused, chooseGroupQuery, decomposeGroupQuery } from './decompose/group-query.ts';

/** Which operators compute a rewritten network: primitives, or one for what exporters and the rewrite write in several. */
export type NetworkForm = 'primitive' | 'fused';

/** What was rewritten of a network's attention. */
interface RewrittenAttention {
  /** What was perturbed, by layer. */
  readonly perturbed: readonly PerturbedScores[];
  /** Runs that change no scores but by adding to them can leave attention to its fused operators. */
  readonly keepsFused: boolean;
}

/**
 * Puts the perturbation between the scores and the softmax of every attention. Fused operators are replaced by primitives
 * that compute the same, which is also the faster way on WASM. In the fused form a run chooses between the two, in every
 * layer but the last, of which the rows that predict are computed apart.
 */
export function rewriteAttention(
  builder: GraphBuilder,
  { sites, types, kvCache }: GraphAnalysis,
  run: RunLengths,
  { form, ...config }: AttentionContext['config'] & { readonly form: NetworkForm },
): RewrittenAttention {
  const { model } = builder;
  const perturbed: PerturbedScores[] = [];
  const masks = createCausalMasks(builder, run);
  const { perturb, wholeBias } = addPerturbation(builder, run, masks);
  const perturbNoted: AttentionContext['perturb'] = (into, scores, type, rank) => {
    const result = perturb(into, scores, type, rank);
    perturbed.push({ scores: result, type });
    return result;
  };
  const context = { builder, run, perturb: perturbNoted, types, config, kvCache, masks };
  const replaced = new Set<GraphNode>();
  let keepsFused = false;
  for (const site of sites) {
    const { kind, rank } = site;
    const { node } = site.step;
    if (kind === 'fused') {
      replaced.add(node);
      if (form === 'fused' && site !== sites.at(-1) && canStayFused(node, model)) {
        if (!keepsFused) builder.addInput(TENSORS.fusedAttention, ElementType.bool, []);
        keepsFused = true;
        perturbed.push(chooseGroupQuery({ ...context, perturb }, node, wholeBias));
      } else decomposerOf(node)(context, node);
      continue;
    }
    const [scores = ''] = node.inputs;
    const type = types.get(scores);
    if (type !== ElementType.float32 && type !== ElementType.float16)
      refuse(`the scores before ${node.name} have ONNX element type ${type ?? 'unknown'}`);
    node.inputs[0] = perturbNoted(builder, scores, type, rank);
  }
  // In place: the builder appends to this very array.
  model.nodes.splice(0, model.nodes.length, ...model.nodes.filter((node) => !replaced.has(node)));
  return { perturbed, keepsFused };
}

function decomposerOf(node: GraphNode) {
  if (node.operator === 'GroupQueryAttention') return decomposeGroupQuery;
  const decompose = DECOMPOSERS[`${node.domain}:${node.operator}`];
  return decompose ?? refuse(`fused operator ${node.operator} (${node.name}) cannot be taken apart`);
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
 * @returns that, and the whole bias of a run for an operator that does not broadcast it, `[1|batch, 1, tokens, total]`, with the
 *   mask of a window, if it has one
 * @source AtMan, arXiv:2301.08110 (Eq. 4); contract facts §2.1
 */
function addPerturbation(
  builder: GraphBuilder,
  run: RunLengths,
  masks: AttentionContext['masks'],
): { readonly perturb: AttentionContext['perturb']; readonly wholeBias: (type: number, window: number) => string } {
  const { float32, bool } = ElementType;
  const blockInput = (name: 'bias' | 'factor') =>
    builder.addInput(PERTURBATION[name], float32, [`${name}_batch`, 1, `${name}_tokens`, `${name}_total`]);
  const bias = blockInput('bias');
  const factor = blockInput('factor');
  const multiplicative = builder.addInput(PERTURBATION.multiplicative, bool, []);
  const hides = builder.addInput(PERTURBATION.hides, bool, []);
  const biasOf = shared((type) => builder.cast(bias, float32, type));
  const gainOf = shared((type) => {
    const gain = builder.node('Sub', [factor, builder.scalar(1, float32)]);
    return builder.cast(gain, float32, type);
  });
  const blockShape = shared(() => builder.concat(0, run.batch, builder.integers(-1), run.tokens, run.total));
  const wholeShape = shared(() => builder.concat(0, builder.integers(1, 1), run.tokens, run.total));
  const wholeBias = shared((type, window) =>
    window > 0
      ? builder.node('Add', [biasOf(type), masks.mask(type, window)])
      : builder.node('Expand', [biasOf(type), wholeShape()]),
  );
  const perturb: AttentionContext['perturb'] = (into, scores, type, rank) => {
    const block = rank === 4 ? scores : into.reshape(scores, blockShape());
    const [typedBias, gain] = [biasOf(type), gainOf(type)];
    const result = into.choose(
      multiplicative,
      (body) =>
        body.choose(
          hides,
          (inner) => multiplied(inner, inner.node('Add', [block, typedBias]), gain, type),
          (inner) => multiplied(inner, block, gain, type),
        ),
      (body) => body.node('Add', [block, typedBias]),
    );
    return rank === 4 ? result : into.reshape(result, into.node('Shape', [scores]));
  };
  return { perturb, wholeBias };
}

/** Tensors that all sites of one element type, and one window, share. */
function shared<Key extends readonly number[]>(make: (...key: Key) => string): (...key: Key) => string {
  const made = new Map<string, string>();
  return (...key) => {
    const tensor = made.get(key.join()) ?? make(...key);
    made.set(key.join(), tensor);
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
