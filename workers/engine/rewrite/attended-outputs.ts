import { ElementType } from '../codec/element-type.ts';
import type { Model } from '../codec/model-proto.ts';
import { makeTensor } from '../codec/tensor-proto.ts';
import { ADDED, ATTENDED, ATTENDED_LAST, NEEDS_ATTENTION } from '../tensor-names.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { PerturbedScores } from './perturbation.ts';

/**
 * Adds the outputs `attended` and `attended_last`, after the head was rewritten. The weights of each earlier layer are reduced
 * beside it, under a condition: kept to the end they would take heads × layers × tokens² numbers. Of the last layer
 * only the rows that predict are computed.
 *
 * @param sites  scores of each layer, in order
 * @returns      false, with nothing added, where the last layer's rows are not computed apart from the others
 */
export function addAttended(model: Model, builder: GraphBuilder, sites: readonly PerturbedScores[]): boolean {
  const last = sites.at(-1);
  const scores = `${ADDED}tail/${last?.scores}`;
  if (!last || sites.length < 2 || !model.nodes.some(({ outputs }) => outputs.includes(scores))) return false;
  const condition = builder.addInput(NEEDS_ATTENTION, ElementType.bool, []);
  const nothing = makeTensor(`${ADDED}nothing/attended`, ElementType.float32, [0, 0, 0, 0], []);
  model.initialisers.set(nothing.name, nothing);
  const layers = sites.slice(0, -1).map((site) =>
    builder.choose(
      condition,
      (body) => greatestOf(body, site),
      (body) => body.node('Identity', [nothing.name]),
    ),
  );
  builder.node('Concat', layers, { attributes: { axis: { integer: 1 } }, output: ATTENDED });
  builder.addOutput(ATTENDED, ElementType.float32, ['attended_batch', 'attended_layers', 'attended_tokens', null]);
  builder.node('Identity', [greatestOf(builder, { ...last, scores })], { output: ATTENDED_LAST });
  builder.addOutput(ATTENDED_LAST, ElementType.float32, ['logits_batch', 1, 'logits_rows', null]);
  return true;
}

/** Softmax of scores, the greatest of any head: `[batch, 1, tokens, total]`, float32. */
function greatestOf(builder: GraphBuilder, { scores, type }: PerturbedScores): string {
  const weights = builder.node('Softmax', [scores], { attributes: { axis: { integer: -1 } } });
  return builder.cast(builder.reduce('ReduceMax', weights, 1), type, ElementType.float32);
}
