import type { Client } from '../../src/client/client.ts';
import { type Figure, type OrderFigures, measureFaithfulness } from '../../src/client/faithfulness/faithfulness.ts';
import type { ExplainBody } from '../../src/contract/explain.ts';
import { type AnsweredPrompt, promptOfPassage } from '../data/answered-prompts.ts';
import { shortPassages, SQUAD_1, type SquadRow } from '../data/squad.ts';
import type { Context, Evaluation, Row } from '../evaluation.ts';
import { meanOf } from '../measures/mean.ts';
import { DECODER, embeddedModel, loadTokenizer } from '../models/embedded-model.ts';
import { valueOf } from '../value-of.ts';
import type { AttentionTask } from '../workers/raw-attention.ts';
import { createTaskWorker, type TaskWorker } from '../workers/worker-tasks.ts';

/** Passages before these are measured for the model card. */
const FIRST = 300;
const PASSAGES = 100;
/** Longer ones cost more than they tell: a word takes several passes. */
const MAX_TOKENS = 200;

/** How sections are suppressed: as the contract does by default, and as the Explain page does. */
const SETTINGS = {
  'additive 0.1': { control_log_additive: true },
  'multiplicative 0.1': { control_log_additive: false },
} as const;

/** Are explanations true to the model? Words of SQuAD passages and questions, beside other orders of the same words. */
export const faithfulnessEvaluation: Evaluation = {
  name: 'faithfulness',
  title: `Faithfulness of explanations by word, ${PASSAGES} SQuAD passages with their questions, nats and rank correlations`,
  model: DECODER,
  needs: [SQUAD_1],
  onlyWhenNamed: true,
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const rows = await context.lines<SquadRow>(SQUAD_1);
  const count = Math.min(PASSAGES, context.sample ?? PASSAGES);
  const tokenizer = await loadTokenizer(DECODER);
  const others = new Set(shortPassages(rows, tokenizer, FIRST).map(({ question }) => question));
  const prompts = shortPassages(rows, tokenizer, FIRST + count, MAX_TOKENS)
    .filter(({ question }) => !others.has(question))
    .slice(0, count)
    .map(promptOfPassage);
  const worker = createTaskWorker<AttentionTask, number[]>(
    new Worker(new URL('../workers/attention.worker.ts', import.meta.url), { type: 'module' }),
  );
  const found: Row[] = [];
  try {
    for (const [name, setting] of Object.entries(SETTINGS)) {
      const measured: (readonly OrderFigures[])[] = [];
      for (const [index, prompt] of prompts.entries()) {
        measured.push(await orders(context.client, prompt, setting, { worker, seed: index + 1 }));
        context.progress(name, index + 1, prompts.length);
      }
      found.push(...rowsOf(name, measured));
    }
  } finally {
    worker.end();
  }
  return found;
}

/** One random order for each passage: the passages are many. */
async function orders(
  client: Client,
  { prompt, target }: AnsweredPrompt,
  setting: Pick<ExplainBody, 'control_log_additive'>,
  { worker, seed }: { readonly worker: TaskWorker<AttentionTask, number[]>; readonly seed: number },
): Promise<readonly OrderFigures[]> {
  const request: ExplainBody = { model: DECODER, prompt, target, prompt_granularity: { type: 'word' }, ...setting };
  const explained = await valueOf(client.explain(request));
  const item = explained.explanations[0]?.items[0];
  if (item?.type !== 'text') throw new RangeError(`expected scores of a text, got ${item?.type ?? 'nothing'}`);
  const attention = await worker.ask({
    model: embeddedModel(DECODER),
    passage: prompt,
    question: '',
    target,
    words: item.scores,
  });
  const options = { client, others: { 'raw attention': attention }, draws: 1, seed };
  return (await measureFaithfulness(request, explained, options)).orders;
}

/** What is listed, in this order. */
const FIGURES: Readonly<Record<string, (order: OrderFigures) => Figure | null | undefined>> = {
  'comprehensiveness by controls': ({ controls }) => controls?.comprehensiveness,
  'sufficiency by controls, lower is better': ({ controls }) => controls?.sufficiency,
  'comprehensiveness by deletion': ({ deletion }) => deletion?.comprehensiveness,
  'sufficiency by deletion, lower is better': ({ deletion }) => deletion?.sufficiency,
  'Kendall τ with deletion': ({ kendall }) => kendall,
  'Spearman ρ with deletion': ({ spearman }) => spearman,
  'linear datamodelling score': ({ datamodelling }) => datamodelling,
};

/** Means over passages; a passage where a figure is not defined is left out of that figure. */
function rowsOf(setting: string, measured: readonly (readonly OrderFigures[])[]): Row[] {
  const names = measured[0]?.map(({ name }) => name) ?? [];
  return Object.entries(FIGURES).flatMap(([what, figure]): Row[] => {
    const valuesOf = (name: string) =>
      measured.flatMap((all) => all.filter((order) => order.name === name).flatMap((order) => figure(order) ?? []));
    const means = names.flatMap((name) => {
      const values = valuesOf(name).map(({ value }) => value);
      return values.length === 0 ? [] : [[name, meanOf(values)] as const];
    });
    const [own, ...others] = means;
    if (own?.[0] !== 'explanation') return [];
    return [
      { what: `${setting}: ${what}`, model: own[1], baselines: Object.fromEntries(others), items: measured.length },
    ];
  });
}
