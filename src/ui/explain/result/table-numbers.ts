import { resultWords } from '../../../words/en/explain/result.ts';
import { sectionsWords } from '../../../words/en/explain/sections.ts';
import { fixedText } from '../../../words/numbers.ts';
import { marginIn, scoreIn, type Section, type View } from '../../../state/explain/influence.ts';
import type { Settings } from '../../../state/explain/question.ts';
import { natsText } from '../texts.ts';

/** The numbers of a table, and what they are. */
export interface TableNumbers {
  /** Head of their column, such as `Score, nats`. */
  readonly head: string;
  /** By the section's id. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Scores as a table lists them: each processed, then all scaled, as the contract does. Estimates are marked, plain ones with
 * their margins.
 *
 * @edge    scaled scores that are all alike become 0
 * @source  interface.md, `postprocessing` and `normalize`
 */
export function tableNumbers(
  sections: readonly Section[],
  view: View,
  { postprocessing, normalize }: Pick<Settings, 'postprocessing' | 'normalize'>,
): TableNumbers {
  const words = resultWords().table;
  const scores = sections.map((section) => PROCESSES[postprocessing](scoreIn(section, view) ?? 0));
  const shown = normalize ? scaled(scores).map((score) => fixedText(score, 3)) : scores.map(natsText);
  const isPlain = !normalize && postprocessing === 'none';
  const marked = (number: string, margin: number | null) => {
    if (margin === null) return number;
    return isPlain ? sectionsWords().estimate(number, fixedText(margin, 2)) : `≈ ${number}`;
  };
  const texts = new Map(
    sections.map((section, index) => [section.id, marked(shown[index] ?? '', marginIn(section, view))]),
  );
  return { head: (normalize ? words.scaled : words.scores)[postprocessing], texts };
}

const PROCESSES: Readonly<Record<Settings['postprocessing'], (score: number) => number>> = {
  none: (score) => score,
  absolute: Math.abs,
  square: (score) => score ** 2,
};

function scaled(scores: readonly number[]): number[] {
  const least = scores.reduce((a, b) => Math.min(a, b), Infinity);
  const range = scores.reduce((a, b) => Math.max(a, b), -Infinity) - least;
  return scores.map((score) => (range > 0 ? (score - least) / range : 0));
}
