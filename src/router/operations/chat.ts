import { type ChatEvent, type ChatRequest, type ChatResponse, CompleteRequest } from '../../contract/complete.ts';
import { OPERATION_DOCS } from '../../contract/description/operation-docs.ts';
import { operation } from '../operation.ts';
import { wellFormed } from '../request/text.ts';
import { type EventForm, responseBody } from '../response/respond.ts';
import { writingOptions } from './complete.ts';

/** `POST /chat/completions`: completes a dialogue, in the form that the model was trained with. */
export const chatOperation = operation({
  ...OPERATION_DOCS.chat,
  kind: 'complete',
  use: 'complete',
  async input({ model, messages, maximum_tokens, max_tokens, temperature, top_k, top_p, seed }) {
    const options = { maximum_tokens: maximum_tokens ?? max_tokens, temperature, top_k, top_p, seed };
    const body = CompleteRequest.parse({ model, prompt: '', ...options });
    return {
      ...body,
      prompt: { path: 'messages', items: [] },
      ...writingOptions(body),
      messages: messages.map(({ role, content }, index) => ({
        role,
        content: wellFormed(content, `messages[${index}].content`),
      })),
    };
  },
  output: ({ completions: [first], promptTokens, generatedTokens }, { version }) => ({
    ...headOf(version),
    object: 'chat.completion' as const,
    choices: [
      {
        finish_reason:
          (first?.finish ?? 'maximum_tokens') === 'maximum_tokens' ? ('length' as const) : ('stop' as const),
        index: 0,
        message: { role: 'assistant' as const, content: first?.text ?? '' },
        logprobs: null,
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: generatedTokens,
      total_tokens: promptTokens + generatedTokens,
    },
  }),
  progress: ({ completed }) =>
    completed && { written: completed.map(({ index, text }) => ({ index, completion: text })) },
  events: (body, version) => (body.stream === true ? chatEvents(body, version) : null),
});

function headOf(version: string): Pick<ChatResponse, 'id' | 'created' | 'model' | 'system_fingerprint'> {
  const created = Math.floor(Date.now() / 1000);
  return { id: crypto.randomUUID(), created, model: version, system_fingerprint: null };
}

type Chunk = Extract<ChatEvent, { readonly choices: unknown }>;

/** @source recorded replies of the service */
function chatEvents({ stream_options: options }: ChatRequest, version: string): EventForm<ChatResponse> {
  const head = { ...headOf(version), object: 'chat.completion.chunk' as const };
  const chunk = (delta: Chunk['choices'][number]['delta'], reason: 'stop' | 'length' | null = null): Chunk => ({
    ...head,
    choices: [{ finish_reason: reason, index: 0, delta, logprobs: null }],
    usage: null,
  });
  let isBegun = false;
  const begin = (): Chunk[] => {
    const first = isBegun ? [] : [chunk({ role: 'assistant', content: '' })];
    isBegun = true;
    return first;
  };
  return {
    progress({ written = [] }) {
      const texts = written.map(({ completion }) => completion).filter((text) => text !== '');
      return texts.length === 0 ? [] : [...begin(), ...texts.map((content) => chunk({ content }))];
    },
    last: ({ choices: [choice], usage }) => [
      ...begin(),
      chunk({}, choice?.finish_reason ?? 'stop'),
      ...(options?.include_usage ? [{ ...head, choices: [], usage }] : []),
      '[DONE]',
    ],
    failed: (failure) => [responseBody(failure)],
  };
}
