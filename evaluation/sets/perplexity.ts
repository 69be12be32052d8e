import { DECODER, loadTokenizer } from '../models/embedded-model.ts';
import type { Context, DataFile, Evaluation, Row } from '../evaluation.ts';
import { partedBehindOpening } from '../measures/text/opening.ts';
import { sampleOf } from '../measures/sample.ts';
import type { TokenSequence } from '../measures/text/trigram.ts';
import { valueOf } from '../value-of.ts';
import type { TrigramTask } from '../workers/trigram.worker.ts';
import { createTaskWorker, type TaskWorker } from '../workers/worker-tasks.ts';
import type { Tokenizer } from '../../workers/engine/loading/tokenizer.ts';

/** A held-out document, as `text/held_out.py` of training/ writes them. */
interface Line {
  readonly domain: string;
  readonly part: 'tune' | 'test';
  readonly text: string;
}

const HELD: DataFile = { from: 'corpus', path: 'held.jsonl' };
/** Token ids that the trainings have read, little-endian uint16. */
const SEEN: DataFile = { from: 'corpus', path: 'seen.bin' };

/** Stands between documents in what the trainings read. */
const END_OF_TEXT = '<|endoftext|>';

const BASELINE = 'interpolated 3-gram';

/** Perplexity of held-out documents behind their first sentence or line, beside a 3-gram of the tokens that training saw. */
export const perplexityEvaluation: Evaluation = {
  name: 'perplexity',
  title: 'Held-out perplexity per token, behind the first sentence or line of each document',
  model: DECODER,
  needs: [HELD, SEEN],
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const lines = await context.lines<Line>(HELD);
  const tokenizer = await loadTokenizer(DECODER);
  const worker = createTaskWorker<TrigramTask, number>(
    new Worker(new URL('../workers/trigram.worker.ts', import.meta.url), { type: 'module' }),
  );
  try {
    context.progress('counts of the 3-gram', 0, 1);
    const seen = new Uint16Array(await context.bytes(SEEN));
    await worker.ask({ seen, vocabulary: tokenizer.vocabulary }, [seen.buffer]);
    const rows: Row[] = [];
    for (const domain of new Set(lines.map((line) => line.domain)))
      rows.push(await rowOf(context, domain, lines, { tokenizer, worker }));
    return rows;
  } finally {
    worker.end();
  }
}

/** What the measuring is done with. */
interface Means {
  readonly tokenizer: Tokenizer;
  readonly worker: TaskWorker<TrigramTask, number>;
}

async function rowOf(context: Context, domain: string, lines: readonly Line[], means: Means): Promise<Row> {
  const textsOf = (part: Line['part']) =>
    lines.filter((line) => line.domain === domain && line.part === part).map(({ text }) => text);
  const texts = sampleOf(textsOf('test'), context.sample);
  const measured: TokenSequence[] = [];
  let logProbability = 0;
  for (const [index, text] of texts.entries()) {
    const { opening, rest } = partedBehindOpening(text);
    const sequence = sequenceOf([opening, rest], means.tokenizer);
    const { result } = await valueOf(
      context.client.evaluate({ model: DECODER, prompt: opening, completion_expected: rest }),
    );
    checkTokens(result.token_count, sequence, rest);
    logProbability += result.log_probability;
    measured.push(sequence);
    context.progress(domain, index + 1, texts.length);
  }
  const tune = textsOf('tune').map((text) => sequenceOf([text], means.tokenizer));
  const tokens = measured.reduce((sum, { ids, first }) => sum + ids.length - first, 0);
  const counted = await means.worker.ask({ tune, measure: measured });
  const [model, baseline] = [Math.exp(-logProbability / tokens), Math.exp(-counted / tokens)];
  return {
    what: domain,
    model,
    baselines: { [BASELINE]: baseline },
    items: texts.length,
    note: `${tokens} tokens, ${(model / baseline).toFixed(2)} of the 3-gram`,
  };
}

/**
 * A document as the 3-gram reads it: behind the mark that stands between documents. Of several parts the last is
 * predicted; of one, all tokens but its first, which has no two before it.
 */
function sequenceOf(parts: readonly string[], { tokenize }: Tokenizer): TokenSequence {
  const pieces = [END_OF_TEXT, ...parts].map((part) => tokenize(part).ids);
  const before = pieces.slice(0, -1).reduce((sum, ids) => sum + ids.length, 0);
  return { ids: Uint16Array.from(pieces.flat()), first: Math.max(2, before) };
}

function checkTokens(got: number, { ids, first }: TokenSequence, text: string): void {
  const expected = ids.length - first;
  if (got !== expected)
    throw new RangeError(
      `expected ${expected} tokens, as the tokenizer has them, got ${got} for "${text.slice(0, 60)}"`,
    );
}
