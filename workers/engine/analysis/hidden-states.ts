import { refuse } from '../refusal.ts';
import type { AttentionSite } from './attention-sites.ts';
import type { Cut } from './cuts.ts';
import type { DataFlow } from './data-flow.ts';

/** Cuts that carry the network's state between layers; index 0 enters the first layer, index L leaves the last. */
export type HiddenStates = readonly Cut[];

/**
 * Picks the hidden states among the cuts: `h_i` is the last cut before attention site `i`; `h_L` lies behind the last
 * residual sum at the distance at which the others lie behind theirs. That distance is 0 where norms come before the
 * layers (the state *is* the sum, so the final norm is left out), and the norm's length where they come after (BERT).
 *
 * @throws {FailureError} MODEL_UNAVAILABLE when a layer has no state of its own
 * @source decided here, 2026-11: layer L of `/embed` is the last block's output before the final norm (interface:
 *         "the last transformer layer")
 */
export function findHiddenStates(flow: DataFlow, cuts: readonly Cut[], sites: readonly AttentionSite[]): HiddenStates {
  const entering = sites.map((site) => cuts.findLastIndex((cut) => cut.step.position < site.begin));
  entering.forEach((index, layer) => {
    if (index < 0 || index === entering[layer - 1]) refuse(`no hidden state was found for layer ${layer}`);
  });
  const leaving = leavingIndex(flow, cuts, sites, entering);
  const states = [...entering, leaving].map((index) => cuts[index]).filter((cut) => cut !== undefined);
  if (states.length !== sites.length + 1) refuse(`no hidden state was found behind layer ${sites.length}`);
  return states;
}

function leavingIndex(
  flow: DataFlow,
  cuts: readonly Cut[],
  sites: readonly AttentionSite[],
  entering: readonly number[],
): number {
  const lastMerge = cuts.findLastIndex((cut) => cut.merges);
  const lastSite = sites.at(-1)?.step.position ?? 0;
  if (lastMerge < 0 || (cuts[lastMerge]?.step.position ?? 0) < lastSite)
    return refuse('the last layer does not end in a residual sum');
  const secondLayer = entering[1];
  if (secondLayer !== undefined) return lastMerge + distanceBehindMerge(cuts, secondLayer);
  return isNormedFirst(flow, cuts[entering[0] ?? -1]) ? lastMerge : cuts.length - 1;
}

function distanceBehindMerge(cuts: readonly Cut[], index: number): number {
  const merge = cuts.findLastIndex((cut, position) => position <= index && cut.merges);
  if (merge < 0) return refuse('the first layer does not end in a residual sum');
  return index - merge;
}

/** With a single layer there is no other to compare with: norms come first when no weight reads the state directly. */
function isNormedFirst(flow: DataFlow, entering: Cut | undefined): boolean {
  if (entering === undefined) return true;
  let readers = flow.consumers(entering.tensor);
  for (let depth = 0; depth < 4 && readers.length > 0; depth++) {
    if (readers.some((step) => /MatMul|Gemm/.test(step.operator))) return false;
    readers = readers
      .filter((step) => ['Transpose', 'Reshape', 'Identity', 'Cast'].includes(step.operator))
      .flatMap((step) => step.outputs.flatMap((output) => flow.consumers(output)));
  }
  return true;
}
