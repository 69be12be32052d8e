import type { Explanation, PartialExplanation } from '../../contract/explain.ts';
import { influenceOf, type Influence } from './influence.ts';
import { readQuestion, type Question } from './question.ts';

/** What came of a question. */
export interface Outcome {
  readonly question: Question;
  /** Null until the service has finished. */
  readonly modelVersion: string | null;
  /** Incomplete after a cancel. */
  readonly explanations: readonly (Explanation | PartialExplanation)[];
  /** Derived from the explanations. */
  readonly influence: Influence;
}

/** An outcome, with the influence that follows from it. */
export function outcomeOf(
  question: Question,
  explanations: readonly (Explanation | PartialExplanation)[],
  modelVersion: string | null,
): Outcome {
  const influence = influenceOf(explanations, question.prompt, question.target);
  return { question, modelVersion, explanations, influence };
}

/** Version of what is kept; another one is not read. */
const KEPT_VERSION = 1;

/** What of an outcome is kept; the rest follows from it. */
export function keptOf({ question, modelVersion, explanations }: Outcome) {
  return { version: KEPT_VERSION, question, modelVersion, explanations };
}

/**
 * The outcome in a kept value; null when it is none. Only `keptOf` writes such values, so beyond the version only their
 * outline is checked: the contract's schemas would bring a validator into the page's first download.
 */
export function readOutcome(value: unknown): Outcome | null {
  const kept = isKept(value) ? value : null;
  const question = readQuestion(kept?.question);
  return kept && question ? outcomeOf(question, kept.explanations, kept.modelVersion) : null;
}

function isKept(value: unknown): value is ReturnType<typeof keptOf> {
  if (typeof value !== 'object' || value === null) return false;
  if (!('version' in value && 'explanations' in value && 'modelVersion' in value && 'question' in value)) return false;
  return value.version === KEPT_VERSION && Array.isArray(value.explanations);
}
