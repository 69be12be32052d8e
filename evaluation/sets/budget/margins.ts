import type { ExplainBody, ExplainResponse } from '../../../src/contract/explain.ts';
import { type BudgetPrompt, calibrationPrompts } from '../../data/budget-prompts.ts';
import { isIn, LENGTH_BANDS } from '../../data/lengths.ts';
import { SQUAD_1, type SquadRow } from '../../data/squad.ts';
import type { Context, Evaluation, Row } from '../../evaluation.ts';
import { DECODER, loadTokenizer } from '../../models/embedded-model.ts';
import { valueOf } from '../../value-of.ts';
import { keyOf } from './found.ts';

const PROMPTS = 36;
/** As many of each band as there are long ones: a passage that others share tells nothing new. */
const PROMPTS_BY_LENGTH = 222;
/** The longest ones once more, apart. */
const LENGTHS = [...LENGTH_BANDS, { name: '550 to 1,000 tokens', from: 550, below: 1001 }];
/** Budgets of which each spends another share on estimates, so that each has constants of its own. */
const BUDGETS = [0.05, 0.1, 0.15, 0.25, 'auto'] as const;
/** Shares of the least, a middle and the most that goes into estimates. */
const BUDGETS_BY_LENGTH = [0.05, 0.15, 'auto'] as const;
type Budget = (typeof BUDGETS)[number];
const WAYS = { additive: true, multiplicative: false } as const;
const COVERAGE = 0.9;

/**
 * By how much the constants in `src/models/margins.json` are to be multiplied so that margins cover nine in ten estimates, each
 * prompt counting alike. For a model without constants, put in 1 for each.
 */
export const marginsEvaluation: Evaluation = {
  name: 'margins',
  title: "What the margins' constants are to be multiplied by, SQuAD passages with their questions",
  model: DECODER,
  needs: [SQUAD_1],
  onlyWhenNamed: true,
  run: measure,
};

/** The same by the length of the prompt, for texts whose words are suppressed additively: what `lengths` in `src/models/margins.json` is made from. */
export const marginLengthsEvaluation: Evaluation = {
  name: 'margin-lengths',
  title: "What the margins' constants are to be multiplied by, by length",
  model: DECODER,
  needs: [SQUAD_1],
  onlyWhenNamed: true,
  run: measureByLength,
};

async function measure(context: Context): Promise<Row[]> {
  const found = new Map<string, number[][]>();
  await eachPrompt(context, PROMPTS, async (prompt) => {
    for (const [way, control_log_additive] of Object.entries(WAYS))
      for (const target_granularity of ['complete', 'token'] as const) {
        const body = { ...bodyOf(prompt), control_log_additive, target_granularity };
        const ratios = await ratiosByBudget(context, BUDGETS, body);
        const kind = target_granularity === 'token' ? 'tokens' : 'whole';
        for (const { budget, of } of ratios) addTo(found, `${way}, budget ${budget}, ${kind}`, of);
      }
  });
  return rowsOf(found);
}

async function measureByLength(context: Context): Promise<Row[]> {
  const found = new Map<string, number[][]>();
  await eachPrompt(context, PROMPTS_BY_LENGTH, async (prompt, index) => {
    const key = await keyOf(index, prompt.prompt + prompt.target);
    const ratios = await context.remembered(key, () => ratiosByBudget(context, BUDGETS_BY_LENGTH, bodyOf(prompt)));
    for (const { name } of LENGTHS.filter((band) => isIn(band, prompt)))
      for (const { budget, of } of ratios) addTo(found, `${name}, budget ${budget}`, of);
  });
  return rowsOf(found);
}

async function eachPrompt(
  context: Context,
  count: number,
  measureOf: (prompt: BudgetPrompt, index: number) => Promise<void>,
): Promise<void> {
  const rows = await context.lines<SquadRow>(SQUAD_1);
  const prompts = calibrationPrompts(rows, await loadTokenizer(DECODER)).slice(0, context.sample ?? count);
  for (const [index, prompt] of prompts.entries()) {
    await measureOf(prompt, index);
    context.progress('prompts', index + 1, prompts.length);
  }
}

function bodyOf({ prompt, target }: BudgetPrompt): ExplainBody {
  return { model: DECODER, prompt, target, prompt_granularity: { type: 'word' } };
}

/** Errors over margins of one prompt, for each budget. */
async function ratiosByBudget({ client }: Context, budgets: readonly Budget[], body: ExplainBody) {
  const exact = await valueOf(client.explain(body));
  const ratios: { readonly budget: Budget; readonly of: number[] }[] = [];
  for (const budget of budgets)
    ratios.push({ budget, of: ratiosOf(exact, await valueOf(client.explain(body, { budget }))) });
  return ratios;
}

function addTo(found: Map<string, number[][]>, name: string, ratios: number[]): void {
  found.set(name, [...(found.get(name) ?? []), ratios]);
}

function rowsOf(found: ReadonlyMap<string, readonly number[][]>): Row[] {
  return [...found].map(([what, ratios]) => ({
    what,
    model: { value: coveringRatio(ratios), error: 0 },
    baselines: {},
    items: ratios.length,
  }));
}

/** Errors over margins, of all estimates of an answer. */
function ratiosOf(exact: ExplainResponse, within: ExplainResponse): number[] {
  return within.explanations.flatMap(({ items }, column) =>
    items.flatMap((item, index) => {
      const other = exact.explanations[column]?.items[index];
      if (item.type !== 'text' || other?.type !== 'text') return [];
      return item.scores.flatMap(({ score }, at) => {
        const margin = item.margins?.[at] ?? null;
        return margin === null ? [] : [Math.abs(score - (other.scores[at]?.score ?? Number.NaN)) / margin];
      });
    }),
  );
}

/**
 * The ratio that nine in ten do not exceed, each prompt weighing the same, with one more prompt for the unknown next one.
 *
 * @source hierarchical conformal prediction, Lee, Barber and Willett 2023, arXiv:2306.06342
 */
function coveringRatio(ratios: readonly (readonly number[])[]): number {
  const own = ratios.filter(({ length }) => length > 0);
  const weighed = own.flatMap((of) => of.map((ratio) => ({ ratio, weight: 1 / of.length })));
  let covered = 0;
  for (const { ratio, weight } of weighed.toSorted((a, b) => a.ratio - b.ratio)) {
    covered += weight;
    if (covered >= COVERAGE * (own.length + 1)) return ratio;
  }
  return Number.NaN;
}
