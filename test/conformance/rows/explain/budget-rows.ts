import assert from 'node:assert/strict';
import type { ExplainResponse, ExplanationItem } from '../../../../src/contract/explain.ts';
import type { Ask } from '../../transport/ask.ts';
import { assertClose } from '../../transport/close.ts';
import { row, type Row } from '../row.ts';

const body = {
  model: 'lightwell-base',
  prompt: "A table for two at Luigi's in Oakland, please, and a quiet one by the window. ".repeat(2).trim(),
  target: " Luigi's",
  prompt_granularity: { type: 'word' },
};

const explained = (ask: Ask, query: string, change: object = {}) =>
  ask.ok<ExplainResponse>(`/explain${query}`, { ...body, ...change });

function textOf({ explanations }: ExplainResponse) {
  const [item] = explanations[0]?.items ?? [];
  assert.ok(item?.type === 'text');
  return item;
}

const scoresOf = (item: Extract<ExplanationItem, { type: 'text' }>) => item.scores.map(({ score }) => score);

/** `POST /explain` with a budget. */
export const BUDGET_ROWS: readonly Row[] = [
  row('docs/decisions', 'without a budget, and with all of it, nothing is marked', async (ask) => {
    for (const query of ['', '?budget=1']) {
      const answer = await explained(ask, query);
      assert.equal('margins' in textOf(answer), false);
      assert.equal(answer.budget, undefined);
    }
  }),
  row('docs/decisions', 'a score is exact, or an estimate with a margin, and what was spent is said', async (ask) => {
    const exact = scoresOf(textOf(await explained(ask, '')));
    for (const query of ['?budget=0.4', '?budget=auto']) {
      const answer = await explained(ask, query);
      const item = textOf(answer);
      const { margins = [] } = item;
      assert.equal(margins.length, exact.length);
      const isExact = exact.map((_, at) => margins[at] === null);
      const known = (scores: readonly number[]) => scores.filter((_, at) => isExact[at]);
      assert.ok(known(exact).length > 0 && known(exact).length < exact.length);
      assertClose(known(scoresOf(item)), known(exact), 1e-4);
      const { budget } = answer;
      if (query === '?budget=0.4')
        assert.ok(budget && budget.exact_because === null && budget.spent > 0 && budget.spent < 0.5);
    }
  }),
  row('docs/decisions', 'where all scores are exact in spite of a budget, the reason is said', async (ask) => {
    const { budget } = await explained(ask, '?budget=0.2', { prompt: 'A table for two.' });
    assert.deepEqual(budget, { spent: 1, exact_because: 'prompt' });
  }),
  row('docs/decisions', 'another budget is refused', async (ask) => {
    for (const budget of ['0', '2', '-1', 'x', ''])
      assert.match((await ask.refused(400, `/explain?budget=${budget}`, body)).error, /^budget: /);
  }),
  row('docs/decisions', 'estimates are of plain scores alone', async (ask) => {
    for (const change of [{ normalize: true }, { postprocessing: 'absolute' }, { foil: ' Mario' }])
      await ask.refused(400, '/explain?budget=0.5', { ...body, ...change });
  }),
];
