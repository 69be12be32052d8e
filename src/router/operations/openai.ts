import { FRAGMENT } from '../../contract/code-points.ts';
import type {
  ChatLogprobs,
  ChatRequest,
  ChatResponse,
  CompletionsRequest,
  CompletionsResponse,
  OpenAiUsage,
  PromptLogprob,
  TextLogprobs,
} from '../../contract/openai.ts';
import { OPENAI_DOCS, OPERATION_DOCS } from '../../contract/description/operation-docs.ts';
import type { CompletedToken, CompletePart, Completion, JobMessage, Jobs } from '../../protocol/jobs.ts';
import { type Answered, operation } from '../operation.ts';
import { completeRequestOf, jobMessageOf, jobPromptsOf } from '../request/openai-request.ts';
import { invalid } from '../request/text.ts';
import { logProbabilitiesByText, writingOptions } from './complete.ts';
import type { Failure } from '../../contract/failure.ts';
import type { EventForm } from '../response/respond.ts';

/** Completes a dialogue, in the form that the model was trained with. @param temperature  where the request has none */
const chat = (doc: (typeof OPENAI_DOCS | typeof OPERATION_DOCS)['chat'], temperature: number) =>
  operation({
    ...doc,
    kind: 'complete',
    use: 'complete',
    async input(body, { model }) {
      if (typeof body.top_logprobs === 'number' && body.logprobs !== true)
        throw invalid('top_logprobs', 'null without logprobs', `${body.top_logprobs}`);
      const request = completeRequestOf(body, {
        temperature,
        maximum_tokens: body.max_completion_tokens ?? body.max_tokens ?? body.maximum_tokens,
        log_probs: body.logprobs === true ? (body.top_logprobs ?? 0) : null,
      });
      const messages: JobMessage[] = [];
      for (const [index, message] of body.messages.entries())
        messages.push(await jobMessageOf(message, `messages[${index}].content`, model));
      return {
        ...request,
        ...writingOptions(request),
        prompts: [{ path: 'messages', messages }],
        promptAlternatives: null,
      };
    },
    output: (output, { body, version }) => ({
      ...headOf('chat.completion' as const, version),
      choices: output.completions.map((each, index) => ({
        finish_reason: finishOf(each),
        index,
        message: { role: 'assistant' as const, content: each.text, refusal: null },
        logprobs: chatLogprobsOf(each.tokens, body),
      })),
      usage: usageOf(output),
    }),
    progress: ({ completed }) =>
      completed && { written: completed.map(({ index, text }) => ({ index, completion: text })) },
    events: (body, answered) => (body.stream === true ? chatEvents(body, answered) : null),
  });

/** `POST /chat/completions`, and the same as OpenAI's clients call it. */
export const chatOperations = [chat(OPERATION_DOCS.chat, 0), chat(OPENAI_DOCS.chat, 1)];

function chatLogprobsOf(tokens: readonly CompletedToken[], { logprobs }: ChatRequest) {
  return logprobs === true ? chatLogprobs(tokens) : null;
}

/** @source recorded replies of the service */
function chatEvents(body: ChatRequest, { version, errorBody }: Answered) {
  const begun = new Set<number>();
  const choiceOf = (index: number, delta: object, logprobs: object | null = null) => ({
    finish_reason: null,
    index,
    delta,
    logprobs,
  });
  const begin = (index: number) => {
    const first = begun.has(index) ? [] : [choiceOf(index, { role: 'assistant', content: '' })];
    begun.add(index);
    return first;
  };
  return chunkEvents<ChatResponse['choices'][number]>({
    head: headOf('chat.completion.chunk' as const, version),
    wantsUsage: body.stream_options?.include_usage === true,
    errorBody,
    written({ index, text, tokens }) {
      const logprobs = chatLogprobsOf(tokens, body);
      const isEmpty = text === '' && (logprobs === null || tokens.length === 0);
      return isEmpty ? [] : [...begin(index), choiceOf(index, { content: text }, logprobs)];
    },
    ended: ({ index, finish_reason: reason }) => [...begin(index), { ...choiceOf(index, {}), finish_reason: reason }],
  });
}

/** Tokens of a completion where the request has no limit. @source OpenAI API reference, "Create completion" */
const MAX_TOKENS = 16;

/** `POST /v1/completions`. */
export const completionsOperation = operation({
  ...OPENAI_DOCS.completions,
  kind: 'complete',
  use: 'complete',
  async input(body, tools) {
    const promptAlternatives = body.prompt_logprobs ?? null;
    if (promptAlternatives !== null && body.stream === true)
      throw invalid('prompt_logprobs', 'null with stream', `${promptAlternatives}`);
    const request = completeRequestOf(body, {
      temperature: 1,
      maximum_tokens: body.max_tokens ?? MAX_TOKENS,
      best_of: body.best_of,
      log_probs: body.logprobs,
    });
    return {
      ...request,
      ...writingOptions(request),
      echo: body.echo === true,
      prompts: await jobPromptsOf(body.prompt ?? '', 'prompt', { ...tools, mayBeEmpty: true }),
      promptAlternatives,
    };
  },
  output: (output, { body, version }) => ({
    ...headOf('text_completion' as const, version),
    choices: output.completions.map((each, index) => {
      const rated = output.ratedPrompts[Math.floor(index / (body.n ?? 1))];
      return {
        text: each.text,
        index,
        logprobs: logprobsOf(each, body),
        finish_reason: finishOf(each),
        ...(rated && { prompt_logprobs: rated.map(promptLogprob) }),
      };
    }),
    usage: usageOf(output),
  }),
  progress: ({ completed }) =>
    completed && { written: completed.map(({ index, text }) => ({ index, completion: text })) },
  events: (body, answered) => (body.stream === true ? completionsEvents(body, answered) : null),
});

function logprobsOf(
  { text, tokens }: Pick<Completion, 'text' | 'tokens'>,
  { logprobs }: CompletionsRequest,
  offsetsOf = createOffsets(),
) {
  return typeof logprobs === 'number' ? textLogprobs(tokens, offsetsOf(tokens, text)) : null;
}

function completionsEvents(body: CompletionsRequest, { version, errorBody }: Answered) {
  const offsets: ReturnType<typeof createOffsets>[] = [];
  return chunkEvents<CompletionsResponse['choices'][number]>({
    head: headOf('text_completion' as const, version),
    wantsUsage: body.stream_options?.include_usage === true,
    errorBody,
    written(part) {
      const { text, index } = part;
      const logprobs = logprobsOf(part, body, (offsets[index] ??= createOffsets()));
      return [{ text, index, logprobs, finish_reason: null }];
    },
    ended: ({ index, finish_reason: reason }) => [{ text: '', index, logprobs: null, finish_reason: reason }],
  });
}

function headOf<Kind extends string>(object: Kind, version: string) {
  const created = Math.floor(Date.now() / 1000);
  return { id: crypto.randomUUID(), created, model: version, system_fingerprint: null, object };
}

function usageOf({
  promptTokens,
  generatedTokens,
}: Pick<Jobs['complete']['output'], 'promptTokens' | 'generatedTokens'>): OpenAiUsage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: generatedTokens,
    total_tokens: promptTokens + generatedTokens,
  };
}

function finishOf({ finish }: Pick<Completion, 'finish'>): 'length' | 'stop' {
  return finish === 'maximum_tokens' ? 'length' : 'stop';
}

/** Places of the tokens of a text that grows, code points: those of a character's bytes have its place. */
export function createOffsets() {
  let text = '';
  let [at, offset] = [0, 0]; // of the next token, UTF-16 units and code points
  let isWithin = false; // a character of several tokens
  const skip = (passed: string) => {
    at += passed.length;
    offset += [...passed].length;
  };
  /** Where a token follows; the text may end within it, before a stop sequence. */
  const nextPlace = (token: string) => {
    let place = at;
    while (!text.startsWith(token, place) && !token.startsWith(text.slice(place))) place++;
    return place;
  };
  return (tokens: readonly CompletedToken[], fresh: string): number[] => {
    text += fresh;
    return tokens.map(({ token }) => {
      const isFragment = token.includes(FRAGMENT);
      if (isWithin && !isFragment) skip(text.slice(at, nextPlace(token)));
      // Tokens of words are shown without the space between them.
      else if (!text.startsWith(token, at) && text.startsWith(` ${token}`, at)) skip(' ');
      isWithin = isFragment;
      const place = offset;
      // A mark that a tokenizer puts before a text is shown as a space.
      const isMarked = at === 0 && text !== '' && !text.startsWith(token);
      if (!isFragment) skip(isMarked ? token.replace(/^ /, '') : token);
      return place;
    });
  };
}

function textLogprobs(tokens: readonly CompletedToken[], offsets: number[]): TextLogprobs {
  const isRated = tokens.map(({ log_probability: rating }) => !Number.isNaN(rating));
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ log_probability: rating }, i) => (isRated[i] ? rating : null)),
    top_logprobs: tokens.map((token, i) => (isRated[i] ? logProbabilitiesByText(token) : null)),
    text_offset: offsets,
  };
}

/** The alternatives of a prompt's token and the token itself, by their ids; null where nothing predicts it. */
function promptLogprob({ alternatives, ...given }: CompletedToken): PromptLogprob | null {
  if (Number.isNaN(given.log_probability)) return null;
  const ranked = alternatives.map((each, index) => ({ ...each, rank: index + 1 }));
  return Object.fromEntries(
    [...ranked, given].map(({ id, rank, token, log_probability: logprob }) => [
      id,
      { logprob, rank, decoded_token: token },
    ]),
  );
}

function chatLogprobs(tokens: readonly CompletedToken[]): ChatLogprobs {
  const content = tokens.map((token) => ({ ...chatToken(token), top_logprobs: token.alternatives.map(chatToken) }));
  return { content, refusal: null };
}

const encoder = new TextEncoder();

function chatToken({ token, log_probability: logprob }: Pick<CompletedToken, 'token' | 'log_probability'>) {
  return { token, logprob, bytes: token.includes('\uFFFD') ? null : [...encoder.encode(token)] };
}

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
function chunkEvents<Choice>({
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
