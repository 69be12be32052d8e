import type { Answer, CallOptions, ModelSource } from '../client/client.ts';
import { codePointMap, type Span, withoutSpans } from '../contract/code-points.ts';

/** What each token after some words of a text loses on average without one of them, nats. */
export interface FirstWord {
  readonly word: string;
  /** Attention to the word is multiplied by 0.1. */
  readonly dimmed: number;
  /** The word is deleted, so that another one is in its place. */
  readonly deleted: number;
}

/** Words that are compared. */
const COUNT = 3;

const FACTOR = 0.1;

/** `requestLosses` of the first three words of a text. */
export function requestFirstWords(text: string, source: ModelSource<'evaluate'>, call: CallOptions) {
  return requestLosses(text, [...text.matchAll(/\S+/g)].slice(0, COUNT), source, call);
}

/**
 * Compares dimming each of some words of a text with deleting it, by the likelihood of the text after them.
 *
 * @returns no words where no text follows them
 * @throws  if the connection is lost, and {DOMException} AbortError
 * @source  Xiao et al. 2023, arXiv:2309.17453: attention to the first position does not depend on what stands there
 */
export async function requestLosses(
  text: string,
  words: readonly RegExpExecArray[],
  { client, model }: ModelSource<'evaluate'>,
  call: CallOptions,
): Promise<Answer<readonly FirstWord[]>> {
  const end = words.reduce((sum, { index, 0: word }) => Math.max(sum, index + word.length), 0);
  const [start, rest] = [text.slice(0, end), text.slice(end)];
  if (rest.trim() === '') return { ok: true, value: [] };
  const rate = (data: string, controls: readonly Span[] = []) =>
    client.evaluate(
      {
        model,
        prompt: [{ type: 'text', data, controls: controls.map((span) => ({ ...span, factor: FACTOR })) }],
        completion_expected: rest,
        control_log_additive: false,
      },
      call,
    );
  const whole = await rate(start);
  if (!whole.ok) return whole;
  const { log_probability: before, token_count: tokens } = whole.value.result;
  const found: FirstWord[] = [];
  for (const { index, 0: word } of words) {
    const span = codePointMap(text).toCodePoints({ start: index, length: word.length });
    const dimmed = await rate(start, [span]);
    const deleted = await rate(withoutSpans([...start], [span]));
    if (!dimmed.ok) return dimmed;
    if (!deleted.ok) return deleted;
    const loss = ({ value }: typeof dimmed) => (before - value.result.log_probability) / tokens;
    found.push({ word, dimmed: loss(dimmed), deleted: loss(deleted) });
  }
  return { ok: true, value: found };
}
