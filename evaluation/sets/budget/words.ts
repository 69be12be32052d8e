import { codePointMap } from '../../../src/contract/code-points.ts';
import type { ExplainBody, ExplanationItem } from '../../../src/contract/explain.ts';
import type { Tokenizer } from '../../../workers/engine/loading/tokenizer.ts';
import { type AnsweredPrompt, promptOfPassage } from '../../data/answered-prompts.ts';
import { inTurn, isIn, LENGTH_BANDS, type Lengthy } from '../../data/lengths.ts';
import { shortPassages, SQUAD_1, type SquadRow } from '../../data/squad.ts';
import type { Context, Evaluation, Row } from '../../evaluation.ts';
import { DECODER, loadTokenizer } from '../../models/embedded-model.ts';
import type { AttentionTask } from '../../workers/raw-attention.ts';
import { createTaskWorker, type TaskWorker } from '../../workers/worker-tasks.ts';
import { type Known, type Measured, measureBudgets } from './found.ts';
import { rowsOf } from './rows.ts';

/** Passages before these are measured for the model card, or for the choice of settings; margins are made on later ones. */
const FIRST = 460;
const BEHIND = 900;
const MOST_TOKENS = 1000;
const PROMPTS = 200;

/** How much of an explanation is known, how soon, and whether its margins hold: SQuAD passages with questions, by word. */
export const budgetEvaluation: Evaluation = {
  name: 'budget',
  title: `Explanations within a budget, by word, up to ${PROMPTS} SQuAD passages with their questions, a third of each length`,
  model: DECODER,
  needs: [SQUAD_1],
  onlyWhenNamed: true,
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const tokenizer = await loadTokenizer(DECODER);
  const prompts = await promptsOf(context, tokenizer);
  const worker = createTaskWorker<AttentionTask, number[]>(
    new Worker(new URL('../../workers/attention.worker.ts', import.meta.url), { type: 'module' }),
  );
  const measured: (Measured & Lengthy)[] = [];
  try {
    for (const [index, prompt] of prompts.entries()) {
      const key = `${prompt.tokens} tokens: ${prompt.prompt.slice(0, 60)}…${prompt.target}`;
      const found = await context.remembered(key, () => measureOne(context, prompt, { tokenizer, worker }));
      measured.push({ ...found, tokens: prompt.tokens });
      context.progress('prompts', index + 1, prompts.length);
    }
  } finally {
    worker.end();
  }
  const bands = LENGTH_BANDS.map((band) => ({
    name: `, ${band.name}`,
    measured: measured.filter((each) => isIn(band, each)),
  }));
  return rowsOf([{ name: '', measured }, ...bands]);
}

async function promptsOf(context: Context, tokenizer: Tokenizer): Promise<(AnsweredPrompt & Lengthy)[]> {
  const rows = await context.lines<SquadRow>(SQUAD_1);
  const prompts = shortPassages(rows, tokenizer, BEHIND, MOST_TOKENS).slice(FIRST).map(promptOfPassage);
  const tokens = ({ prompt, target }: AnsweredPrompt) => tokenizer.tokenize(prompt + target).ids.length;
  const all = inTurn(prompts.map((each) => ({ ...each, tokens: tokens(each) })));
  return all.slice(0, Math.min(PROMPTS, context.sample ?? PROMPTS));
}

interface With {
  readonly tokenizer: Tokenizer;
  readonly worker: TaskWorker<AttentionTask, number[]>;
}

function measureOne({ client }: Context, asked: AnsweredPrompt, { tokenizer, worker }: With): Promise<Measured> {
  const { prompt, target } = asked;
  const body: ExplainBody = { model: DECODER, prompt, target, prompt_granularity: { type: 'word' } };
  return measureBudgets(client, body, async ([item]) => {
    if (item?.type !== 'text') throw new RangeError(`expected scores of a text, got ${item?.type ?? 'nothing'}`);
    const attention = await worker.ask({ passage: prompt, question: '', target, words: item.scores });
    return { ...costsOf(tokenizer, asked, item), attention };
  });
}

/** Positions that an exact pass computes for each word: from its first token to the end. */
function costsOf(
  { tokenize, prefix }: Tokenizer,
  { prompt, target }: AnsweredPrompt,
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
