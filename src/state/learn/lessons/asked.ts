import type { Answer, CallOptions, Client } from '../../../client/client.ts';
import { ask } from '../../explain/explain-store.ts';
import type { Outcome } from '../../explain/outcome.ts';
import { DEFAULT_SETTINGS, type Question, type Settings } from '../../explain/question.ts';
import { likelihoodWithout } from '../../explain/scores/cross-check.ts';
import type { Stretch } from '../../explain/influence.ts';

/** Where the answers of the lessons come from; the model is read at each request. */
export interface LearnSource {
  readonly client: Pick<Client, 'embed' | 'evaluate' | 'explain' | 'lens' | 'predict'>;
  readonly model: string;
}

/** The texts of a live example. */
export interface Texts {
  readonly prompt: string;
  readonly target: string;
}

/** The texts as a question of the Explain page. */
export function questionOf({ prompt, target }: Texts, settings: Partial<Settings> = {}): Question {
  return { picture: null, prompt, target, settings: { ...DEFAULT_SETTINGS, ...settings } };
}

/** Explains a question as the Explain page does. */
export async function explained(source: LearnSource, question: Question, call: CallOptions): Promise<Answer<Outcome>> {
  const signal = call.signal ?? new AbortController().signal;
  const answer = await ask(source, question, signal, (progress) => call.onProgress?.(progress));
  return 'problem' in answer ? { ok: false, problem: answer.problem } : { ok: true, value: answer.outcome };
}

/** A section, and what deleting it from the prompt does. */
export interface Deleted {
  readonly section: Stretch;
  /** Log-likelihood that the whole target loses, nats; negative where it gains. */
  readonly loss: number;
}

/**
 * Deletes sections one at a time.
 *
 * @returns one for each section that could be deleted; fewer where a call failed, and none where the model gave no likelihood
 */
export async function deletions(
  source: LearnSource,
  outcome: Outcome,
  sections: readonly Stretch[],
  { signal = new AbortController().signal }: CallOptions,
): Promise<Deleted[]> {
  const whole = outcome.prediction?.target?.log_probability;
  if (whole === undefined) return [];
  const found: Deleted[] = [];
  for (const section of sections) {
    const left = await likelihoodWithout(section, outcome, { ...source, model: source.model, signal });
    if (left !== null) found.push({ section, loss: whole - left });
  }
  return found;
}
