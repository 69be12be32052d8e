import type { ExplainBody, ExplainResponse } from '../../../src/contract/explain.ts';
import { calibrationPrompts } from '../../data/budget-prompts.ts';
import { SQUAD_1, type SquadRow } from '../../data/squad.ts';
import type { Context, Evaluation, Row } from '../../evaluation.ts';
import { DECODER, loadTokenizer } from '../../models/embedded-model.ts';
import { valueOf } from '../../service.ts';

const PROMPTS = 36;
/** Budgets of which each spends another share on estimates, so that each has constants of its own. */
const BUDGETS = [0.05, 0.1, 0.15, 0.25, 'auto'] as const;
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

async function measure(context: Context): Promise<Row[]> {
  const rows = await context.lines<SquadRow>(SQUAD_1);
  const prompts = calibrationPrompts(rows, await loadTokenizer(DECODER)).slice(0, context.sample ?? PROMPTS);
  const found = new Map<string, number[][]>();
  for (const [index, { prompt, target }] of prompts.entries()) {
    for (const [way, control_log_additive] of Object.entries(WAYS))
      for (const granularity of ['complete', 'token'] as const) {
        const body: ExplainBody = {
          ...{ model: DECODER, prompt, target, control_log_additive, target_granularity: granularity },
          prompt_granularity: { type: 'word' },
        };
        const exact = await valueOf(context.client.explain(body));
        for (const budget of BUDGETS) {
          const within = await valueOf(context.client.explain(body, { budget }));
          const name = `${way}, budget ${budget}, ${granularity === 'token' ? 'tokens' : 'whole'}`;
          found.set(name, [...(found.get(name) ?? []), ratiosOf(exact, within)]);
        }
      }
    context.progress('prompts', index + 1, prompts.length);
  }
  return [...found].map(([what, ratios]) => ({
    ...{ what, model: { value: coveringRatio(ratios), error: 0 }, baselines: {}, items: ratios.length },
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

/** The ratio that nine in ten do not exceed, each prompt weighing the same. */
function coveringRatio(ratios: readonly (readonly number[])[]): number {
  const own = ratios.filter(({ length }) => length > 0);
  const weighed = own.flatMap((of) => of.map((ratio) => ({ ratio, weight: 1 / of.length })));
  let covered = 0;
  for (const { ratio, weight } of weighed.toSorted((a, b) => a.ratio - b.ratio)) {
    covered += weight;
    if (covered >= COVERAGE * own.length) return ratio;
  }
  return Number.NaN;
}
