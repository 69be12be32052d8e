import type { CompleteRequest } from '../../../contract/likelihood/complete.ts';
import { DESCRIBED } from '../../../contract/description/operations.ts';
import type { RepetitionOptions, TextBiasOptions } from '../../../protocol/likelihood/complete-job.ts';
import { operation } from '../../operation.ts';
import { controlOptions } from '../../request/model-choice.ts';
import { jobPrompt } from '../../request/prompt.ts';
import { invalid, wellFormed } from '../../request/text.ts';
import { completionResult, completionPart } from './completions.ts';
import { completionEvents } from './completion-events.ts';

/** `POST /complete`. */
export const complete = operation({
  ...DESCRIBED.complete,
  kind: 'complete',
  use: 'complete',
  input: async (body, tools) => ({
    prompt: await jobPrompt(body.prompt, 'prompt', { ...tools, mayBeEmpty: true }),
    maximumTokens: body.maximum_tokens ?? null,
    minimumTokens: body.minimum_tokens,
    candidates: candidatesOf(body),
    returned: body.n,
    choice: {
      ...{ temperature: body.temperature, topK: body.top_k, topP: body.top_p },
      // Drawn here: a job that runs again on a new worker must write the same.
      seed: body.seed ?? drawnSeed(),
    },
    repetition: repetitionOf(body),
    logitBias: Object.entries(body.logit_bias ?? {}).map(([id, bias]) => [Number(id), bias] as const),
    inclusion: textBias(body, 'completion_bias_inclusion'),
    exclusion: textBias(body, 'completion_bias_exclusion'),
    stopSequences: textsOf(body, 'stop_sequences'),
    logProbabilities: body.log_probs ?? null,
    echo: body.echo,
    controls: controlOptions(body),
  }),
  output: ({ completions, promptTokens, generatedTokens }, { body, version }) => ({
    completions: completions.map((each, index) => completionResult(each, index, body)),
    model_version: version,
    num_tokens_prompt_total: promptTokens * candidatesOf(body),
    num_tokens_generated: generatedTokens,
  }),
  progress: ({ phase, done, total, completed }, body) => ({
    ...{ phase, done, total },
    ...(completed && { written: completed.map((part) => completionPart(part, body)) }),
  }),
  events: (body, version) => (body.stream === true ? completionEvents(version) : null),
});

/** Another one each time. */
export function drawnSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** @source the client's words: `best_of` is the number of candidates, and with it results cannot be streamed */
function candidatesOf({ n, best_of: bestOf, stream }: CompleteRequest): number {
  const candidates = bestOf ?? n;
  if (candidates < n) throw invalid('best_of', `at least n, which is ${n}`, `${candidates}`);
  if (candidates > n && stream === true) throw invalid('stream', 'false with best_of above n', 'true');
  return candidates;
}

function repetitionOf(body: CompleteRequest): RepetitionOptions {
  const exceptions = textsOf(body, 'penalty_exceptions');
  return {
    presence: { strength: body.presence_penalty, isMultiplicative: body.use_multiplicative_presence_penalty },
    frequency: { strength: body.frequency_penalty, isMultiplicative: body.use_multiplicative_frequency_penalty },
    sequence: { strength: body.sequence_penalty, isMultiplicative: body.use_multiplicative_sequence_penalty },
    sequenceLength: body.sequence_penalty_min_length,
    includesPrompt: body.repetition_penalties_include_prompt,
    includesCompletion: body.repetition_penalties_include_completion,
    bias: wellFormed(body.penalty_bias ?? '', 'penalty_bias'),
    exceptions: [
      ...exceptions,
      ...(body.penalty_exceptions_include_stop_sequences === false ? [] : textsOf(body, 'stop_sequences')),
    ],
  };
}

type TextsField = 'stop_sequences' | 'penalty_exceptions' | 'completion_bias_inclusion' | 'completion_bias_exclusion';

function textsOf(body: CompleteRequest, field: TextsField): readonly string[] {
  return (body[field] ?? []).map((text, index) => wellFormed(text, `${field}[${index}]`));
}

/** An empty list is none, as the client's default is. */
function textBias(
  body: CompleteRequest,
  field: 'completion_bias_inclusion' | 'completion_bias_exclusion',
): TextBiasOptions | null {
  const texts = textsOf(body, field);
  return texts.length === 0 ? null : { texts, firstTokenOnly: body[`${field}_first_token_only`] };
}
