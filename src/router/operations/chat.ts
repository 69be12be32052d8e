import type { ChatMessage, ChatRequest, ChatResponse } from '../../contract/openai.ts';
import { OPENAI_DOCS, OPERATION_DOCS } from '../../contract/description/operation-docs.ts';
import type { CompletedToken } from '../../protocol/jobs.ts';
import { type Answered, operation } from '../operation.ts';
import { completeRequestOf } from '../request/openai-request.ts';
import { invalid, wellFormed } from '../request/text.ts';
import { chatLogprobs, chunkEvents, finishOf, headOf, usageOf } from '../response/openai-form.ts';
import { writingOptions } from './complete.ts';

/** Completes a dialogue, in the form that the model was trained with. @param temperature  where the request has none */
const chat = (doc: (typeof OPENAI_DOCS | typeof OPERATION_DOCS)['chat'], temperature: number) =>
  operation({
    ...doc,
    kind: 'complete',
    use: 'complete',
    async input(body) {
      if (typeof body.top_logprobs === 'number' && body.logprobs !== true)
        throw invalid('top_logprobs', 'null without logprobs', `${body.top_logprobs}`);
      const request = completeRequestOf(body, {
        temperature,
        maximum_tokens: body.max_completion_tokens ?? body.max_tokens ?? body.maximum_tokens,
        log_probs: body.logprobs === true ? (body.top_logprobs ?? 0) : null,
      });
      const messages = body.messages.map(messageOf);
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
        logprobs: logprobsOf(each.tokens, body),
      })),
      usage: usageOf(output),
    }),
    progress: ({ completed }) =>
      completed && { written: completed.map(({ index, text }) => ({ index, completion: text })) },
    events: (body, answered) => (body.stream === true ? chatEvents(body, answered) : null),
  });

/** `POST /chat/completions`, and the same as OpenAI's clients call it. */
export const chatOperations = [chat(OPERATION_DOCS.chat, 0), chat(OPENAI_DOCS.chat, 1)];

/** @source vLLM, content format `string`: texts are joined as lines */
function messageOf({ role, content }: ChatMessage, index: number) {
  const path = `messages[${index}].content`;
  const texts = typeof content === 'string' ? [content] : content.map(({ text }) => text);
  return { role: role === 'developer' ? 'system' : role, content: wellFormed(texts.join('\n'), path) };
}

function logprobsOf(tokens: readonly CompletedToken[], { logprobs }: ChatRequest) {
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
      const logprobs = logprobsOf(tokens, body);
      const isEmpty = text === '' && (logprobs === null || tokens.length === 0);
      return isEmpty ? [] : [...begin(index), choiceOf(index, { content: text }, logprobs)];
    },
    ended: ({ index, finish_reason: reason }) => [...begin(index), { ...choiceOf(index, {}), finish_reason: reason }],
  });
}
