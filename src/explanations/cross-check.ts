import type { ModelSource } from '../client/client.ts';
import { likelihoodWithout } from './likelihood-without.ts';
import { NEUTRAL_NATS, rankedIn, type TextSection } from './influence.ts';
import type { Outcome } from './outcome.ts';

/** Most sections that are checked: one forward pass each. */
export const MAX_CHECKED = 8;

/** A smaller change of the target's log-likelihood is not evidence, nats: a factor of e. */
const CLEAR_NATS = 1;

/** A section whose deletion contradicts the sign of its score. */
interface Contradiction {
  readonly section: TextSection;
  /** Log-likelihood that the whole target loses when the section is deleted, nats; negative where it gains. */
  readonly loss: number;
}

/** Whether signs may mislead: of sections of several words, which may act against each other, or strengthened ones. */
export function isDoubtful({ influence, question, upstream }: Outcome): boolean {
  if (upstream !== null) return false; // the scores are those of deletion
  return question.settings.factor > 1 || influence.prompt.some(({ text }) => /\S\s+\S/.test(text));
}

/**
 * Deletes the strongest sections, one at a time, and compares the sign of the change with that of their score. Deletion
 * costs one pass per section; a pass per word of all sections would cost more. The calls are `nice`, so they never delay
 * anything else.
 *
 * @returns how many sections were checked, and the contradictions; null if there is nothing to check, or if a call failed: the outcome is valid without it
 * @throws  {DOMException} AbortError
 */
export async function crossCheck(
  outcome: Outcome,
  source: ModelSource<'evaluate'>,
  signal?: AbortSignal,
): Promise<{ readonly checked: number; readonly contradictions: readonly Contradiction[] } | null> {
  const { influence, prediction, question } = outcome;
  const whole = prediction?.target?.log_probability;
  if (whole === undefined || influence.sections.length < 2 || question.settings.factor === 1) return null;
  const sections = rankedIn(influence.prompt, 'whole').filter(({ total }) => Math.abs(total) >= NEUTRAL_NATS);
  const contradictions: Contradiction[] = [];
  const checked = sections.slice(0, MAX_CHECKED);
  for (const section of checked) {
    const rest = await likelihoodWithout(section, outcome, source, signal);
    if (rest === null) return null;
    const loss = whole - rest;
    if (Math.abs(loss) >= CLEAR_NATS && loss > 0 !== section.total > 0) contradictions.push({ section, loss });
  }
  return checked.length === 0 ? null : { checked: checked.length, contradictions };
}
