import type { ExplainBody, ExplainResponse } from '../../src/contract/explain.ts';
import { promptOfPassage } from '../data/answered-prompts.ts';
import { shortPassages, SQUAD_1, type SquadRow } from '../data/squad.ts';
import type { Context, Evaluation, Row } from '../evaluation.ts';
import { meanOf } from '../measures/mean.ts';
import { DECODER, loadTokenizer } from '../models/embedded-model.ts';
import { valueOf } from '../service.ts';

/** Passages before these are measured for the model card, or for the choice of settings. */
const FIRST = 440;
const PASSAGES = 200;
/** The sections with the greatest effect. */
const TOP = 5;
const BUDGETS = [0.1, 0.15, 0.25, 0.5, 'auto'] as const;

/** How much of an explanation is known, how soon, and whether its margins hold: SQuAD passages with questions, by word. */
export const budgetEvaluation: Evaluation = {
  name: 'budget',
  title: `Explanations within a budget, by word, up to ${PASSAGES} SQuAD passages with their questions`,
  model: DECODER,
  needs: [SQUAD_1],
  onlyWhenNamed: true,
  run: measure,
};

/** What one prompt shows of one budget, as shares. */
interface Found {
  /** Of the five greatest, those that are exact. */
  readonly confirmed: number;
  /** Whether these are all five. */
  readonly complete: number;
  /** Time over that of the exact explanation. */
  readonly time: number;
  /** Estimates within their margins; null without estimates. */
  readonly covered: number | null;
  /** Of sections. */
  readonly exact: number;
  /** Nats, the median of the prompt's; null without estimates. */
  readonly margin: number | null;
}

async function measure(context: Context): Promise<Row[]> {
  const rows = await context.lines<SquadRow>(SQUAD_1);
  const count = Math.min(PASSAGES, context.sample ?? PASSAGES);
  const prompts = shortPassages(rows, await loadTokenizer(DECODER), FIRST + count)
    .slice(FIRST)
    .map(promptOfPassage);
  const found = new Map<(typeof BUDGETS)[number], Found[]>(BUDGETS.map((budget) => [budget, []]));
  for (const [index, { prompt, target }] of prompts.entries()) {
    const body: ExplainBody = { model: DECODER, prompt, target, prompt_granularity: { type: 'word' } };
    const exact = await timed(() => valueOf(context.client.explain(body)));
    for (const budget of BUDGETS) {
      const within = await timed(() => valueOf(context.client.explain(body, { budget })));
      found.get(budget)?.push(comparison(exact, within));
    }
    context.progress('passages', index + 1, prompts.length);
  }
  return [...found].flatMap(([budget, all]) => rowsOf(`budget ${budget}`, all));
}

async function timed(work: () => Promise<ExplainResponse>) {
  const startMs = performance.now();
  const answer = await work();
  return { ms: performance.now() - startMs, ...scoresOf(answer) };
}

function scoresOf({ explanations }: ExplainResponse) {
  const item = explanations[0]?.items[0];
  if (item?.type !== 'text') throw new RangeError(`expected scores of a text, got ${item?.type ?? 'nothing'}`);
  const scores = item.scores.map(({ score }) => score);
  return { scores, margins: item.margins ?? scores.map(() => null) };
}

type Timed = Awaited<ReturnType<typeof timed>>;

function comparison(exact: Timed, { scores, margins, ms }: Timed): Found {
  const size = (section: number) => Math.abs(exact.scores[section] ?? 0);
  const top = [...exact.scores.keys()].sort((a, b) => size(b) - size(a)).slice(0, TOP);
  const confirmed = top.filter((section) => margins[section] === null).length / top.length;
  const estimates = margins.flatMap((margin, at) =>
    margin === null ? [] : [{ margin, error: Math.abs((scores[at] ?? 0) - (exact.scores[at] ?? 0)) }],
  );
  const covered = estimates.filter(({ margin, error }) => error <= margin).length / estimates.length;
  return {
    ...{ confirmed, complete: Number(confirmed === 1), time: ms / exact.ms },
    covered: estimates.length > 0 ? covered : null,
    exact: 1 - estimates.length / scores.length,
    margin: medianOf(estimates.map(({ margin }) => margin)),
  };
}

function medianOf(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}

function rowsOf(what: string, all: readonly Found[]): Row[] {
  const row = (name: string, values: readonly number[], baselines: Row['baselines'] = {}): Row[] =>
    values.length === 0 ? [] : [{ what: `${what}: ${name}`, model: meanOf(values), baselines, items: values.length }];
  const shares = all.map(({ exact }) => exact);
  return [
    ...row(
      'of the five greatest sections, those exact',
      all.map(({ confirmed }) => confirmed),
      { random: meanOf(shares) },
    ),
    ...row(
      'prompts with all five',
      all.map(({ complete }) => complete),
    ),
    ...row(
      'time over that of exact scores',
      all.map(({ time }) => time),
    ),
    ...row(
      'estimates within their margin, 0.9 nominal',
      all.flatMap(({ covered }) => covered ?? []),
    ),
    ...row(
      'median margin, nats',
      all.flatMap(({ margin }) => margin ?? []),
    ),
  ];
}
