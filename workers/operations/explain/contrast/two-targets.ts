import type { Layout } from '../../../engine/network.ts';
import type { TargetSequence } from '../../prompt/target-sequence.ts';
import { type Fed, fedWith } from '../passes.ts';
import type { Suppression, Suppressions } from '../suppressions.ts';

/**
 * Prompt, foil and target in one run: the prompt is computed once for both. The foil's tokens follow the prompt; the target's
 * stand behind them, at the positions that they have without the foil, and do not see it. Both begin at the prompt's last row.
 */
export function fedWithBoth(target: TargetSequence, foil: TargetSequence): Fed {
  const [targetIds, foilIds] = [target.target.ids, foil.target.ids];
  const promptTokens = target.ids.length;
  const begin = promptTokens + foilIds.length - 1; // the target's tokens
  const ids = Int32Array.from([...foil.fed.ids, ...targetIds.slice(0, -1)]);
  const rowOfTarget = (token: number) => (token === 0 ? 0 : foilIds.length - 1 + token);
  const rows = ids.length - promptTokens + 1;
  const targets = new Int32Array(2 * rows);
  targetIds.forEach((id, token) => (targets[2 * rowOfTarget(token)] = id));
  foilIds.forEach((id, token) => (targets[2 * token + 1] = id));
  const positions = Int32Array.from(ids, (_, at) => (at < begin ? at : at - begin + promptTokens));
  return {
    ...fedWith(target),
    ...{ ids, rows, targets, choices: 2 },
    layout: (start) =>
      followOneAnother(targetIds, foilIds)
        ? undefined
        : { positions: positions.subarray(start), hidden: hiddenFrom(start, { promptTokens, begin, ids }) },
    asked: (flat) =>
      Float32Array.from([
        ...targetIds.map((_, token) => flat[2 * rowOfTarget(token)] ?? Number.NaN),
        ...foilIds.map((_, token) => flat[2 * token + 1] ?? Number.NaN),
      ]),
  };
}

/** Whether at most one of two texts has tokens that are fed, so that they need not be told apart. */
export function followOneAnother(target: readonly number[], foil: readonly number[]): boolean {
  return target.length === 1 || foil.length === 1;
}

function hiddenFrom(
  start: number,
  { promptTokens, begin, ids }: { readonly promptTokens: number; readonly begin: number; readonly ids: Int32Array },
): Layout['hidden'] {
  const total = ids.length;
  const hidden = new Uint8Array((total - start) * total);
  for (let row = begin; row < total; row++)
    hidden.fill(1, (row - start) * total + promptTokens, (row - start) * total + begin);
  return hidden;
}

/** Suppressions of the target's sequence and those of the foil's, for both in one run. */
export function suppressedInBoth(ofTarget: Suppressions, ofFoil: Suppressions, promptTokens: number): Suppressions {
  const both = (target: Float64Array, foil: Float64Array) =>
    Float64Array.from([...foil, ...target.subarray(promptTokens)]);
  const aligned = alignedTo(ofTarget, ofFoil);
  return {
    ...ofTarget,
    base: both(ofTarget.base, ofFoil.base),
    changed: ofTarget.changed.map((each, i) => ({
      ...each,
      factors: both(each.factors, aligned[i]?.factors ?? ofFoil.base),
    })),
  };
}

/** The foil's suppressions in the order of the target's. A section of the target changes nothing for the foil. */
export function alignedTo({ changed }: Suppressions, ofFoil: Suppressions): Suppression[] {
  const bySection = new Map(ofFoil.changed.map((each) => [each.section, each]));
  return changed.map(({ section, start }) => bySection.get(section) ?? { section, start, factors: ofFoil.base });
}
