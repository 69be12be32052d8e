import type { Client } from '../../src/client/client.ts';
import type { Explanation, TextScore } from '../../src/contract/explain.ts';
import { DECODER, embeddedModel, loadTokenizer } from '../models/embedded-model.ts';
import type { Context, Evaluation, Figure, Row } from '../evaluation.ts';
import { meanOf } from '../measures/mean.ts';
import { questionOverlap } from '../measures/text/question-words.ts';
import { pointingOf, sumOf, sumOfShares, touching, type Pointing } from '../measures/ranking/relevance.ts';
import { seededRandom } from '../../workers/kernels/seeded-random.ts';
import type { AttentionTask } from '../workers/raw-attention.ts';
import { valueOf } from '../value-of.ts';
import { shortPassages, SQUAD_1, type PassageItem, type SquadRow } from '../data/squad.ts';
import { createTaskWorker, type TaskWorker } from '../workers/worker-tasks.ts';

/** How an explanation is asked for, and how those of the target's tokens become one. */
interface Setting {
  /** Left out: the contract's default, 0.1. */
  readonly factor?: number;
  /** `sum` is what the contract answers for the whole target; `shares` lets each token count alike. */
  readonly tokens: 'sum' | 'shares';
}

/** Passages of the model card's figures. */
const ITEMS = 300;
/**
 * A word is hidden altogether: with the contract's default of 0.1 what is left of it still tells the model part of the
 * answer. Chosen by `atman-settings`, in which both measures rise as the factor falls.
 */
const CHOSEN: Readonly<Record<string, Setting>> = { 'control_factor 0': { factor: 0, tokens: 'sum' } };

/** AtMan (arXiv:2301.08110) on SQuAD: do the words that support the gold answer lie where it stands? */
export const atmanEvaluation: Evaluation = {
  name: 'atman',
  title: `AtMan on SQuAD v1.1: share of an explanation on the words of the gold answer, up to ${ITEMS} passages`,
  model: DECODER,
  needs: [SQUAD_1],
  run: (context) => measure(context, CHOSEN, { first: 0, count: context.sample ?? ITEMS }),
};

const SETTINGS: Readonly<Record<string, Setting>> = Object.fromEntries(
  [undefined, 0, 0.01, 0.5].flatMap((factor) => {
    const name = `control_factor ${factor ?? 'left out'}`;
    return [
      [name, { ...(factor !== undefined && { factor }), tokens: 'sum' }],
      [`${name}, each token of maximum 1`, { ...(factor !== undefined && { factor }), tokens: 'shares' }],
    ] as const;
  }),
);

/** The same by several settings of the request, on passages that the model card's figures do not rest on: to choose one. */
export const atmanSettingsEvaluation: Evaluation = {
  name: 'atman-settings',
  title: 'AtMan on SQuAD v1.1 by settings of the request, 40 passages',
  model: DECODER,
  needs: [SQUAD_1],
  onlyWhenNamed: true,
  run: (context) => measure(context, SETTINGS, { first: ITEMS, count: context.sample ?? 40 }),
};

async function measure(
  context: Context,
  settings: Readonly<Record<string, Setting>>,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<Row[]> {
  const rows = await context.lines<SquadRow>(SQUAD_1);
  const items = shortPassages(rows, await loadTokenizer(DECODER), first + count).slice(first);
  const worker = createTaskWorker<AttentionTask, number[]>(
    new Worker(new URL('../workers/attention.worker.ts', import.meta.url), { type: 'module' }),
  );
  const found = new Map<string, Pointing[]>();
  const note = (name: string, pointing: Pointing) => found.set(name, [...(found.get(name) ?? []), pointing]);
  try {
    for (const [index, item] of items.entries()) {
      for (const [name, pointing] of await pointings(context, item, settings, { worker, seed: index }))
        note(name, pointing);
      context.progress('explanations', index + 1, items.length);
    }
  } finally {
    worker.end();
  }
  return Object.keys(settings).flatMap((setting) => rowsOf(setting, found, items.length));
}

const RANDOM = 'random';
const ATTENTION = 'raw attention of the last layer';
const OVERLAP = 'words of the question';

function rowsOf(setting: string, found: ReadonlyMap<string, readonly Pointing[]>, items: number): Row[] {
  const figures = (read: (pointing: Pointing) => number) => (name: string) => meanOf((found.get(name) ?? []).map(read));
  const row = (what: string, figure: (name: string) => Figure): Row => ({
    what: `${what}, ${setting}`,
    model: figure(setting),
    baselines: { [RANDOM]: figure(RANDOM), [ATTENTION]: figure(ATTENTION), [OVERLAP]: figure(OVERLAP) },
    items,
  });
  return [
    row(
      'mAP',
      figures(({ precision }) => precision),
    ),
    row(
      'mAR',
      figures(({ recall }) => recall),
    ),
  ];
}

/** How well each setting and each baseline points at the answer, by name, all on the same words. */
async function pointings(
  { client }: Context,
  item: PassageItem,
  settings: Readonly<Record<string, Setting>>,
  { worker, seed }: { readonly worker: TaskWorker<AttentionTask, number[]>; readonly seed: number },
): Promise<[name: string, Pointing][]> {
  const { passage, question, asked, target, answer } = item;
  const scores = new Map<string, readonly number[]>();
  let words: readonly TextScore[] = [];
  const byFactor = new Map<number | undefined, Explanation[]>();
  for (const [name, { factor, tokens }] of Object.entries(settings)) {
    const explanations = byFactor.get(factor) ?? (await explained(client, item, factor));
    byFactor.set(factor, explanations);
    words = wordsOf(explanations[0]);
    const maps = explanations.map((explanation) => wordsOf(explanation).map(({ score }) => score));
    scores.set(name, tokens === 'shares' ? sumOfShares(maps) : sumOf(maps));
  }
  const characters = [...passage];
  const texts = words.map(({ start, length }) => characters.slice(start, start + length).join(''));
  scores.set(RANDOM, texts.map(seededRandom(seed)));
  scores.set(ATTENTION, await worker.ask({ model: embeddedModel(DECODER), passage, question: asked, target, words }));
  scores.set(OVERLAP, questionOverlap(texts, question));
  const labels = touching(words, answer);
  return [...scores].map(([name, values]) => [name, pointingOf(values, labels)]);
}

/** One explanation for each token of the answer. */
async function explained(client: Client, { passage, asked, target }: PassageItem, factor: number | undefined) {
  const text = (data: string) => ({ type: 'text' as const, data });
  const answer = await valueOf(
    client.explain({
      model: DECODER,
      prompt: [text(passage), text(asked)],
      target,
      prompt_granularity: { type: 'word' },
      target_granularity: 'token',
      ...(factor !== undefined && { control_factor: factor }),
    }),
  );
  return answer.explanations;
}

/** Scores of the passage, the prompt's first item. */
function wordsOf(explanation: Explanation | undefined): readonly TextScore[] {
  const item = explanation?.items[0];
  if (item?.type !== 'text') throw new RangeError(`expected scores of a text, got ${item?.type ?? 'nothing'}`);
  return item.scores;
}
