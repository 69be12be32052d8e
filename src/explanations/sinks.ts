import { codePointMap, type Span } from '../contract/code-points.ts';
import type { FirstWord } from './first-words.ts';
import type { ModelSource } from '../client/client.ts';
import { likelihoodWithout } from './likelihood-without.ts';
import { type Influence, NEUTRAL_NATS, rankedIn, type TextSection } from './influence.ts';
import { addsLogarithm, type Question } from './question.ts';

/**
 * A section is not a reason if the target loses less than this share of the section's score when it is deleted. Where a first word of
 * the everyday prompts was on top, the target lost at most 0.04 of its score or at least 0.69 (`npm run evaluate -- pages sinks`,
 * attention multiplied by 0.1: SmolLM2-135M-Instruct on 12 prompts, lightwell-base on 60).
 */
const LEAST_SHARE = 0.6;

/** Behind the first reason, the first section is judged from this share of the greatest score on: it would be named beside the reason. */
const NAMED_SHARE = 0.25;

/** A smaller loss of each later token is no sink, nats. */
const SINK_NATS = 0.5;

/** Neither letters nor digits: punctuation, line ends, symbols. */
const DELIMITER = /^[^\p{L}\p{N}]+$/u;

/**
 * A section of a prompt whose score misleads. Models send attention that nothing needs to the first position, and some to
 * delimiters; without it every prediction changes, whatever the section says.
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

/**
 * Whether a section may be a sink: the first one, or a delimiter.
 *
 * @source Sun et al. 2024, "Massive Activations in Large Language Models", arXiv:2402.17762, section 2.2
 */
export function mayBeSink({ text }: Pick<TextSection, 'text'>, isFirst: boolean): boolean {
  return isFirst || DELIMITER.test(text);
}

/** Whether the score of such a section misleads: of a delimiter only where later tokens depend on it too. */
export function misleads({ loss, lossAfter }: Omit<AttentionSink, 'id'>, score: number, isFirst: boolean): boolean {
  return loss < LEAST_SHARE * score && (isFirst || (lossAfter !== null && lossAfter >= SINK_NATS));
}

/** The part of an outcome that is judged. */
interface Explained {
  readonly influence: Influence;
  readonly question: Question;
  readonly prediction: { readonly target: { readonly log_probability: number } | null } | null;
}

/**
 * The attention sinks of an outcome: of the sections with the greatest scores, those before the first reason, and the first section
 * behind it. Deleting a sink changes the target far less, because another position takes its place, so it shows what the section
 * says alone.
 *
 * @returns none in prompts with a picture, and where a call failed
 * @throws  {DOMException} AbortError
 * @source  Xiao et al. 2023, arXiv:2309.17453
 */
export async function sinksIn(
  outcome: Explained,
  source: ModelSource<'evaluate'>,
  signal?: AbortSignal,
): Promise<readonly AttentionSink[]> {
  const { influence, question, prediction } = outcome;
  const whole = prediction?.target?.log_probability;
  const sinks: AttentionSink[] = [];
  if (whole === undefined || question.settings.factor >= 1 || influence.picture.length > 0) return sinks;
  let reason: TextSection | null = null;
  for (const section of rankedIn(influence.prompt, 'whole')) {
    const isFirst = section === influence.prompt[0];
    if (reason && !isFirst) continue;
    const least = Math.max(NEUTRAL_NATS, NAMED_SHARE * Math.abs(reason?.total ?? 0));
    const isAsked = section.total >= least && mayBeSink(section, isFirst);
    const rest = isAsked ? await likelihoodWithout(section, outcome, source, signal) : null;
    const loss = rest === null ? Infinity : whole - rest;
    const after = loss < LEAST_SHARE * section.total ? await lossAfter(section, question, source, signal) : null;
    const measured = { loss, lossAfter: after };
    if (misleads(measured, section.total, isFirst)) sinks.push({ id: section.id, ...measured });
    else reason ??= section;
  }
  return sinks;
}

/** What each token of the prompt after a section loses on average when the section is dimmed, nats; null where none follows, or a call failed. */
export async function lossAfter(
  { start, length }: Span,
  { prompt, settings }: Question,
  { client, model }: ModelSource<'evaluate'>,
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
