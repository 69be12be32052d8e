import { codePointMap } from '../contract/code-points.ts';
import type { FirstWord } from './first-words.ts';
import { type EvaluationSource, likelihoodWithout } from './likelihood-without.ts';
import { type Influence, NEUTRAL_NATS, rankedIn, type TextSection } from './influence.ts';
import { addsLogarithm, type Question } from './question.ts';

/**
 * A first section is an attention sink if the target loses less than this share of the section's score when it is deleted. Where a
 * first word of the everyday prompts was on top, the target lost at most 0.04 of its score or at least 0.69 (`npm run evaluate --
 * pages sinks`, attention multiplied by 0.1: SmolLM2-135M-Instruct on 12 prompts, lightwell-base on 60).
 */
const LEAST_SHARE = 0.6;

/** A smaller loss of each later token is no sink, nats. */
const SINK_NATS = 0.5;

/**
 * The first section of a prompt where its score misleads. Models send attention that nothing needs to the first position; without
 * it every prediction changes, whatever the section says.
 */
export interface AttentionSink {
  /** Id of the section. */
  readonly id: string;
  /** Log-likelihood that the target loses when the section is deleted, nats. */
  readonly loss: number;
  /** That which a token of the prompt after the section loses on average when the section is dimmed; null where none follows. */
  readonly lossAfter: number | null;
}

/** Whether dimming a word costs later tokens far more than deleting it does. */
export function isSink({ dimmed, deleted }: Pick<FirstWord, 'dimmed' | 'deleted'>): boolean {
  return dimmed >= SINK_NATS && deleted < LEAST_SHARE * dimmed;
}

/** The part of an outcome that is judged. */
interface Explained {
  readonly influence: Influence;
  readonly question: Question;
  readonly prediction: { readonly target: { readonly log_probability: number } | null } | null;
}

/**
 * The attention sink of an outcome: the first section, if it has the greatest score although deleting it changes the target far
 * less. Deletion leaves another first position, so it shows what the section says alone.
 *
 * @returns null where there is none, as in prompts with a picture, or where a call failed
 * @throws  {DOMException} AbortError
 * @source  Xiao et al. 2023, arXiv:2309.17453
 */
export async function sinkIn(
  outcome: Explained,
  source: EvaluationSource,
  signal?: AbortSignal,
): Promise<AttentionSink | null> {
  const { influence, question, prediction } = outcome;
  const whole = prediction?.target?.log_probability;
  const [top] = rankedIn(influence.prompt, 'whole');
  if (whole === undefined || question.settings.factor >= 1 || influence.picture.length > 0) return null;
  if (!top || top !== influence.prompt[0] || top.total < NEUTRAL_NATS) return null;
  const rest = await likelihoodWithout(top, outcome, source, signal);
  if (rest === null || whole - rest >= LEAST_SHARE * top.total) return null;
  return { id: top.id, loss: whole - rest, lossAfter: await lossAfter(top, outcome, source, signal) };
}

/** Mean over the tokens of the prompt after a section; null where none follows, or where a call failed. */
async function lossAfter(
  { start, length }: TextSection,
  { question: { prompt, settings } }: Explained,
  { client, model }: EvaluationSource,
  signal?: AbortSignal,
): Promise<number | null> {
  const { start: from, length: size } = codePointMap(prompt).toUtf16({ start, length });
  const [data, rest] = [prompt.slice(0, from + size), prompt.slice(from + size)];
  if (rest.trim() === '') return null;
  const rate = async (factor: number) => {
    const controls = [{ start, length, factor, token_overlap: settings.overlap }];
    const body = { model, prompt: [{ type: 'text' as const, data, controls }], completion_expected: rest };
    const asked = { ...body, control_log_additive: addsLogarithm(settings) };
    const answer = await client.evaluate(asked, { ...(signal && { signal }), nice: true });
    return answer.ok ? answer.value.result : null;
  };
  const [plain, dimmed] = [await rate(1), await rate(settings.factor)];
  return plain && dimmed && (plain.log_probability - dimmed.log_probability) / plain.token_count;
}
