import type { Span } from '../../../src/contract/code-points.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import type { FoundAnswer, PlacedAnswer, QaAnswered, QaJob } from '../../../src/protocol/document-jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { SPAN_OUTPUTS } from '../../engine/rewrite/plan-network.ts';
import { relevanceOf } from '../../kernels/text/relevance.ts';
import { sentencesAround } from '../../kernels/text/sentences.ts';
import type { JobContext } from '../context.ts';
import { inFittingParts } from '../fitting.ts';
import { extractiveReader } from './extractive-reader.ts';
import { generatingReader } from './generating-reader.ts';
import { passagesOf } from './passages.ts';
import type { Found, Passage, Reader } from './reader.ts';

/** Chunks cut between two checkpoints: some 50 ms. */
const CHUNKS_AT_ONCE = 64;

/**
 * Answers a question from each chunk of the documents: the best answers first, of equal ones the earlier.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 * @source interface.md, POST /qa
 */
export async function qa(job: QaJob, model: LoadedModel, context: JobContext): Promise<QaAnswered> {
  const reader = chooseReader(job.query, model);
  const all = await allPassages(job, { model, reader, context });
  const passages = reader.isSelective ? mostRelevant(job, all) : all;
  const answers = new Map<Passage, FoundAnswer>();
  for (const indices of relevantFirst(job.query, passages, reader)) {
    await context.checkpoint();
    const batch = indices.map((index) => passages[index]).filter((passage) => passage !== undefined);
    const found = await inFittingParts(batch, (part) => reader.read(part));
    batch.forEach((passage, i) => {
      const { answer = '', score = 0 } = found[i] ?? {};
      answers.set(passage, { answer, score, evidence: passage.text.trim() });
    });
    const places = batch.flatMap((passage, i) => placedAnswer(passage, found[i]));
    context.progress({ phase: 'run', done: answers.size, total: passages.length, answered: places });
  }
  const inOrder = passages.flatMap((passage) => answers.get(passage) ?? []);
  return { answers: inOrder.toSorted((a, b) => b.score - a.score).slice(0, job.maxAnswers) };
}

/** Chunks neither begin nor end with white space, so their evidence is all of them. */
function placedAnswer({ text, place }: Passage, found: Found | undefined): PlacedAnswer[] {
  if (!place || !found) return [];
  const { document, start } = place;
  const { span, score } = found;
  const placed = (part: Span) => ({ start: start + part.start, length: part.length });
  const answer = span ? placed(span) : null;
  const sentence = span ? placed(sentencesAround(text, span)) : null;
  return [{ document, score, answer, sentence, evidence: { start, length: text.length } }];
}

async function allPassages(
  { documents }: QaJob,
  { model, reader, context }: { model: LoadedModel; reader: Reader; context: JobContext },
): Promise<Passage[]> {
  const passages: Passage[] = [];
  for (const [index, document] of documents.entries())
    for await (const passage of passagesOf(document, index, { model, reader })) {
      passages.push(passage);
      if (passages.length % CHUNKS_AT_ONCE === 0) await context.checkpoint();
    }
  return passages;
}

/**
 * The batches of a reader, first those with a passage that shares the most words with the question: who watches a long
 * document being read sees the likely answers early, and may cancel.
 */
function relevantFirst(query: string, passages: readonly Passage[], reader: Reader): (readonly number[])[] {
  const batches = reader.plan(passages.map(({ ids }) => ids.length));
  if (batches.length === 1) return [...batches];
  const relevance = relevanceOf(
    query,
    passages.map(({ text }) => text),
  );
  const bestOf = new Map(batches.map((batch) => [batch, Math.max(...batch.map((index) => relevance[index] ?? 0))]));
  return batches.toSorted((a, b) => (bestOf.get(b) ?? 0) - (bestOf.get(a) ?? 0));
}

/**
 * As many passages as answers are wanted, in their order. A model that writes is no judge of where the answer stands: it
 * is sure of its words anywhere, so reading more would cost time and choose no better.
 */
function mostRelevant({ query, maxAnswers }: QaJob, passages: readonly Passage[]): readonly Passage[] {
  if (passages.length <= maxAnswers) return passages;
  const texts = passages.map(({ text }) => text);
  const relevance = new Map(relevanceOf(query, texts).map((value, i) => [passages[i], value]));
  const ranked = passages.toSorted((a, b) => (relevance.get(b) ?? 0) - (relevance.get(a) ?? 0));
  const best = new Set(ranked.slice(0, maxAnswers));
  return passages.filter((passage) => best.has(passage));
}

/**
 * How a model answers: it points at a span if its head does that, else it writes.
 *
 * @throws {FailureError} MISSING_CAPABILITY for a model that can do neither, PROMPT_TOO_LONG for the query
 */
function chooseReader(query: string, model: LoadedModel): Reader {
  const { outputs, vocabulary } = model.network.shape;
  if (SPAN_OUTPUTS.every((name) => outputs.includes(name))) return extractiveReader(query, model);
  if (vocabulary > 0) return generatingReader(query, model);
  throw new FailureError(
    'MISSING_CAPABILITY',
    `model: expected one that points at answers (${SPAN_OUTPUTS.join(', ')}) or writes them, got one that does neither`,
  );
}
