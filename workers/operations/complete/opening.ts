import { FailureError } from '../../../src/contract/failure.ts';
import type { JobPrompt } from '../../../src/protocol/prompt.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { predictingSequence, type Sequence } from '../prompt/sequence.ts';

/**
 * A prompt to be continued. An empty one begins a text: with the special ids that the model expects in front, else with the
 * mark that its configuration names for that.
 *
 * @throws {FailureError} as `predictingSequence`; INVALID_REQUEST for an empty prompt where the model has no such mark
 */
export async function openingSequence(prompt: JobPrompt, model: LoadedModel): Promise<Sequence> {
  if (!prompt.items.every(isEmpty)) return predictingSequence(prompt, model);
  const { prefix } = model.tokenizer;
  const ids = prefix.length > 0 ? prefix : [beginMark(prompt.path, model)];
  return { path: prompt.path, ids, embeddingOverrides: [], specials: ids.length, items: [], controls: [] };
}

function isEmpty(item: JobPrompt['items'][number]): boolean {
  if (item.type === 'text') return item.text === '';
  return item.type === 'token_ids' && item.ids.length === 0;
}

function beginMark(path: string, { config, generation, network }: LoadedModel): number {
  const said: unknown[] = [generation?.config ?? {}, config].flatMap((each): unknown[] =>
    ['bos_token_id', 'eos_token_id'].flatMap((name): unknown => Reflect.get(each, name)),
  );
  const mark = said.find((id) => typeof id === 'number' && id < network.shape.vocabulary);
  if (typeof mark === 'number') return mark;
  throw new FailureError(
    'INVALID_REQUEST',
    `${path}: expected at least one token, because the model names none that begins a text, got an empty prompt`,
  );
}
