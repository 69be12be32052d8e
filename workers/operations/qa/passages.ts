import type { ReadableDocument } from '../../../src/protocol/document-jobs.ts';
import type { JobPrompt } from '../../../src/protocol/prompt.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { controlFactors } from '../../kernels/control-factors.ts';
import { chunksOf } from '../../kernels/text/chunking.ts';
import type { Passage, Reader } from './reader.ts';
import { withinLimit } from '../prompt/factor-limit.ts';
import { sequenceOf, type SequenceItem } from '../prompt/sequence.ts';

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
 * @param index  of the document in its job
 * @throws {FailureError} INVALID_REQUEST, MISSING_CAPABILITY for images, PROMPT_TOO_LONG for a prompt, and as `withinLimit`
 */
export async function* passagesOf(document: ReadableDocument, index: number, by: ReadBy): AsyncGenerator<Passage> {
  if (document.type === 'prompt') return yield* promptPassage(document.prompt, by);
  const { tokenize, longestPiece } = by.model.tokenizer;
  const limit = Math.min(LONGEST_CHUNK, by.reader.passageTokens);
  for (const { tokenized, span } of chunksOf(document.text, { limit, tokenize, longestPiece }))
    yield { ...tokenized, place: { document: index, start: span.start } };
}

/** Stands for a picture in the text of a passage, as it does among the tokens of `/embed`. */
const PICTURE = '<image>';

/** A prompt's items side by side. @source interface.md, POST /qa: a prompt document is left as it is */
async function* promptPassage(prompt: JobPrompt, { model, reader }: ReadBy): AsyncGenerator<Passage> {
  const taken = model.network.shape.contextTokens - reader.passageTokens;
  const after = new Array<number>(taken).fill(0); // keeps the place of the question
  const { ids: framed, items, controls, embeddingOverrides } = await sequenceOf(prompt, model, { before: [], after });
  const ids = framed.slice(0, framed.length - taken);
  let text = '';
  const spans = items.flatMap((item) => {
    const before = text.length;
    const read = readItem(item, ids, model);
    text += read.text;
    return read.spans.map(({ start, length }) => ({ start: before + start, length }));
  });
  const factors = controlFactors(items, controls);
  withinLimit(factors.values(), `${prompt.path} controls`);
  const isControlled = [...factors.values()].some((factor) => factor !== 1);
  const passage = { text, ids, spans, ...(isControlled && { factors }) };
  if (text.trim() !== '') yield { ...passage, ...(embeddingOverrides.length > 0 && { embeddingOverrides }) };
}

/** Text of an item and the span of each of its tokens in it. */
function readItem(item: SequenceItem, ids: readonly number[], { tokenizer }: LoadedModel) {
  const { type, first, count } = item;
  if (type === 'text') return item.tokenized;
  if (type === 'token_ids') return tokenizer.read(ids.slice(first, first + count));
  return { text: PICTURE, spans: Array.from({ length: count }, () => ({ start: 0, length: PICTURE.length })) };
}
