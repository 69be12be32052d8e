import { CompleteRequest } from '../../contract/complete.ts';
import type { ChatMessage, ChatRequest, CompletionsRequest, OpenAiInputs } from '../../contract/openai.ts';
import type { Prompt } from '../../contract/prompt.ts';
import type { JobMessage } from '../../protocol/jobs.ts';
import type { JobPrompt } from '../../protocol/model-job.ts';
import { shown } from '../../contract/shown.ts';
import type { InputTools } from '../operation.ts';
import { jobPrompt, wholeImage } from './prompt.ts';
import { invalid, wellFormed } from './text.ts';

/** As fields of `/complete`. @param own  what operations name differently; `temperature` where the body has none */
export function completeRequestOf(
  body: ChatRequest | CompletionsRequest,
  own: Pick<CompleteRequest, 'maximum_tokens' | 'temperature' | 'best_of' | 'log_probs'>,
): CompleteRequest {
  const { model, n, seed, stop, stream, logit_bias, response_format } = body;
  const stops = typeof stop === 'string' ? [stop] : (stop ?? []);
  return CompleteRequest.parse({
    ...own,
    ...samplingOf({ ...body, temperature: body.temperature ?? own.temperature }),
    model,
    stream,
    logit_bias,
    response_format,
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

/** Pictures come with the request: nothing is fetched. */
const DATA_URL = /^data:image\/[a-z+.-]+;base64,/i;

/**
 * A message of a dialogue, checked as far as that needs no model.
 *
 * @param path  of its content in the request
 * @throws {FailureError} INVALID_REQUEST for text that is not well-formed, a picture that is no `data:` URL, or one that `wholeImage`
 *   refuses; MISSING_CAPABILITY for a picture that the model cannot read
 */
export async function jobMessageOf(
  { role, content }: ChatMessage,
  path: string,
  model: InputTools['model'],
): Promise<JobMessage> {
  const parts: JobMessage['content'][number][] = [];
  const given = typeof content === 'string' ? [content] : content;
  for (const [index, part] of given.entries())
    if (typeof part === 'string') parts.push(wellFormed(part, path));
    else if (part.type === 'text') parts.push(wellFormed(part.text, `${path}[${index}].text`));
    else parts.push(await pictureOf(part.image_url.url, `${path}[${index}].image_url.url`, model));
  return { role: role === 'developer' ? 'system' : role, content: parts };
}

async function pictureOf(url: string, path: string, model: InputTools['model']) {
  const [head] = DATA_URL.exec(url) ?? [];
  if (head !== undefined) return wholeImage(url.slice(head.length), path, model);
  const expected = 'a picture as data:image/…;base64,…, because addresses are not fetched';
  throw invalid(path, expected, shown(url));
}
