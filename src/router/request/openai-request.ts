import { CompleteRequest } from '../../contract/complete.ts';
import type { ChatRequest, CompletionsRequest, OpenAiInputs } from '../../contract/openai.ts';
import type { Prompt } from '../../contract/prompt.ts';
import type { JobPrompt } from '../../protocol/model-job.ts';
import type { InputTools } from '../operation.ts';
import { jobPrompt } from './prompt.ts';
import { wellFormed } from './text.ts';

/**
 * The fields of `/complete` that mean the same.
 *
 * @param own  the fields that operations name differently; `temperature` is used where the body has none
 */
export function completeRequestOf(
  body: ChatRequest | CompletionsRequest,
  own: Pick<CompleteRequest, 'maximum_tokens' | 'temperature' | 'best_of' | 'log_probs'>,
): CompleteRequest {
  const { model, n, seed, stop, stream, logit_bias } = body;
  const stops = typeof stop === 'string' ? [stop] : (stop ?? []);
  return CompleteRequest.parse({
    ...own,
    ...samplingOf({ ...body, temperature: body.temperature ?? own.temperature }),
    model,
    stream,
    logit_bias,
    prompt: '',
    n: n ?? 1,
    seed: typeof seed === 'number' ? seed >>> 0 : null,
    stop_sequences: stops.map((text, index) => wellFormed(text, `stop[${index}]`)),
    penalty_exceptions_include_stop_sequences: false,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
  });
}

/** To OpenAI a temperature or a `top_p` of 0 is the likeliest token; to `/complete` a `top_p` of 0 means all tokens, and so does 1. */
function samplingOf({
  temperature,
  top_p: topP,
  top_k: topK,
}: Pick<ChatRequest, 'top_p' | 'top_k'> & { readonly temperature: number }) {
  if (temperature === 0 || topP === 0) return { temperature: 0, top_p: 0, top_k: 0 };
  return { temperature, top_p: topP === 1 ? 0 : (topP ?? 0), top_k: topK ?? 0 };
}

/** The prompts of an operation that takes one or several. @param path  of the field in the request */
export async function jobPromptsOf(
  given: OpenAiInputs,
  path: string,
  tools: InputTools & { readonly mayBeEmpty?: boolean },
): Promise<readonly JobPrompt[]> {
  const prompts = promptsOf(given);
  const checked: JobPrompt[] = [];
  for (const [index, prompt] of prompts.entries())
    checked.push(await jobPrompt(prompt, prompts.length > 1 ? `${path}[${index}]` : path, tools));
  return checked;
}

function promptsOf(given: OpenAiInputs): readonly Prompt[] {
  if (typeof given === 'string') return [given];
  const ids = given.filter((each) => typeof each === 'number');
  if (ids.length > 0) return [[{ type: 'token_ids', data: ids }]];
  return given.flatMap((each): Prompt[] => {
    if (typeof each === 'string') return [each];
    return typeof each === 'number' ? [] : [[{ type: 'token_ids', data: each }]];
  });
}
