import type { ChatLogprobs, OpenAiUsage, PromptLogprob, TextLogprobs } from '../../contract/openai.ts';
import type { Failure } from '../../contract/failure.ts';
import type { CompletedToken, CompletePart, Completion, Jobs } from '../../protocol/jobs.ts';
import type { EventForm } from './respond.ts';

/** Fields of every object of a response. */
export function headOf<Kind extends string>(object: Kind, version: string) {
  const created = Math.floor(Date.now() / 1000);
  return { id: crypto.randomUUID(), created, model: version, system_fingerprint: null, object };
}

/** The tokens of a job. */
export function usageOf({
  promptTokens,
  generatedTokens,
}: Pick<Jobs['complete']['output'], 'promptTokens' | 'generatedTokens'>): OpenAiUsage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: generatedTokens,
    total_tokens: promptTokens + generatedTokens,
  };
}

/** Why a completion ended. */
export function finishOf({ finish }: Pick<Completion, 'finish'>): 'length' | 'stop' {
  return finish === 'maximum_tokens' ? 'length' : 'stop';
}

/** Tokens by their text. Alternatives come first, so that of two tokens with the same text the written one is kept. */
export function logProbabilitiesByText({ alternatives, ...written }: CompletedToken): Record<string, number> {
  const listed = Number.isNaN(written.log_probability) ? alternatives : [...alternatives, written];
  return Object.fromEntries(listed.map((each) => [each.token, each.log_probability]));
}

/** @param offset  code points of the text before the first of the tokens */
export function textLogprobs(tokens: readonly CompletedToken[], offset = 0): TextLogprobs {
  const isRated = tokens.map(({ log_probability: rating }) => !Number.isNaN(rating));
  const offsets: number[] = [];
  let next = offset;
  for (const { token } of tokens) {
    offsets.push(next);
    next += [...token].length;
  }
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ log_probability: rating }, i) => (isRated[i] ? rating : null)),
    top_logprobs: tokens.map((token, i) => (isRated[i] ? logProbabilitiesByText(token) : null)),
    text_offset: offsets,
  };
}

/** The alternatives of a prompt's token and the token itself, by their ids; null where nothing predicts it. */
export function promptLogprob({ alternatives, ...given }: CompletedToken): PromptLogprob | null {
  if (Number.isNaN(given.log_probability)) return null;
  const ranked = alternatives.map((each, index) => ({ ...each, rank: index + 1 }));
  return Object.fromEntries(
    [...ranked, given].map(({ id, rank, token, log_probability: logprob }) => [
      id,
      { logprob, rank, decoded_token: token },
    ]),
  );
}

/** The tokens of an answer in a dialogue. */
export function chatLogprobs(tokens: readonly CompletedToken[]): ChatLogprobs {
  const content = tokens.map((token) => ({ ...chatToken(token), top_logprobs: token.alternatives.map(chatToken) }));
  return { content, refusal: null };
}

const encoder = new TextEncoder();

function chatToken({ token, log_probability: logprob }: Pick<CompletedToken, 'token' | 'log_probability'>) {
  return { token, logprob, bytes: token.includes('\uFFFD') ? null : [...encoder.encode(token)] };
}

/** How an operation writes the choices of its events. */
interface ChunkForm<Choice> {
  readonly head: object;
  readonly wantsUsage: boolean;
  readonly errorBody: (failure: Failure) => object;
  /** The choices of new text. */
  written(part: CompletePart): readonly object[];
  /** Those that end a choice. */
  ended(choice: Choice): readonly object[];
}

/** A choice for each event; after the last the usage, if it is wanted, and `[DONE]`. */
export function chunkEvents<Choice>({
  head,
  wantsUsage,
  errorBody,
  written,
  ended,
}: ChunkForm<Choice>): EventForm<{ readonly choices: readonly Choice[]; readonly usage: OpenAiUsage }> {
  const chunk = (choice: object) => ({ ...head, choices: [choice], usage: null });
  return {
    progress: ({ completed = [] }) => completed.flatMap(written).map(chunk),
    last: ({ choices, usage }) => [
      ...choices.flatMap(ended).map(chunk),
      ...(wantsUsage ? [{ ...head, choices: [], usage }] : []),
      '[DONE]',
    ],
    failed: (failure) => [errorBody(failure)],
  };
}
