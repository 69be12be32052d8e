import { codePointMap } from '../../contract/code-points.ts';
import type { Prompt, PromptItem, TextControl, TokenControl } from '../../contract/prompt.ts';
import type { JobPrompt, JobControl, JobPromptItem } from '../../protocol/prompt.ts';
import { FailureError } from '../../contract/failure.ts';
import type { Model } from '../../models/model.ts';
import type { BytesOf } from './files-reader.ts';
import { jobImage } from './image.ts';
import { invalid, wellFormed } from './text.ts';

/** What a prompt is checked with. */
export interface PromptTools {
  /** An empty prompt is one, too. Left out: it is refused. */
  readonly mayBeEmpty?: boolean;
  readonly model: Pick<Model, 'name' | 'capabilities'>;
  readonly bytesOf: BytesOf;
}

/**
 * A prompt checked as far as that needs no model; spans become UTF-16 here and nowhere else.
 *
 * @param path  of the prompt in the request
 * @throws {FailureError} INVALID_REQUEST for an empty prompt, text that is not well-formed, a control that reaches
 *   beyond its item, or an image that `jobImage` refuses; MISSING_CAPABILITY for an image that the model cannot read
 */
export async function jobPrompt(prompt: Prompt, path: string, tools: PromptTools): Promise<JobPrompt> {
  const given: readonly PromptItem[] = typeof prompt === 'string' ? [{ type: 'text', data: prompt }] : prompt;
  if (given.every(isEmpty) && !tools.mayBeEmpty) throw invalid(path, 'at least one token', 'an empty prompt');
  const items: JobPromptItem[] = [];
  for (const [index, item] of given.entries()) items.push(await jobItem(item, `${path}[${index}]`, tools));
  return { path, items };
}

/** Whether an item holds nothing at all; an image never does. */
export function isEmpty({ type, data }: PromptItem): boolean {
  return type !== 'image' && data.length === 0;
}

async function jobItem(item: PromptItem, path: string, { model, bytesOf }: PromptTools): Promise<JobPromptItem> {
  switch (item.type) {
    case 'text':
      return {
        type: 'text',
        text: wellFormed(item.data, `${path}.data`),
        controls: textControls(item.data, item.controls ?? [], path),
      };
    case 'token_ids':
      return { type: 'token_ids', ids: item.data, controls: tokenControls(item.data, item.controls ?? [], path) };
    case 'image':
      if (!model.capabilities.includes('images'))
        throw new FailureError(
          'MISSING_CAPABILITY',
          `${path}: expected text or token ids, which are all that "${model.name}" reads, got an image`,
        );
      return jobImage(item, path, bytesOf);
  }
}

function textControls(text: string, controls: readonly TextControl[], path: string): JobControl[] {
  if (controls.length === 0) return [];
  const map = codePointMap(text);
  return controls.map(({ start, length, factor, token_overlap: overlap }, i) => {
    if (start + length > map.length)
      throw invalid(`${path}.controls[${i}]`, `start + length of at most ${map.length}`, `${start + length}`);
    return { span: map.toUtf16({ start, length }), factor, overlap: overlap ?? 'partial' };
  });
}

function tokenControls(ids: readonly number[], controls: readonly TokenControl[], path: string): JobControl[] {
  return controls.map(({ index, factor }, i) => {
    if (index >= ids.length) throw invalid(`${path}.controls[${i}].index`, `less than ${ids.length}`, `${index}`);
    return { index, factor, overlap: 'complete' };
  });
}
