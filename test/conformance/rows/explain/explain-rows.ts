import assert from 'node:assert/strict';
import type { Explanation, ExplainResponse, TextScore } from '../../../../src/contract/explain.ts';
import type { Ask } from '../../transport/ask.ts';
import { assertClose } from '../../transport/close.ts';
import { BUDGET_ROWS } from './budget-rows.ts';
import { CONTRAST_ROWS } from './contrast-rows.ts';
import { METHOD_ROWS } from './method-rows.ts';
import { row, type Row } from '../row.ts';

const PROMPT = 'I am a programmer and French. My favourite food is';
const TARGET = ' pizza with cheese';
const base = { model: 'lightwell-base', prompt: PROMPT, target: TARGET };
const word = { prompt_granularity: { type: 'word' } };

async function explanationsOf(ask: Ask, body: object = {}): Promise<readonly Explanation[]> {
  return (await ask.ok<ExplainResponse>('/explain', { ...base, ...word, ...body })).explanations;
}

async function first(ask: Ask, body: object = {}): Promise<Explanation> {
  const [explanation] = await explanationsOf(ask, body);
  assert.ok(explanation);
  return explanation;
}

function textScores({ items }: Explanation): readonly TextScore[] {
  const item = items.find(({ type }) => type === 'text');
  return item?.type === 'text' ? item.scores : [];
}

async function spansOf(ask: Ask, prompt: string, type: string, delimiter?: string): Promise<number[][]> {
  const body = { prompt, prompt_granularity: { type, ...(delimiter !== undefined && { delimiter }) } };
  return textScores(await first(ask, body)).map(({ start, length }) => [start, length]);
}

/** What a prompt is cut into, as pairs of start and length. */
const spansRow = (
  source: string,
  says: string,
  cut: [prompt: string, type: string, by?: string],
  ...spans: number[][]
) => row(source, says, async (ask) => assert.deepEqual(await spansOf(ask, ...cut), spans));

const valuesOf = (explanation: Explanation) => textScores(explanation).map(({ score }) => score);

const granularityRows: readonly Row[] = [
  spansRow(
    'facts §1.5',
    'words are spans without the spaces between them',
    ['An apple a day', 'word'],
    [0, 2],
    [3, 5],
    [9, 1],
    [11, 3],
  ),
  spansRow(
    'facts §1.5',
    'sentences are spans as recorded: {0,29} and {30,20}',
    [PROMPT, 'sentence'],
    [0, 29],
    [30, 20],
  ),
  spansRow(
    'facts §1.5',
    'paragraphs keep single newlines and drop blank lines',
    ['One.\nTwo.\n\nThree.', 'paragraph'],
    [0, 9],
    [11, 6],
  ),
  spansRow(
    'facts §1.5',
    'a custom delimiter is left out of the spans',
    ['This is a prompt.###Another one###and one more', 'custom', '###'],
    [0, 17],
    [20, 11],
    [34, 12],
  ),
  row('facts §1.5', 'a delimiter is ignored for other types', async (ask) => {
    assert.equal((await spansOf(ask, 'aa bbb', 'word', 'string')).length, 2);
  }),
  row('facts §1.5', 'custom needs a delimiter', async (ask) => {
    const body = { ...base, prompt_granularity: { type: 'custom' } };
    assert.match((await ask.refused(400, '/explain', body)).error, /^prompt_granularity\.delimiter: /);
  }),
  row('facts §1.5', 'tokens cover the prompt but for single spaces, and the first keeps its own', async (ask) => {
    const prompt = ' An apple a day\nkeeps the doctor away.';
    let end = 0;
    for (const [start = 0, length = 0] of await spansOf(ask, prompt, 'token')) {
      assert.equal(prompt.slice(end, start).replace(' ', ''), '');
      end = start + length;
    }
    assert.equal(end, prompt.length);
    assert.equal((await spansOf(ask, prompt, 'token'))[0]?.[0], 0);
  }),
  row('facts §1.5', 'a newline is a section of its own', async (ask) => {
    const spans = await spansOf(ask, 'apple\npie', 'token');
    assert.ok(spans.some(([start, length]) => start === 5 && length === 1));
  }),
  row('facts §1.5', 'left out, the granularity nearest to 30 sections is chosen', async (ask) => {
    const short = { ...base, prompt: 'Hello World!' };
    const { explanations } = await ask.ok<ExplainResponse>('/explain', short);
    assert.ok(explanations[0] && textScores(explanations[0]).length >= 3); // by token: even words would be fewer
    const long = { ...base, prompt: 'One two three. '.repeat(30).trim() };
    const { explanations: many } = await ask.ok<ExplainResponse>('/explain', long);
    assert.equal(many[0] && textScores(many[0]).length, 30); // by sentence
  }),
  row('facts §1.5', 'there is no value "auto" on the wire', async (ask) => {
    await ask.refused(400, '/explain', { ...base, prompt_granularity: { type: 'auto' } });
  }),
  row('facts §1.5', 'token ids are explained one by one, by bare numbers, whatever the granularity', async (ask) => {
    const prompt = [
      { type: 'token_ids', data: [300, 301, 302] },
      { type: 'text', data: 'One. Two.' },
    ];
    const { items } = await first(ask, { prompt, prompt_granularity: { type: 'sentence' } });
    assert.deepEqual(
      items.map(({ type }) => type),
      ['token_ids', 'text', 'target'],
    );
    const [ids, text] = items;
    assert.ok(ids?.type === 'token_ids' && ids.scores.length === 3);
    assert.ok(ids.scores.every((score) => typeof score === 'number'));
    assert.equal(text?.scores.length, 2);
  }),
  spansRow('interface, Prompt', 'spans count code points', ['🍎 pie 🥧 tart', 'word'], [0, 1], [2, 3], [6, 1], [8, 4]),
];

const scoreRows: readonly Row[] = [
  row('facts §1.5', 'one explanation of the whole target by default, with an empty target item last', async (ask) => {
    const explanations = await explanationsOf(ask);
    assert.deepEqual(
      explanations.map(({ target }) => target),
      [TARGET],
    );
    const last = explanations[0]?.items.at(-1);
    assert.deepEqual([last?.type, last?.scores], ['target', []]);
  }),
  row('facts §1.5', 'one explanation for each target token, named by it with its space', async (ask) => {
    const explanations = await explanationsOf(ask, { target_granularity: 'token' });
    assert.ok(explanations.length > 1);
    assert.equal(explanations.map(({ target }) => target).join(''), TARGET);
  }),
  row('facts §1.5', 'the target item holds the target before the explained token', async (ask) => {
    const explanations = await explanationsOf(ask, { target_granularity: 'token' });
    const counts = explanations.map(({ items }) => items.at(-1)?.scores.length);
    assert.deepEqual(counts, [...explanations.keys()]);
    const last = explanations.at(-1)?.items.at(-1);
    const spans = last?.type === 'target' ? last.scores : [];
    assert.equal(spans[0]?.start, 0);
    assert.equal(TARGET.slice(spans[1]?.start ?? 0)[0] === ' ', false); // only the first keeps its leading space
  }),
  row('facts §1.5', 'complete is the sum over the target tokens', async (ask) => {
    const whole = valuesOf(await first(ask));
    const each = (await explanationsOf(ask, { target_granularity: 'token' })).map(valuesOf);
    assertClose(
      whole,
      whole.map((_, i) => each.reduce((sum, scores) => sum + (scores[i] ?? NaN), 0)),
      1e-4,
    );
  }),
  row('interface, POST /explain', 'absolute and square are of each difference', async (ask) => {
    const of = async (postprocessing: string) =>
      (await explanationsOf(ask, { target_granularity: 'token', postprocessing })).flatMap(valuesOf);
    const plain = await of('none');
    assertClose(await of('absolute'), plain.map(Math.abs));
    assertClose(
      await of('square'),
      plain.map((score) => score ** 2),
    );
  }),
  row('interface, Shared request elements', 'normalize makes the least 0 and the greatest 1', async (ask) => {
    const scores = valuesOf(await first(ask, { normalize: true }));
    assert.deepEqual([Math.min(...scores), Math.max(...scores)], [0, 1]);
  }),
  row('interface, POST /explain', 'normalize comes after postprocessing', async (ask) => {
    const absolute = valuesOf(await first(ask, { postprocessing: 'absolute' }));
    const scores = valuesOf(await first(ask, { postprocessing: 'absolute', normalize: true }));
    const [least, most] = [Math.min(...absolute), Math.max(...absolute)];
    assertClose(
      scores,
      absolute.map((score) => (score - least) / (most - least)),
    );
  }),
  row('interface, POST /explain', 'factor 1 is the identity', async (ask) => {
    for (const score of valuesOf(await first(ask, { control_factor: 1 }))) assert.equal(score, 0);
  }),
  row('interface, POST /explain', 'the factor is 0.1 unless told', async (ask) => {
    assert.deepEqual(valuesOf(await first(ask)), valuesOf(await first(ask, { control_factor: 0.1 })));
  }),
  row('interface, POST /explain', 'a factor above 1 amplifies, 0 suppresses all', async (ask) => {
    const [amplified, weak, none] = [
      valuesOf(await first(ask, { control_factor: 3 })),
      valuesOf(await first(ask)),
      valuesOf(await first(ask, { control_factor: 0 })),
    ];
    assert.notDeepEqual(amplified, weak);
    assert.notDeepEqual(none, weak);
  }),
  row('interface, Shared request elements', 'controls are log-additive unless told', async (ask) => {
    const unsaid = valuesOf(await first(ask));
    assert.deepEqual(unsaid, valuesOf(await first(ask, { control_log_additive: true })));
    assert.notDeepEqual(unsaid, valuesOf(await first(ask, { control_log_additive: false })));
  }),
  row('facts §1.5', 'a threshold of 0 is valid, and spreads to other tokens', async (ask) => {
    const spread = valuesOf(await first(ask, { contextual_control_threshold: 0 }));
    assert.notDeepEqual(spread, valuesOf(await first(ask)));
  }),
  row('interface, POST /explain', 'overlap is partial unless told; complete may be told', async (ask) => {
    const body = { prompt_granularity: { type: 'custom', delimiter: 'o' } }; // cuts through tokens
    const unsaid = valuesOf(await first(ask, body));
    assert.deepEqual(unsaid, valuesOf(await first(ask, { ...body, control_token_overlap: 'partial' })));
    assert.notDeepEqual(unsaid, valuesOf(await first(ask, { ...body, control_token_overlap: 'complete' })));
  }),
  row('docs/decisions', 'controls of items count before an explanation does', async (ask) => {
    const controls = [{ start: 34, length: 9, factor: 0 }];
    const suppressed = valuesOf(await first(ask, { prompt: [{ type: 'text', data: PROMPT, controls }] }));
    assert.notDeepEqual(suppressed, valuesOf(await first(ask)));
  }),
  row('interface, POST /explain', 'a target is needed', async (ask) => {
    assert.match((await ask.refused(400, '/explain', { ...base, target: undefined })).error, /^target: /);
  }),
];

/** `POST /explain`. */
export const EXPLAIN_ROWS: readonly Row[] = [
  ...granularityRows,
  ...scoreRows,
  ...CONTRAST_ROWS,
  ...BUDGET_ROWS,
  ...METHOD_ROWS,
];
