import assert from 'node:assert/strict';
import type { ExplainResponse, ExplanationItem } from '../../../../src/contract/explain.ts';
import type { Ask } from '../../transport/ask.ts';
import { assertClose } from '../../transport/close.ts';
import { row, type Row } from '../row.ts';

const body = {
  model: 'lightwell-base',
  prompt: "A table for two at Luigi's in Oakland, please, and a quiet one by the window. ".repeat(3).trim(),
  target: " Luigi's",
  prompt_granularity: { type: 'word' },
};

async function textOf(ask: Ask, query: string, change: object = {}) {
  const { explanations } = await ask.ok<ExplainResponse>(`/explain${query}`, { ...body, ...change });
  const [item] = explanations[0]?.items ?? [];
  assert.ok(item?.type === 'text');
  return item;
}

const scoresOf = (item: Extract<ExplanationItem, { type: 'text' }>) => item.scores.map(({ score }) => score);

/** `POST /explain` with a budget. */
export const BUDGET_ROWS: readonly Row[] = [
  row('docs/decisions', 'without a budget, and with all of it, nothing is marked', async (ask) => {
    for (const query of ['', '?budget=1']) assert.equal('margins' in (await textOf(ask, query)), false);
  }),
  row('docs/decisions', 'a score is exact, or an estimate with a margin', async (ask) => {
    const exact = scoresOf(await textOf(ask, ''));
    for (const query of ['?budget=0.4', '?budget=auto']) {
      const item = await textOf(ask, query);
      const { margins = [] } = item;
      assert.equal(margins.length, exact.length);
      const isExact = exact.map((_, at) => margins[at] === null);
      const known = (scores: readonly number[]) => scores.filter((_, at) => isExact[at]);
      assert.ok(known(exact).length > 0 && known(exact).length < exact.length);
      assertClose(known(scoresOf(item)), known(exact), 1e-4);
    }
  }),
  row('docs/decisions', 'a budget says what was spent, and why all scores are exact where they are', async (ask) => {
    const use = async (query: string, change: object = {}) =>
      (await ask.ok<ExplainResponse>(`/explain${query}`, { ...body, ...change })).budget;
    assert.equal(await use('?budget=1'), undefined);
    const kept = await use('?budget=0.4');
    assert.ok(kept && kept.exact_because === null && kept.spent > 0 && kept.spent < 0.5);
    assert.deepEqual(await use('?budget=0.2', { prompt: 'A table for two.' }), { spent: 1, exact_because: 'prompt' });
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
