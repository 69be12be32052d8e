import assert from 'node:assert/strict';
import type { EvaluateResponse } from '../../../src/contract/likelihood.ts';
import type { ExplainResponse } from '../../../src/contract/explain.ts';
import type { Ask } from '../transport/ask.ts';
import { assertClose } from '../transport/close.ts';
import { row, type Row } from './row.ts';

const PROMPT = 'I am a programmer and French. My favourite food is';
const EXPECTED = ' pizza with cheese';
const base = { model: 'lightwell-base', prompt: PROMPT, completion_expected: EXPECTED };
const SOURCE = 'src/README, POST /evaluate';

const answered = (ask: Ask, body: object = {}) => ask.ok<EvaluateResponse>('/evaluate', { ...base, ...body });
const evaluated = async (ask: Ask, body: object = {}): Promise<EvaluateResponse['result']> =>
  (await answered(ask, body)).result;

/** A control on the word "French". */
const controlled = (factor: number) => [
  { type: 'text', data: PROMPT, controls: [{ start: PROMPT.indexOf('French'), length: 6, factor }] },
];

/** `POST /evaluate`. */
export const EVALUATE_ROWS: readonly Row[] = [
  row(SOURCE, 'the answer has the keys of the hosted service in their order', async (ask) => {
    const answer = await answered(ask);
    assert.deepEqual(Object.keys(answer), ['model_version', 'message', 'result', 'num_tokens_prompt_total']);
    assert.equal(answer.message, null);
    assert.deepEqual(Object.keys(answer.result), [
      'log_probability',
      'log_perplexity',
      'log_perplexity_per_token',
      'log_perplexity_per_character',
      'correct_greedy',
      'token_count',
      'character_count',
      'completion',
    ]);
  }),
  row(SOURCE, 'perplexities are one log-probability over one, tokens and characters', async (ask) => {
    const result = await evaluated(ask);
    const { log_probability: sum, token_count: tokens, character_count: characters } = result;
    assert.ok(sum < 0);
    assert.equal(characters, EXPECTED.length);
    const { log_perplexity, log_perplexity_per_token, log_perplexity_per_character } = result;
    const found = [log_perplexity, log_perplexity_per_token, log_perplexity_per_character];
    assertClose(found, [-sum, -sum / tokens, -sum / characters]);
  }),
  row(SOURCE, 'characters are code points', async (ask) => {
    assert.equal((await evaluated(ask, { completion_expected: ' 🍕' })).character_count, 2);
  }),
  row(SOURCE, 'the chain rule: parts one behind the other make the whole', async (ask) => {
    const [first, rest] = [' pizza', ' with cheese'];
    const whole = await evaluated(ask, { completion_expected: first + rest });
    const head = await evaluated(ask, { completion_expected: first });
    const prompt = [
      { type: 'text', data: PROMPT },
      { type: 'text', data: first },
    ];
    const tail = await evaluated(ask, { prompt, completion_expected: rest });
    assert.equal(whole.token_count, head.token_count + tail.token_count);
    assertClose([whole.log_probability], [head.log_probability + tail.log_probability]);
  }),
  row('facts §1.5', 'a word costs, when suppressed, what /explain says of it', async (ask) => {
    const explain = { ...base, target: EXPECTED, prompt_granularity: { type: 'word' } };
    const { explanations } = await ask.ok<ExplainResponse>('/explain', explain);
    const [item] = explanations[0]?.items ?? [];
    const scores = item?.type === 'text' ? item.scores : [];
    const score = scores.find(({ start }) => start === PROMPT.indexOf('French'))?.score ?? NaN;
    const [plain, without] = [await evaluated(ask), await evaluated(ask, { prompt: controlled(0.1) })];
    assertClose([without.log_perplexity - plain.log_perplexity], [score], 1e-4);
  }),
  row('interface, Shared request elements', 'controls are log-additive unless told', async (ask) => {
    const unsaid = await evaluated(ask, { prompt: controlled(0.5) });
    assert.deepEqual(unsaid, await evaluated(ask, { prompt: controlled(0.5), control_log_additive: true }));
    assert.notDeepEqual(unsaid, await evaluated(ask, { prompt: controlled(0.5), control_log_additive: false }));
  }),
  row(SOURCE, 'what the model itself would say is correct when it is expected', async (ask) => {
    const { completion, correct_greedy: isCorrect } = await evaluated(ask, { completion_expected: ' a' });
    assert.equal(isCorrect, completion === ' a');
    const own = await evaluated(ask, { completion_expected: completion });
    assert.deepEqual([own.completion, own.correct_greedy], [completion, true]);
  }),
  row(SOURCE, 'something is expected', async (ask) => {
    const { error, code } = await ask.refused(400, '/evaluate', { ...base, completion_expected: '' });
    assert.equal(code, 'INVALID_REQUEST');
    assert.match(error, /^completion_expected: expected at least one token/);
    const missing = await ask.refused(400, '/evaluate', { ...base, completion_expected: undefined });
    assert.match(missing.error, /^completion_expected: /);
  }),
  row(SOURCE, 'prompt and completion fit the context together', async (ask) => {
    const { error, code } = await ask.refused(400, '/evaluate', { ...base, completion_expected: ' word'.repeat(1020) });
    assert.equal(code, 'PROMPT_TOO_LONG');
    assert.match(error, /^prompt and completion_expected: expected at most \d+ tokens, got \d+$/);
  }),
  row(SOURCE, 'a model that predicts no tokens cannot', async (ask) => {
    const { code } = await ask.refused(400, '/evaluate', { ...base, model: 'lightwell-embed' });
    assert.equal(code, 'MISSING_CAPABILITY');
  }),
];
