import type { Contrast, ExplainRequest } from '../../contract/explain.ts';
import type { Explained } from '../../protocol/target-jobs.ts';
import { normalised } from './explanations.ts';
import { itemCount, itemShapes, ofItem, type Scored } from './item-shapes.ts';
import { postprocessed } from './scores.ts';

/** The target held against the foil, section by section of the prompt. Both are sums over their tokens. */
export function contrastOf(explained: Explained, request: ExplainRequest, foil: string): Contrast {
  const { targetTokens, foilTokens } = explained;
  const items = itemShapes(request);
  const itemsOf = (scored: readonly Scored[]) => {
    const scores = request.normalize ? normalised(scored) : scored;
    return items.map(({ whole }, index) => whole(ofItem(index, scores)));
  };
  const end = targetTokens.length + foilTokens.length;
  const scored = (score: (row: Float64Array) => number): Scored[] =>
    explained.sections.flatMap((section, index) => {
      if (section.item === itemCount(request)) return []; // what stands in the target says nothing about the foil
      return [{ section, margin: null, score: score(explained.influence.subarray(index * end, (index + 1) * end)) }];
    });
  const ofTarget = (row: Float64Array) => row.subarray(0, targetTokens.length);
  const ofFoil = (row: Float64Array) => row.subarray(targetTokens.length);
  const processed = (score: number) => postprocessed(score, request.postprocessing);
  return {
    foil,
    items: itemsOf(scored((row) => processed(sum(ofTarget(row)) - sum(ofFoil(row))))),
    foil_items: itemsOf(scored((row) => sum(ofFoil(row).map(processed)))),
  };
}

function sum(scores: Float64Array): number {
  return scores.reduce((total, score) => total + score, 0);
}
