import type { TokenLayout } from '../../engine/network.ts';
import { compared, concatenated } from '../../kernels/float-arrays.ts';
import type { TargetSequence } from '../predict.ts';
import {
  AGREEMENT,
  createPasses,
  type PassInput,
  passInputFor,
  type StartedExplanation,
  type Suppression,
  type Suppressions,
} from './passes.ts';

type Passes = StartedExplanation['passes'];

type ContrastInput = StartedExplanation & { readonly foil: TargetSequence };

/**
 * Passes for a target and its foil. The prompt's positions are computed once for both where the network takes
 * positions and respects them, which the unmodified pass shows, and no suppression in the target spreads to the prompt; else
 * each text has passes of its own.
 *
 * @param foilSuppressions  the prompt's sections suppressed before the foil
 * @returns passes that rate the target's tokens and then the foil's
 */
export async function withFoil(
  input: ContrastInput,
  foilSuppressions: Suppressions,
): Promise<Pick<StartedExplanation, 'passes' | 'original'>> {
  const { model, sequence, foil, suppressions, passes, original } = input;
  const ofFoil = passInputForFoil(foil, foilSuppressions);
  const together = createPasses(passInputForBoth(sequence, foil, suppressions, ofFoil), model.network);
  const rated = await togetherIfExact(together, input);
  if (rated) return { passes: together, original: { ...original, logProbabilities: rated } };
  const apart = createPasses(ofFoil, model.network);
  const { logProbabilities } = await apart.original({ known: original.kvCache });
  return {
    passes: oneAfterTheOther(passes, apart),
    original: { ...original, logProbabilities: concatenated([original.logProbabilities, logProbabilities]) },
  };
}

/** Log-probabilities of both texts in one run; null where they cannot share passes, or the target's differ from those without the foil. */
async function togetherIfExact(
  together: Passes,
  { original, sequence, foil, model, plan, suppressions }: ContrastInput,
): Promise<Float32Array | null> {
  const { logProbabilities, kvCache } = original;
  // The prompt's positions would need two factors, because the foil does not have that section.
  const isShared = suppressions.changed.every(
    ({ section, start }) => start >= sequence.ids.length || plan.sections[section]?.item !== sequence.items.length,
  );
  if (!isShared) return null;
  if (!followOneAnother(sequence, foil) && !model.network.shape.takesPositions) return null;
  const { logProbabilities: both, kvCache: unused } = await together.original({ known: kvCache });
  unused?.release();
  return compared(both.subarray(0, sequence.target.ids.length), logProbabilities, AGREEMENT).agrees ? both : null;
}

/** Passes for the target, then for the foil. */
function oneAfterTheOther(target: Passes, foil: Passes): Passes {
  return {
    ...target,
    async suppressed(batch, kvCache, signal) {
      const ofTarget = await target.suppressed(batch, kvCache, signal);
      const ofFoil = await foil.suppressed(batch, kvCache, signal);
      return ofTarget.map((row, i) => concatenated([row, ofFoil[i] ?? new Float32Array(0)]));
    },
  };
}

/** The foil after the prompt. Sections of the target have no effect on it. */
function passInputForFoil(foil: TargetSequence, suppressions: Suppressions): PassInput {
  const bySection = new Map(suppressions.changed.map(({ section, factors }) => [section, factors]));
  return {
    ...passInputFor(foil, suppressions),
    factorsOf: ({ section }) => bySection.get(section) ?? suppressions.base,
  };
}

/**
 * Prompt, foil and target in one run: the prompt is computed once for both. The foil's tokens follow the prompt; the target's
 * come after them, with the positions that they have without the foil, and do not see it. Both begin at the prompt's last row.
 */
function passInputForBoth(
  target: TargetSequence,
  foil: TargetSequence,
  suppressions: Suppressions,
  ofFoil: PassInput,
): PassInput {
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
  const both = (targetFactors: Float64Array, foilFactors: Float64Array) =>
    concatenated([foilFactors, targetFactors.subarray(promptTokens)]);
  return {
    ...ofFoil,
    ids,
    rows,
    targets,
    choices: 2,
    base: both(suppressions.base, ofFoil.base),
    factorsOf: (suppression: Suppression) => both(suppression.factors, ofFoil.factorsOf(suppression)),
    layout: (start) =>
      followOneAnother(target, foil)
        ? undefined
        : {
            positions: positions.subarray(start),
            hidden: hiddenFrom(start, { promptTokens, begin, total: ids.length }),
          },
    inOrder: (flat) =>
      Float32Array.from([
        ...targetIds.map((_, token) => flat[2 * rowOfTarget(token)] ?? Number.NaN),
        ...foilIds.map((_, token) => flat[2 * token + 1] ?? Number.NaN),
      ]),
  };
}

/** Whether at most one of the two texts has tokens that are fed, so that they need no layout. */
function followOneAnother({ target }: TargetSequence, { target: foil }: TargetSequence): boolean {
  return target.ids.length === 1 || foil.ids.length === 1;
}

function hiddenFrom(
  start: number,
  { promptTokens, begin, total }: { promptTokens: number; begin: number; total: number },
): TokenLayout['hidden'] {
  const hidden = new Uint8Array((total - start) * total);
  for (let row = begin; row < total; row++)
    hidden.fill(1, (row - start) * total + promptTokens, (row - start) * total + begin);
  return hidden;
}
