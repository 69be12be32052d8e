import assert from 'node:assert/strict';
import type { EvaluateResponse, PredictResponse } from '../../../src/contract/likelihood.ts';
import type { Ask } from '../transport/ask.ts';
import { assertClose } from '../transport/close.ts';
import { row, type Row } from './row.ts';

const PROMPT = 'I am a programmer and French. My favourite food is';
const TARGET = ' pizza with cheese';
const base = { model: 'lightwell-base', prompt: PROMPT, target: TARGET };
const SOURCE = 'src/README, POST /predict';

const predicted = (ask: Ask, body: object = {}) => ask.ok<PredictResponse>('/predict', { ...base, ...body });

/** `POST /predict`. */
export const PREDICT_ROWS: readonly Row[] = [
  row(SOURCE, 'the target is as likely as /evaluate says', async (ask) => {
    const { target } = await predicted(ask);
    const body = { model: base.model, prompt: PROMPT, completion_expected: TARGET };
    const { result } = await ask.ok<EvaluateResponse>('/evaluate', body);
    assert.equal(target?.tokens.length, result.token_count);
    assertClose([target?.log_probability ?? NaN], [result.log_probability]);
  }),
  row(SOURCE, 'alternatives are sorted, and one is at least as likely as the target token', async (ask) => {
    const { target } = await predicted(ask, { alternatives: 3, maximum_tokens: 0 });
    for (const { log_probability: own, alternatives } of target?.tokens ?? []) {
      const all = alternatives.map((each) => each.log_probability);
      assert.equal(all.length, 3);
      assert.deepEqual(
        all,
        all.toSorted((a, b) => b - a),
      );
      assert.ok((all[0] ?? NaN) >= own);
      assert.ok(all.reduce((sum, each) => sum + Math.exp(each), 0) <= 1 + 1e-9);
    }
  }),
  row(SOURCE, 'the continuation is what the model rates highest, step by step', async (ask) => {
    const { continuation, target } = await predicted(ask, { target: null, maximum_tokens: 3 });
    assert.equal(target, null);
    const { tokens, text } = continuation;
    assert.ok(tokens.length <= 3);
    if (text === '') return; // the end of the text came at once
    const again = await predicted(ask, { target: text, maximum_tokens: 0, alternatives: 1 });
    assert.deepEqual(again.continuation, { text: '', tokens: [] });
    const [first] = again.target?.tokens ?? [];
    assertClose([first?.log_probability ?? NaN], [tokens[0]?.log_probability ?? NaN], 1e-4);
  }),
  row('interface, Shared request elements', 'controls count for the target and for the continuation', async (ask) => {
    const start = PROMPT.indexOf('French');
    const controls = [
      { start, length: 6, factor: 0 },
      { start: 0, length: 4, factor: 4 },
    ];
    const prompt = [{ type: 'text', data: PROMPT, controls }];
    const plain = await predicted(ask);
    const without = await predicted(ask, { prompt });
    const body = { model: base.model, prompt, completion_expected: TARGET };
    const { result } = await ask.ok<EvaluateResponse>('/evaluate', body);
    assertClose([without.target?.log_probability ?? NaN], [result.log_probability]);
    assert.notEqual(plain.target?.log_probability, without.target?.log_probability);
    assert.notDeepEqual(plain.continuation.tokens, without.continuation.tokens);
  }),
  row(SOURCE, 'counts outside their range are refused with their place', async (ask) => {
    for (const [field, value] of [
      ['alternatives', 0],
      ['alternatives', 21],
      ['maximum_tokens', 65],
      ['maximum_tokens', -1],
    ] as const) {
      const { error } = await ask.refused(400, '/predict', { ...base, [field]: value });
      assert.match(error, new RegExp(`^${field}: expected `));
    }
    const { error } = await ask.refused(400, '/predict', { ...base, target: '' });
    assert.match(error, /^target: expected at least one token/);
  }),
  row(SOURCE, 'a model that predicts no tokens cannot', async (ask) => {
    const { code } = await ask.refused(400, '/predict', { ...base, model: 'lightwell-embed' });
    assert.equal(code, 'MISSING_CAPABILITY');
  }),
];
