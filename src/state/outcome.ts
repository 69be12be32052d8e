import { Explanation } from '../contract/explain.ts';
import { influenceOf, type Influence } from './influence.ts';
import { readQuestion, type Question } from './question.ts';

/** What came of a question. */
export interface Outcome {
  readonly question: Question;
  /** Null until the service has finished. */
  readonly modelVersion: string | null;
  readonly explanations: readonly Explanation[];
  /** Derived from the explanations. */
  readonly influence: Influence;
}

/** An outcome, with the influence that follows from it. */
export function outcomeOf(
  question: Question,
  explanations: readonly Explanation[],
  modelVersion: string | null,
): Outcome {
  const influence = influenceOf(explanations, question.prompt, question.target);
  return { question, modelVersion, explanations, influence };
}

/** What of an outcome is kept; the rest follows from it. */
export function keptOf({ question, modelVersion, explanations }: Outcome) {
  return { question, modelVersion, explanations };
}

/** The outcome in a kept value of unknown origin; null when it is none. */
export function readOutcome(value: unknown): Outcome | null {
  if (typeof value !== 'object' || value === null || !('explanations' in value) || !('question' in value)) return null;
  const question = readQuestion(value.question);
  const explanations = Explanation.array().safeParse(value.explanations);
  if (!question || !explanations.success) return null;
  const version = 'modelVersion' in value && typeof value.modelVersion === 'string' ? value.modelVersion : null;
  return outcomeOf(question, explanations.data, version);
}
