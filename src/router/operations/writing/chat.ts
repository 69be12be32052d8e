import type { ChatEvent, ChatRequest, ChatResponse } from '../../../contract/likelihood/chat.ts';
import { DESCRIBED } from '../../../contract/description/operations.ts';
import type { Finish } from '../../../protocol/likelihood/complete-job.ts';
import { operation } from '../../operation.ts';
import { wellFormed } from '../../request/text.ts';
import type { EventForm } from '../../response/events.ts';
import { bodyOf } from '../../response/respond.ts';
import { drawnSeed } from './complete.ts';

const NONE = { strength: 0, isMultiplicative: false };
const NO_PENALTIES = {
  ...{ presence: NONE, frequency: NONE, sequence: NONE, sequenceLength: 2 },
  ...{ includesPrompt: false, includesCompletion: true, bias: '', exceptions: [] },
};

/** `POST /chat/completions`: a dialogue, in the form that the model was trained with, is completed. */
export const chat = operation({
  ...DESCRIBED.chat,
  kind: 'complete',
  use: 'complete',
  input: async (body) => ({
    prompt: { path: 'messages', items: [] },
    messages: body.messages.map(({ role, content }, index) => ({
      role,
      content: wellFormed(content, `messages[${index}].content`),
    })),
    maximumTokens: body.maximum_tokens ?? body.max_tokens ?? null,
    minimumTokens: 0,
    ...{ candidates: 1, returned: 1, repetition: NO_PENALTIES, logitBias: [], inclusion: null, exclusion: null },
    ...{ stopSequences: [], logProbabilities: null, echo: false },
    choice: { temperature: body.temperature, topK: body.top_k, topP: body.top_p, seed: body.seed ?? drawnSeed() },
    controls: { contextualThreshold: null, logAdditive: true },
  }),
  output: ({ completions: [first], promptTokens, generatedTokens }, { version }) => ({
    ...headOf(version),
    object: 'chat.completion' as const,
    choices: [
      {
        finish_reason: reasonOf(first?.finish ?? 'maximum_tokens'),
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
  progress: ({ phase, done, total, completed }) => ({
    ...{ phase, done, total },
    ...(completed && { written: completed.map(({ index, text }) => ({ index, completion: text })) }),
  }),
  events: (body, version) => (body.stream === true ? chatEvents(body, version) : null),
});

function headOf(version: string): Pick<ChatResponse, 'id' | 'created' | 'model' | 'system_fingerprint'> {
  const created = Math.floor(Date.now() / 1000);
  return { id: crypto.randomUUID(), created, model: version, system_fingerprint: null };
}

function reasonOf(finish: Finish): 'stop' | 'length' {
  return finish === 'maximum_tokens' ? 'length' : 'stop';
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
    failed: (failure) => [bodyOf(failure)],
  };
}
