import type { ExplainBody } from '../../src/contract/explain.ts';
import { type AnsweredPrompt, promptOfPassage } from '../data/answered-prompts.ts';
import { inTurn, isIn, LENGTH_BANDS, type Lengthy } from '../data/lengths.ts';
import { shortPassages, SQUAD_1, type SquadRow } from '../data/squad.ts';
import type { Context, Evaluation, Row } from '../evaluation.ts';
import { meanOf } from '../measures/mean.ts';
import { type Budget, BUDGETS, type Found, type Measured, measureBudgets } from '../measures/ranking/budgets.ts';
import { DECODER, loadTokenizer } from '../models/embedded-model.ts';
import type { AttentionTask } from '../workers/raw-attention.ts';
import { createTaskWorker, type TaskWorker } from '../workers/worker-tasks.ts';

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
  const rows = await context.lines<SquadRow>(SQUAD_1);
  const tokenizer = await loadTokenizer(DECODER);
  const prompts = inTurn(
    shortPassages(rows, tokenizer, BEHIND, MOST_TOKENS)
      .slice(FIRST)
      .map(promptOfPassage)
      .map((each) => ({ ...each, tokens: tokenizer.tokenize(each.prompt + each.target).ids.length })),
  ).slice(0, Math.min(PROMPTS, context.sample ?? PROMPTS));
  const worker = createTaskWorker<AttentionTask, number[]>(
    new Worker(new URL('../workers/attention.worker.ts', import.meta.url), { type: 'module' }),
  );
  const measured: (Measured & Lengthy)[] = [];
  try {
    for (const [index, prompt] of prompts.entries()) {
      const key = `${prompt.tokens} tokens: ${prompt.prompt.slice(0, 60)}`;
      const found = await context.remembered(key, () => measurePrompt(context, prompt, { tokenizer, worker }));
      measured.push({ ...found, tokens: prompt.tokens });
      context.progress('prompts', index + 1, prompts.length);
    }
  } finally {
    worker.end();
  }
  return BUDGETS.flatMap((budget) => rowsOf(budget, measured));
}

interface Means {
  readonly tokenizer: Awaited<ReturnType<typeof loadTokenizer>>;
  readonly worker: TaskWorker<AttentionTask, number[]>;
}

function measurePrompt({ client }: Context, { prompt, target }: AnsweredPrompt, { tokenizer, worker }: Means) {
  const body = { model: DECODER, prompt, target, prompt_granularity: { type: 'word' } } as const satisfies ExplainBody;
  const attention = (words: AttentionTask['words']) => worker.ask({ passage: prompt, question: '', target, words });
  return measureBudgets({ client, tokenizer, attention }, body);
}

/** What of a budget is listed. */
const FIGURES: Readonly<Record<string, (found: Found) => number | null>> = {
  'prompts with all five': ({ confirmed }) => Number(confirmed === 1),
  'positions over those of exact scores': ({ spent }) => spent,
  'time over that of exact scores': ({ time }) => time,
  'of the five greatest, exact when this share of the time has passed': ({ confirmedInTime }) => confirmedInTime,
  'until the greatest is shown as such, over the time of exact scores': ({ topTime }) => topTime,
  'estimates within their margin, 0.9 nominal': ({ covered }) => covered,
  'median margin, nats': ({ margin }) => margin,
};

function rowsOf(budget: Budget, measured: readonly (Measured & Lengthy)[]): Row[] {
  const what = `budget ${budget}`;
  const all = measured.map(({ tokens, found }) => ({ tokens, ...foundIn(found, budget) }));
  const greatest = (name: string, own: typeof all): Row[] =>
    own.length === 0
      ? []
      : [
          {
            what: `${what}: of the five greatest, exact${name}`,
            model: meanOf(own.map(({ confirmed }) => confirmed)),
            baselines: {
              'attention order': meanOf(own.map(({ byAttention }) => byAttention)),
              random: meanOf(own.map(({ byChance }) => byChance)),
            },
            items: own.length,
          },
        ];
  return [
    ...greatest('', all),
    ...LENGTH_BANDS.flatMap((band) =>
      greatest(
        `, ${band.name}`,
        all.filter((each) => isIn(band, each)),
      ),
    ),
    ...Object.entries(FIGURES).flatMap(([name, figure]): Row[] => {
      const values = all.flatMap((each) => figure(each) ?? []);
      return values.length === 0
        ? []
        : [{ what: `${what}: ${name}`, model: meanOf(values), baselines: {}, items: values.length }];
    }),
  ];
}

function foundIn(found: Measured['found'], budget: Budget): Found {
  const own = found[budget];
  if (!own) throw new RangeError(`expected what was found with budget ${budget}, got ${Object.keys(found).join(', ')}`);
  return own;
}
