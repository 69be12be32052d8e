import type { CompleteRequest, CompletionPart, CompletionResult } from '../../../contract/likelihood/complete.ts';
import type { CompletedPart, CompletedToken, Completion } from '../../../protocol/likelihood/complete-job.ts';

/** Fields that decide what is told of a completion. */
type Wanted = Pick<CompleteRequest, 'tokens' | 'log_probs' | 'raw_completion'>;

/** A completion on the wire. */
export function completionResult(
  { text, rawText, tokens, finish }: Completion,
  index: number,
  wanted: Wanted,
): CompletionResult {
  return { ...onWire({ index, text, rawText, tokens }, wanted), finish_reason: finish };
}

/** What is new of a completion. Only the whole of it says what a stop sequence cut off. */
export function completionPart(part: CompletedPart, wanted: Wanted): CompletionPart {
  return onWire({ ...part, rawText: null }, wanted);
}

interface Written extends CompletedPart {
  /** null: not known yet. */
  readonly rawText: string | null;
}

/** Which fields come with which wish. @source recorded replies of the service */
function onWire({ index, text, rawText, tokens }: Written, wanted: Wanted): CompletionPart {
  const isRated = wanted.log_probs !== null && wanted.log_probs !== undefined;
  const isRaw = wanted.raw_completion || wanted.tokens || isRated;
  return {
    index,
    ...(isRated && { log_probs: tokens.map(logProbabilities) }),
    completion: text,
    ...(isRaw && rawText !== null && { raw_completion: rawText }),
    ...(wanted.tokens && { completion_tokens: tokens.map(({ token }) => token) }),
  };
}

/** Alternatives come first, so that of two tokens that read alike the written one stands. */
function logProbabilities({ token, logProbability, alternatives }: CompletedToken): Record<string, number> {
  const listed = [...alternatives, ...(Number.isNaN(logProbability) ? [] : [{ token, logProbability }])];
  return Object.fromEntries(listed.map((each) => [each.token, each.logProbability]));
}
