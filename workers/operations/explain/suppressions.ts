import type { ExplainedSection, ExplainJob } from '../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { sequenceControls } from '../prompt/controls.ts';
import { withinLimit } from '../prompt/factor-limit.ts';
import type { TargetSequence } from '../prompt/target-sequence.ts';

/** What suppressing each section does to the attention paid to positions. */
export interface Suppressions {
  /** Factors of the prompt's own controls, float64 `[fed ids]`. */
  readonly base: Float64Array;
  /** One for each section that changes a position, in order. */
  readonly changed: readonly Suppression[];
  /** Sections that change no position. */
  readonly without: readonly number[];
}

/** One section suppressed. */
export interface Suppression {
  readonly section: number;
  /** First position that it changes. */
  readonly start: number;
  /** Factors of all positions, float64 `[fed ids]`. */
  readonly factors: Float64Array;
}

/** The sections of members of a batch. */
export function sectionsOf({ changed }: Suppressions, members: readonly number[]): number[] {
  return members.flatMap((member) => changed[member]?.section ?? []);
}

/**
 * A section acts as a control on its part of the item does, so that what is said of it can be tried out. Item controls
 * and a section's own factor multiply; scores are relative to the controlled prompt. Decided here.
 *
 * @throws {FailureError} INVALID_REQUEST where they multiply to more than a factor may be
 */
export async function suppressionsOf(
  sequence: TargetSequence,
  sections: readonly ExplainedSection[],
  { factor, overlap, controls }: ExplainJob,
  model: LoadedModel,
): Promise<Suppressions> {
  const { factors: base, alone } = await sequenceControls(sequence.fed, controls, model);
  const all = sections.map((each, section): Suppression => {
    const factors = alone({ ...each, factor, overlap });
    const start = factors.findIndex((value) => value !== 1);
    const products = factors.map((value, position) => value * (base[position] ?? 1));
    return { section, start, factors: withinLimit(products, 'control_factor') };
  });
  return {
    base,
    changed: all.filter(({ start }) => start >= 0),
    without: all.filter(({ start }) => start < 0).map(({ section }) => section),
  };
}
