import type { CompletionsRequest, CompletionsResponse } from '../../contract/openai.ts';
import { OPENAI_DOCS } from '../../contract/description/operation-docs.ts';
import type { CompletedToken } from '../../protocol/jobs.ts';
import { type Answered, operation } from '../operation.ts';
import { completeRequestOf, jobPromptsOf } from '../request/openai-request.ts';
import { invalid } from '../request/text.ts';
import { chunkEvents, finishOf, headOf, promptLogprob, textLogprobs, usageOf } from '../response/openai-form.ts';
import { writingOptions } from './complete.ts';

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
        logprobs: logprobsOf(each.tokens, body),
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

function logprobsOf(tokens: readonly CompletedToken[], { logprobs }: CompletionsRequest, offset = 0) {
  return typeof logprobs === 'number' ? textLogprobs(tokens, offset) : null;
}

function completionsEvents(body: CompletionsRequest, { version, errorBody }: Answered) {
  const offsets = new Map<number, number>();
  return chunkEvents<CompletionsResponse['choices'][number]>({
    head: headOf('text_completion' as const, version),
    wantsUsage: body.stream_options?.include_usage === true,
    errorBody,
    written({ index, text, tokens }) {
      const offset = offsets.get(index) ?? 0;
      offsets.set(index, offset + tokens.reduce((sum, { token }) => sum + [...token].length, 0));
      return [{ text, index, logprobs: logprobsOf(tokens, body, offset), finish_reason: null }];
    },
    ended: ({ index, finish_reason: reason }) => [{ text: '', index, logprobs: null, finish_reason: reason }],
  });
}
