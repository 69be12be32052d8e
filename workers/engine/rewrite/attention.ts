import { ElementType } from '../codec/tensor-proto.ts';
import { type GraphBuilder, rowsFrom, type RunLengths } from './graph-builder.ts';
import type { GraphAnalysis } from '../analysis/graph-analysis.ts';
import type { GraphNode } from '../codec/graph-node.ts';
import { refuse } from '../network.ts';
import { ADDED, TENSORS } from '../tensor-names.ts';
import { DECOMPOSERS } from './decompose/decompose-attention.ts';
import { decomposeGroupQuery } from './decompose/group-query.ts';
import { createCausalMasks } from './decompose/masks.ts';
import type { FusedForm } from './fused-form.ts';
import { hasTail } from './logits-head.ts';
import { addPerturbation, attended, attendedOf, greatestOf, noWeights, type PerturbedScores } from './perturbation.ts';

interface RewrittenAttention {
  /** What was perturbed, by layer. */
  readonly perturbed: readonly PerturbedScores[];
  /** What changes scores, `[1|batch, 1|heads, 1|tokens, 1|total]` each. */
  readonly blocks: ReadonlySet<string>;
  /** What the last attention returns, where it may be of the last rows alone. */
  readonly mixed: string | undefined;
  /** Runs that change no scores but by adding to them can leave attention to its fused operators. */
  readonly keepsFused: boolean;
  /** Those runs may begin after a KV cache that is cut, or repeated for a batch. */
  readonly fusesBatches: boolean;
}

/**
 * Puts the perturbation between the scores and the softmax of every attention. Fused operators are replaced by primitives
 * that compute the same, which is also the faster way on WASM. In the fused form a run chooses between the two; in the last
 * layer of a network with a KV cache, the primitives compute only the rows that predict.
 */
export function rewriteAttention(
  builder: GraphBuilder,
  analysis: GraphAnalysis,
  run: RunLengths,
  fused: FusedForm | undefined,
): RewrittenAttention {
  const { model } = builder;
  const { sites, types, kvCache } = analysis;
  const needsAttention = !fused && sites.length > 1 && hasTail(analysis) ? attentionInput(builder) : undefined;
  const { perturb, blocks, ...perturbation } = addPerturbation(builder, run, needsAttention);
  const context = {
    builder,
    run,
    isFused: fused !== undefined,
    types,
    kvCache,
    masks: createCausalMasks(builder, run),
    ...perturbation,
  };
  const replaced = new Set<GraphNode>();
  let [keepsFused, fusesBatches] = [false, true];
  let mixed: string | undefined;
  const perturbed = sites.map((site): PerturbedScores => {
    const { node } = site.step;
    if (site.kind === 'fused') {
      replaced.add(node);
      const decompose = decomposerOf(node);
      if (!fused?.canStayFused(node, model)) return decompose(context, node);
      if (!keepsFused)
        for (const name of [TENSORS.fusedAttention, TENSORS.wholePast]) builder.addInput(name, ElementType.bool, []);
      keepsFused = true;
      fusesBatches &&= fused.takesBatches(node);
      if (site !== sites.at(-1) || !hasTail(analysis)) return fused.chooseFused(context, node, decompose);
      mixed = node.outputs[0];
      return fused.chooseFused(fused.ofLastRows(context), node, decompose);
    }
    const [scores = ''] = node.inputs;
    const type = types.get(scores);
    if (type !== ElementType.float32 && type !== ElementType.float16)
      return refuse(`the scores before ${node.name} have ONNX element type ${type ?? 'unknown'}`);
    node.inputs[0] = perturb(builder, scores, type, site.rank);
    return { scores: node.inputs[0], type };
  });
  // In place: the builder appends to this very array.
  model.nodes.splice(0, model.nodes.length, ...model.nodes.filter((node) => !replaced.has(node)));
  if (keepsFused) fused?.lowerOperatorSet(model);
  return { perturbed, blocks, mixed, keepsFused, fusesBatches };
}

function decomposerOf(node: GraphNode) {
  if (node.operator === 'GroupQueryAttention') return decomposeGroupQuery;
  const decompose = DECOMPOSERS[`${node.domain}:${node.operator}`];
  return decompose ?? refuse(`fused operator ${node.operator} (${node.name}) cannot be taken apart`);
}

/**
 * Adds the outputs `attended` and `attended_last`, after the head was rewritten. The weights of each earlier layer are
 * reduced there, under a condition: stored to the end they would take heads × layers × tokens² numbers. Of the last layer
 * only the rows that predict are computed.
 *
 * @param sites      scores of each layer, in order
 * @param endsApart  the last ones are of the last rows, or of more
 * @returns          false, with nothing added, where the last layer's rows are not computed apart from the others
 */
export function addAttended(builder: GraphBuilder, sites: readonly PerturbedScores[], endsApart: boolean): boolean {
  const { model } = builder;
  const last = sites.at(-1);
  const scores = endsApart ? last?.scores : `${ADDED}tail/${last?.scores}`;
  if (!last || !scores || sites.length < 2 || !model.nodes.some(({ outputs }) => outputs.includes(scores)))
    return false;
  const condition = attentionInput(builder);
  const made = new Set(model.nodes.flatMap(({ outputs }) => outputs));
  const layers = sites.slice(0, -1).map((site) => {
    const weights = attendedOf(site.scores);
    return made.has(weights) ? weights : attended(builder, condition, site);
  });
  builder.node('Concat', layers, { axis: 1 }, TENSORS.attended);
  builder.addOutput(TENSORS.attended, ElementType.float32, [
    'attended_batch',
    'attended_layers',
    'attended_tokens',
    null,
  ]);
  builder.chooseAll(
    condition,
    (body) => {
      const first = endsApart ? body.node('Neg', [TENSORS.rows]) : undefined;
      return [greatestOf(body, { ...last, scores: rowsFrom(body, scores, first) })];
    },
    (body) => [noWeights(body)],
    [TENSORS.attendedLast],
  );
  builder.addOutput(TENSORS.attendedLast, ElementType.float32, ['logits_batch', 1, 'logits_rows', null]);
  return true;
}

/** The input by which a run asks for weights, added where it is not there yet. */
function attentionInput(builder: GraphBuilder): string {
  const name = TENSORS.needsAttention;
  const isThere = builder.model.inputs.some((input) => input.name === name);
  return isThere ? name : builder.addInput(name, ElementType.bool, []);
}
