import type { Client } from '../../../client/client.ts';
import { codePointMap, type Span } from '../../../contract/code-points.ts';
import { type Influence, NEUTRAL_NATS, rankedIn, type Stretch } from '../influence.ts';
import type { Outcome } from '../outcome.ts';
import { promptOf } from '../question.ts';

/** Sections that are checked at most: one forward pass each. */
export const MOST_CHECKED = 8;

/** A deletion that changes the target's likelihood by less is no evidence, nats: by a factor of e. */
const CLEAR_NATS = 1;

/** A section that deletion judges the other way. */
export interface Contradiction {
  readonly section: Stretch;
  /** Log-likelihood that the whole target loses when the section is deleted, nats; negative where it gains. */
  readonly loss: number;
}

/** What deleting sections says of an outcome. */
export interface CrossCheck {
  readonly checked: number;
  readonly contradictions: readonly Contradiction[];
}

/** What a check needs of the store. */
export interface CheckOptions {
  readonly client: Pick<Client, 'evaluate'>;
  readonly model: string;
  readonly signal: AbortSignal;
}

/** Whether sections hold several words: only such a section can hide that its words act against each other. */
function isCoarse({ prompt }: Influence): boolean {
  return prompt.some(({ text }) => /\S\s+\S/.test(text));
}

/** Whether signs may mislead: of long sections, and of any that are strengthened. */
export function isDoubtful({ influence, question }: Outcome): boolean {
  return question.settings.factor > 1 || isCoarse(influence);
}

/**
 * Deletes the strongest sections, one at a time, and compares the sign with that of their score. Deleting is the
 * plainest way to take a section away, and costs one pass, where the words of all sections would cost one each. The calls
 * are `nice`, so they never delay anything else.
 *
 * @returns null where there is nothing to check, or where a call failed: the result stands without it
 * @throws  {DOMException} AbortError
 */
export async function crossCheck(outcome: Outcome, options: CheckOptions): Promise<CrossCheck | null> {
  const { influence, prediction, question } = outcome;
  const whole = prediction?.target?.log_probability;
  if (whole === undefined || influence.sections.length < 2 || question.settings.factor === 1) return null;
  const sections = rankedIn(influence.prompt, 'whole').filter(({ total }) => Math.abs(total) >= NEUTRAL_NATS);
  const contradictions: Contradiction[] = [];
  const checked = sections.slice(0, MOST_CHECKED);
  for (const section of checked) {
    const left = await likelihoodWithout(section, outcome, options);
    if (left === null) return null;
    const loss = whole - left;
    if (Math.abs(loss) >= CLEAR_NATS && loss > 0 !== section.total > 0) contradictions.push({ section, loss });
  }
  return checked.length === 0 ? null : { checked: checked.length, contradictions };
}

/** Log-likelihood of the target without a section of the text, nats; null where the call failed. */
export async function likelihoodWithout(
  section: Span,
  { question }: Outcome,
  { client, model, signal }: CheckOptions,
): Promise<number | null> {
  const prompt = promptOf({ ...question, prompt: without(question.prompt, section) });
  const body = { model, prompt, completion_expected: question.target };
  const answer = await client.evaluate(body, { signal, nice: true });
  return answer.ok ? answer.value.result.log_probability : null;
}

/**
 * The text without a stretch and the white space behind it; where nothing follows, without the one before it.
 *
 * @param stretch  in code points of the text
 */
export function without(text: string, stretch: Span): string {
  const { start, length } = codePointMap(text).toUtf16(stretch);
  const [before, after] = [text.slice(0, start), text.slice(start + length).trimStart()];
  return after === '' ? before.trimEnd() : before + after;
}
