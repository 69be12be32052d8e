import { ElementType } from '../codec/tensor-proto.ts';
import type { GraphBuilder, RunLengths } from './graph-builder.ts';
import type { GraphAnalysis } from '../analysis/graph-analysis.ts';
import type { GraphNode } from '../codec/graph-node.ts';
import { refuse } from '../network.ts';
import { TENSORS } from '../tensor-names.ts';
import { DECOMPOSERS } from './decompose/decompose-attention.ts';
import { decomposeGroupQuery } from './decompose/group-query.ts';
import { createCausalMasks } from './decompose/masks.ts';
import type { FusedForm } from './fused-form.ts';
import { hasTail } from './logits-head.ts';
import { addPerturbation, type PerturbedScores } from './perturbation.ts';

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
  const showsAttention = !fused && sites.length > 1 && hasTail(analysis);
  const { perturb, blocks, ...perturbation } = addPerturbation(builder, run, showsAttention);
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
