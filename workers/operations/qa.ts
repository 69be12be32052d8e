import type { QaAnswer, QaFound } from '../../src/contract/qa.ts';
import type { Span } from '../../src/contract/code-points.ts';
import type { Jobs, QaJob, ReadableDocument } from '../../src/protocol/jobs.ts';
import type { JobPrompt } from '../../src/protocol/model-job.ts';
import type { LoadedModel } from '../engine/engine.ts';
import { controlFactors, denseFactors } from '../kernels/attention-control.ts';
import { bestSpan, chunksOf, createRelevance, score, scoreOfMargin, wholeWords } from '../kernels/passages.ts';
import { sentencesAround } from '../kernels/text-sections.ts';
import type { TaskContext } from '../serving/serve.ts';
import { halvedOnOutOfMemory } from '../engine/device/guard.ts';
import {
  IMAGE_TOKEN,
  paddedBatches,
  paddedRows,
  paddedRun,
  type Sequence,
  sequenceOf,
  tokenizeWithin,
  tooLong,
  withinLimit,
} from './prompt/sequence.ts';
import { type EmbeddingOverride, type NamedOutput, requested } from '../engine/network.ts';
import { FailureError } from '../../src/contract/failure.ts';
import { SPAN_OUTPUTS } from '../engine/rewrite/plan-network.ts';
import { endMarks, greedyContinuation } from './complete/continuation.ts';

type TokenizedText = ReturnType<LoadedModel['tokenizer']['tokenize']>;

/** Chunks between two checkpoints: about 50 ms. */
const CHUNKS_AT_ONCE = 64;

/**
 * Answers a question from each chunk of the documents, the best answers first; equal ones stay in order.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 * @source interface.md, POST /qa
 */
export async function qa(job: QaJob, model: LoadedModel, context: TaskContext): Promise<Jobs['qa']['output']> {
  const reader = chooseReader(job.query, model);
  const all = await allPassages(job, reader, model, context);
  const passages = reader.isSelective ? mostRelevant(job, all) : all;
  const answers = new Map<Passage, QaAnswer>();
  for (const indices of relevantFirst(job.query, passages, reader)) {
    await context.checkpoint();
    const batch = indices.map((index) => passages[index]).filter((passage) => passage !== undefined);
    const found = await halvedOnOutOfMemory(batch, (part) => reader.read(part));
    batch.forEach((passage, i) => {
      const { answer = '', score = 0 } = found[i] ?? {};
      answers.set(passage, { answer, score, evidence: passage.text.trim() });
    });
    const places = batch.flatMap((passage, i) => placedAnswer(passage, found[i]));
    context.progress({ phase: 'run', done: answers.size, total: passages.length, answered: places });
  }
  const inOrder = passages.flatMap((passage) => answers.get(passage) ?? []);
  return { answers: inOrder.toSorted((a, b) => b.score - a.score).slice(0, job.max_answers) };
}

/** Chunks neither begin nor end with white space, so the evidence is the whole chunk. */
function placedAnswer({ text, place }: Passage, found: FoundAnswer | undefined): QaFound[] {
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
  reader: Reader,
  model: LoadedModel,
  context: TaskContext,
): Promise<Passage[]> {
  const passages: Passage[] = [];
  for (const [index, document] of documents.entries())
    for await (const passage of passagesOf(document, index, reader, model)) {
      passages.push(passage);
      if (passages.length % CHUNKS_AT_ONCE === 0) await context.checkpoint();
    }
  return passages;
}

/** The batches of a reader, those that share the most words with the question first, so that the likely answers come early. */
function relevantFirst(query: string, passages: readonly Passage[], reader: Reader): (readonly number[])[] {
  const batches = reader.plan(passages.map(({ ids }) => ids.length));
  if (batches.length === 1) return [...batches];
  const relevance = createRelevance(passages.map(({ text }) => text))(query);
  const bestOf = new Map(batches.map((batch) => [batch, Math.max(...batch.map((index) => relevance[index] ?? 0))]));
  return batches.toSorted((a, b) => (bestOf.get(b) ?? 0) - (bestOf.get(a) ?? 0));
}

/** The likeliest passages, one an answer: a writing model's scores do not tell which passage holds the answer. */
function mostRelevant({ query, max_answers: count }: QaJob, passages: readonly Passage[]): readonly Passage[] {
  if (passages.length <= count) return passages;
  const relevance = createRelevance(passages.map(({ text }) => text))(query);
  const ranked = [...passages.keys()].sort((a, b) => (relevance[b] ?? 0) - (relevance[a] ?? 0));
  const best = new Set(ranked.slice(0, count));
  return passages.filter((_, index) => best.has(index));
}

/** Maximum tokens of a chunk: a long paragraph. The embedded reader was trained on passages of up to this length. */
const MAX_CHUNK = 255;

/**
 * The passages of a document: chunks of a text, a prompt as it is, none where it is blank.
 *
 * @param index  of the document in its job
 * @throws {FailureError} INVALID_REQUEST, MISSING_CAPABILITY for images, PROMPT_TOO_LONG for a prompt, and as `withinLimit`
 */
async function* passagesOf(
  document: ReadableDocument,
  index: number,
  reader: Reader,
  model: LoadedModel,
): AsyncGenerator<Passage> {
  if (document.type === 'prompt') return yield* promptPassage(document.prompt, reader, model);
  const { tokenize, longestPiece } = model.tokenizer;
  const limit = Math.min(MAX_CHUNK, reader.passageTokens);
  for (const { tokenized, span } of chunksOf(document.text, { limit, tokenize, longestPiece }))
    yield { ...tokenized, place: { document: index, start: span.start } };
}

/** A prompt's items in one passage. @source interface.md, POST /qa: a prompt document is not split */
async function* promptPassage(prompt: JobPrompt, reader: Reader, model: LoadedModel): AsyncGenerator<Passage> {
  const taken = model.network.shape.contextTokens - reader.passageTokens;
  const after = new Array<number>(taken).fill(0); // reserved for the question
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

function readItem(item: Sequence['items'][number], ids: readonly number[], { tokenizer }: LoadedModel) {
  const { type, first, count } = item;
  if (type === 'text') return item.tokenized;
  if (type === 'token_ids') return tokenizer.read(ids.slice(first, first + count));
  return { text: IMAGE_TOKEN, spans: Array.from({ length: count }, () => ({ start: 0, length: IMAGE_TOKEN.length })) };
}

/** A chunk of a document, or a prompt document. */
interface Passage extends TokenizedText {
  /** Index of its document in the job, and its beginning there, UTF-16 units. Absent for a prompt, which is not a text. */
  readonly place?: { readonly document: number; readonly start: number };
  /** Factors of a prompt's controls on its tokens, by position in the passage. */
  readonly factors?: ReadonlyMap<number, number>;
  /** Input embeddings of a prompt's pictures, by position in the passage. */
  readonly embeddingOverrides?: readonly EmbeddingOverride[];
}

interface FoundAnswer extends Pick<QaAnswer, 'answer' | 'score'> {
  /** The answer in the passage, UTF-16 units, if a reader points at it. */
  readonly span?: Span;
}

interface Reader {
  /** Tokens of a passage that fit next to the question. */
  readonly passageTokens: number;
  /** Decides which passages, by their tokens, are read in one pass: each index exactly once. */
  plan(lengths: readonly number[]): readonly (readonly number[])[];
  /** A slow reader reads only the passages that share the most words with the question. */
  readonly isSelective: boolean;
  read(passages: readonly Passage[]): Promise<readonly FoundAnswer[]>;
}

/** Tokens that must be left for a passage next to the question. */
const MIN_PASSAGE = 32;

/**
 * Tokenises the question, and counts the tokens left for a passage.
 *
 * @param text   the question with the text that the model expects around it
 * @param taken  tokens of the context that neither of the two may use
 * @throws {FailureError} PROMPT_TOO_LONG
 */
function questionOf(
  text: string,
  { network, tokenizer }: LoadedModel,
  taken: number,
): { readonly question: TokenizedText; readonly room: number } {
  const limit = network.shape.contextTokens - taken - MIN_PASSAGE;
  const question = tokenizeWithin(tokenizer, text, { path: 'query', limit });
  if (question.ids.length > limit) throw tooLong('query', `${question.ids.length}`, limit);
  return { question, room: limit + MIN_PASSAGE - question.ids.length };
}

/**
 * The reader of a model: it points at a span if its head does that, else it writes.
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

/** Turns a margin into a probability; fitted to held-out questions, in `config.json` as `answer_calibration`. */
type Calibration = Readonly<Record<'scale' | 'bias', number>>;

/**
 * Points at the best span of a passage after the question, with the special tokens that the model expects. The score is the
 * sigmoid of the span's margin over the null span, calibrated where the model has a calibration.
 *
 * @throws {FailureError} PROMPT_TOO_LONG, INVALID_REQUEST for the query
 * @source Devlin et al. 2019 (BERT), section 4.3
 */
function extractiveReader(query: string, model: LoadedModel): Reader {
  const { network, tokenizer } = model;
  const { question, room } = questionOf(query, model, tokenizer.pair([], []).ids.length);
  const calibration = calibrationOf(model.config);
  return {
    passageTokens: room,
    plan: (lengths) => paddedBatches(lengths, network),
    isSelective: false,
    async read(passages) {
      const pairs = passages.map((passage) => {
        const pair = tokenizer.pair(question.ids, passage.ids);
        return { ...pair, passage, factors: factorsOf(passage, pair.second, pair.ids.length) };
      });
      const run = paddedRun(pairs, 'additive', network.shape.paddingId);
      const segments = paddedRows(
        pairs.map((pair) => pair.segments),
        new Int32Array(run.ids.length),
      );
      const { outputs } = await network.run({ ...run, segments, outputs: SPAN_OUTPUTS });
      const logits = SPAN_OUTPUTS.map((name) => rowsOf(outputs?.[name], passages.length));
      return pairs.map(({ passage, second }, row) => {
        const [start = NONE, end = NONE] = logits.map((rows) => rows[row] ?? NONE);
        return answerIn(passage, second, { start, end, ...calibration });
      });
    },
  };
}

const NONE = new Float32Array();

function calibrationOf(config: object): Calibration {
  const { scale, bias } = { ...Object(Reflect.get(config, 'answer_calibration')) };
  return { scale: typeof scale === 'number' ? scale : 1, bias: typeof bias === 'number' ? bias : 0 };
}

/** Factors of a passage's controls on a whole sequence, in which the passage begins at `first`; undefined: none. */
function factorsOf({ factors, ids }: Passage, first: number, tokens: number): Float64Array | undefined {
  if (!factors) return undefined;
  const all = new Float64Array(tokens).fill(1);
  all.set(denseFactors(factors, ids.length), first);
  return all;
}

function rowsOf(output: NamedOutput | undefined, batch: number): Float32Array[] {
  const { values } = requested(output);
  const width = values.length / batch;
  return Array.from({ length: batch }, (_, row) => values.subarray(row * width, (row + 1) * width));
}

/**
 * The best answer of a passage, whose first token has the position `first`, widened to whole words. A token without text, such
 * as one for unknown characters, cannot bound an answer.
 */
function answerIn(
  { text, spans }: Passage,
  first: number,
  { start, end, ...calibration }: Calibration & { readonly start: Float32Array; readonly end: Float32Array },
): FoundAnswer {
  const allowed = Array.from({ length: first }, () => false);
  allowed.push(...spans.map((span) => text.slice(span.start, span.start + span.length).trim() !== ''));
  const best = bestSpan(start, end, allowed);
  const [from, to] = [spans[(best?.start ?? 0) - first], spans[(best?.end ?? 0) - first]];
  if (!best || !from || !to) return { answer: '', score: score(0) };
  const whole = wholeWords(text, { start: from.start, length: to.start + to.length - from.start });
  const found = text.slice(whole.start, whole.start + whole.length);
  const answer = found.trim();
  const span = { start: whole.start + found.length - found.trimStart().length, length: answer.length };
  return { answer, score: scoreOfMargin(best.margin, calibration), span };
}

/** Maximum tokens of an answer: the description of a picture with several things takes about seventy. */
const MAX_ANSWER = 80;

/**
 * Writes the answer: a language model continues `passage, Question: …, Answer:`, greedily, up to the end of the line. After a
 * picture the question follows directly, elsewhere on a line of its own. The score is the geometric mean of the tokens'
 * probabilities: how certain the model is of the words, given that it answers.
 *
 * @throws {FailureError} PROMPT_TOO_LONG, INVALID_REQUEST for the query
 * @source the form of training/, `text/corpus.py`, `reading_documents`, and `vision/scenes/texts.py`
 */
export function generatingReader(query: string, model: LoadedModel): Reader {
  const { tokenizer } = model;
  const frame = tokenizer.prefix.length + MAX_ANSWER;
  const text = `Question: ${query.trim()}\nAnswer:`;
  const { question, room } = questionOf(`\n${text}`, model, frame);
  const afterPicture = tokenizer.tokenize(text);
  const marks = endMarks(model);
  const readOne = async (passage: Passage): Promise<FoundAnswer> => {
    const { ids: last } = endsInPicture(passage, model) ? afterPicture : question;
    const ids = [...tokenizer.prefix, ...passage.ids, ...last];
    const factors = factorsOf(passage, tokenizer.prefix.length, ids.length);
    const beginning = { ids, factors, embeddingOverrides: placedOf(passage, model), mode: 'additive' as const };
    const tokens = await greedyContinuation(model.network, beginning, {
      maximumTokens: MAX_ANSWER,
      isEnd: (id) => marks.has(id) || tokenizer.show(id).includes('\n'),
      isNeverEmpty: true, // every passage has an answer; the score rates it
    });
    const written = tokenizer.read(tokens.map(({ id }) => id)).text;
    const [line = ''] = written.trimStart().split('\n');
    const sum = tokens.reduce((total, { logProbability }) => total + logProbability, 0);
    return { answer: line.trimEnd(), score: score(Math.exp(sum / tokens.length)) };
  };
  return {
    passageTokens: room,
    plan: (lengths) => lengths.map((_, index) => [index]), // a KV cache is of one sequence
    isSelective: true,
    async read(passages) {
      const answers: FoundAnswer[] = [];
      for (const passage of passages) answers.push(await readOne(passage));
      return answers;
    },
  };
}

function endsInPicture({ ids, embeddingOverrides = [] }: Passage, { network }: LoadedModel): boolean {
  return embeddingOverrides.some(({ position, rows }) => position + rows.length / network.shape.width === ids.length);
}

/** A passage's pictures by their position in the whole sequence. */
function placedOf({ embeddingOverrides = [] }: Passage, { tokenizer }: LoadedModel): readonly EmbeddingOverride[] {
  return embeddingOverrides.map(({ position, rows }) => ({ position: position + tokenizer.prefix.length, rows }));
}
