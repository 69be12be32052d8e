import type { Client } from '../../../src/client/client.ts';
import { codePointMap } from '../../../src/contract/code-points.ts';
import type { ExplainBody, ExplanationItem } from '../../../src/contract/explain.ts';
import type { Model } from '../../../src/models/model.ts';
import type { Tokenizer } from '../../../workers/engine/loading/tokenizer.ts';
import { isIn, LENGTH_BANDS, type Lengthy } from '../../data/lengths.ts';
import type { Context } from '../../evaluation.ts';
import type { AttentionTask } from '../../workers/raw-attention.ts';
import { createTaskWorker, type TaskWorker } from '../../workers/worker-tasks.ts';
import { keyOf, type Known, type Measured, measureBudgets } from './found.ts';

/** A prompt and what is explained of it. */
export interface TextPrompt extends Lengthy {
  readonly prompt: string;
  readonly target: string;
}

/** What texts are measured on. */
export interface TextsOn {
  readonly client: Client;
  readonly model: Model;
  readonly tokenizer: Tokenizer;
}

/** Measures explanations by word within budgets, beside exact ones, and keeps what each prompt shows. */
export async function measureTexts(context: Context, prompts: readonly TextPrompt[], on: TextsOn): Promise<void> {
  const worker = createTaskWorker<AttentionTask, number[]>(
    new Worker(new URL('../../workers/attention.worker.ts', import.meta.url), { type: 'module' }),
  );
  try {
    for (const [index, asked] of prompts.entries()) {
      const length = LENGTH_BANDS.find((band) => isIn(band, asked))?.name;
      await context.remembered(await keyOf(index, asked.prompt + asked.target), async () => ({
        tokens: asked.tokens,
        length,
        ...(await measureOne(asked, on, worker)),
      }));
      context.progress('prompts', index + 1, prompts.length);
    }
  } finally {
    worker.end();
  }
}

function measureOne(
  asked: TextPrompt,
  { client, model, tokenizer }: TextsOn,
  worker: TaskWorker<AttentionTask, number[]>,
): Promise<Measured> {
  const { prompt, target } = asked;
  const body: ExplainBody = { model: model.name, prompt, target, prompt_granularity: { type: 'word' } };
  return measureBudgets(client, body, async ([item]) => {
    if (item?.type !== 'text') throw new RangeError(`expected scores of a text, got ${item?.type ?? 'nothing'}`);
    const attention = await worker.ask({ model, passage: prompt, question: '', target, words: item.scores });
    return { ...costsOf(tokenizer, asked, item), attention };
  });
}

/** Positions that an exact pass computes for each word: from its first token to the end. */
function costsOf(
  { tokenize, prefix }: Tokenizer,
  { prompt, target }: TextPrompt,
  { scores }: Extract<ExplanationItem, { type: 'text' }>,
): Known {
  const { ids, spans } = tokenize(prompt);
  const map = codePointMap(prompt);
  const ends = spans.map((span) => map.toCodePoints(span)).map(({ start, length }) => start + length);
  const unmodified = prefix.length + ids.length + tokenize(target).ids.length - 1;
  const costs = scores.map(({ start }) => {
    const token = ends.findIndex((end) => end > start);
    return unmodified - prefix.length - Math.min(token < 0 ? ids.length : token, ids.length - 1);
  });
  return { costs, unmodified };
}
