import type { ControlOptions } from '../../../src/protocol/model-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { denseControls } from '../prompt/controls.ts';
import { fedIds, type TargetSequence } from '../prompt/target-sequence.ts';
import type { Section } from './sections.ts';

/** What suppressing each section does to the attention paid to positions. */
export interface Suppressions {
  /** Factors of the prompt's own controls, float32 `[fed ids]`. */
  readonly base: Float32Array;
  /** One for each section that changes a position, in order. */
  readonly changed: readonly Suppression[];
  /** Sections that change no position. */
  readonly without: readonly number[];
  /** Index of the section that an entry of `changed` suppresses. */
  sectionAt(index: number): number;
}

/** One section suppressed. */
export interface Suppression {
  readonly section: number;
  /** First position that it changes. */
  readonly start: number;
  /** Factors of all positions, float32 `[fed ids]`. */
  readonly factors: Float32Array;
}

/** Item controls and a section's own factor multiply; scores are relative to the controlled prompt. Decided here. */
export async function suppressionsOf(
  sequence: TargetSequence,
  sections: readonly Section[],
  { controls, model }: { readonly controls: ControlOptions; readonly model: LoadedModel },
): Promise<Suppressions> {
  const dense = await denseControls(model, sequence, fedIds(sequence), controls);
  const base = dense(sequence.controls);
  const all = sections.map(({ factors }, section): Suppression => {
    const own = dense(factors);
    const start = own.findIndex((factor) => factor !== 1);
    return { section, start, factors: own.map((factor, i) => factor * (base[i] ?? 1)) };
  });
  const changed = all.filter(({ start }) => start >= 0);
  const without = all.filter(({ start }) => start < 0).map(({ section }) => section);
  return { base, changed, without, sectionAt: (index) => changed[index]?.section ?? -1 };
}
