import { FailureError } from '../../src/contract/failure.ts';
import type { PromptItem } from '../../src/contract/prompt.ts';
import type { ReadableDocument } from '../../src/protocol/jobs.ts';
import type { LoadedModel } from '../engine/engine.ts';
import { chunksOf } from '../kernels/chunking.ts';
import type { Passage, Reader } from './reader.ts';
import { checkWellFormed, sequenceOf } from './sequence.ts';

/** Tokens of a chunk at most: a long paragraph. The embedded reader was trained on passages of up to so many. */
const LONGEST_CHUNK = 255;

/** Who is to read a document. */
interface ReadBy {
  readonly model: LoadedModel;
  readonly reader: Pick<Reader, 'passageTokens'>;
}

/**
 * What there is to read in a document: chunks of a text, a prompt as it is, nothing where it is blank.
 *
 * @param path  where the document stands in the request, such as `documents[2]`
 * @throws {FailureError} INVALID_REQUEST, MISSING_CAPABILITY for images, PROMPT_TOO_LONG for a prompt
 */
export async function* passagesOf(document: ReadableDocument, path: string, by: ReadBy): AsyncGenerator<Passage> {
  if (document.type === 'prompt') return yield* promptPassage(document.items, `${path}.prompt`, by);
  checkWellFormed(document.text, `${path}.text`);
  const { tokenize, longestPiece } = by.model.tokenizer;
  const limit = Math.min(LONGEST_CHUNK, by.reader.passageTokens);
  for (const { tokenized } of chunksOf(document.text, { limit, tokenize, longestPiece })) yield tokenized;
}

/** A prompt's items side by side. @source interface.md, POST /qa: a prompt document is left as it is */
async function* promptPassage(
  prompt: readonly PromptItem[],
  path: string,
  { model, reader }: ReadBy,
): AsyncGenerator<Passage> {
  const image = prompt.findIndex(({ type }) => type === 'image');
  if (image >= 0)
    throw new FailureError('MISSING_CAPABILITY', `${path}[${image}]: expected text or token ids to read, got an image`);
  if (prompt.every(isEmpty)) return;
  const taken = model.network.shape.contextTokens - reader.passageTokens;
  const after = new Array<number>(taken).fill(0); // keeps the place of the question
  const { ids: framed, items, controls } = await sequenceOf(prompt, model, { path, before: [], after });
  const ids = framed.slice(0, framed.length - taken);
  let text = '';
  const spans = items.flatMap((item) => {
    const { first, count } = item;
    const read = item.type === 'text' ? item.tokenized : model.tokenizer.read(ids.slice(first, first + count));
    const before = text.length;
    text += read.text;
    return read.spans.map(({ start, length }) => ({ start: before + start, length }));
  });
  const isControlled = [...controls.values()].some((factor) => factor !== 1);
  if (text.trim() !== '') yield { text, ids, spans, ...(isControlled && { factors: controls }) };
}

function isEmpty({ data }: PromptItem): boolean {
  return data.length === 0;
}
