import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_FACTOR } from '../../src/contract/wire/limits.ts';
import { pngOf } from '../support/fakes/fake-images.ts';
import { routerTransport } from '../support/fakes/router-transport.ts';
import { createAsk, type Ask } from './transport/ask.ts';

/** Every kind of number that a request can carry: none, subnormal, below float32, usual, beyond the limit, beyond float32. */
const FACTORS = [0, 1e-300, 1e-46, 1e-20, 0.1, 1, MAX_FACTOR, 1001, 1e39, 1e300];

let ask: Ask;
beforeAll(() => {
  const { transport, described } = routerTransport();
  ask = createAsk(transport, described); // checks every answer against the service's own schema: no null for a number
});

/** Asks with one factor in every place that takes one. */
const bodiesOf = (factor: number, shared: object): readonly [path: string, body: object][] => {
  const rect = { left: 0, top: 0.25, width: 1e-300, height: 0.3 };
  const prompt = [
    { type: 'text', data: 'An apple a day', controls: [{ start: 1, length: 6, factor }] },
    { type: 'token_ids', data: [300, 12], controls: [{ index: 0, factor }] },
    {
      type: 'image',
      data: pngOf(64, 48),
      controls: [
        { rect: { ...rect, width: 0.4 }, factor },
        { rect, factor },
      ],
    },
  ];
  const texts = prompt.slice(0, 2);
  // Of an explanation, the factors of item and section multiply, and may not go beyond the limit together.
  const weakened = [
    { type: 'text', data: 'An apple', controls: [{ start: 1, length: 6, factor: Math.min(factor, 1) }] },
  ];
  const base = { model: 'lightwell-base', ...shared };
  return [
    [
      '/embed',
      { ...base, prompt, pooling: ['mean', 'weighted_mean', 'max', 'last_token', 'abs_max'], normalize: true },
    ],
    ['/explain', { ...base, prompt: weakened, target: ' keeps', control_factor: factor, postprocessing: 'square' }],
    ['/evaluate', { ...base, prompt, completion_expected: ' keeps' }],
    ['/semantic_embed', { ...shared, prompt: texts, representation: 'query', compress_to_size: 128, normalize: true }],
    ['/batch_semantic_embed', { ...shared, prompts: [texts, 'Rome'], representation: 'symmetric' }],
    ['/qa', { query: 'Who?', documents: [{ prompt: texts }] }],
  ];
};

describe('factors', () => {
  it.each(FACTORS)('of %s are answered as described, or refused by the name of their field', async (factor) => {
    const suppressions = [
      { control_log_additive: true, contextual_control_threshold: null },
      { control_log_additive: false, contextual_control_threshold: 0 },
    ];
    for (const [path, body] of suppressions.flatMap((suppression) => bodiesOf(factor, suppression))) {
      if (factor <= MAX_FACTOR) await ask.ok(path, body);
      else expect((await ask.refused(400, path, body)).error).toMatch(/factor: expected a number ≤ 1000/);
    }
  });

  it.each([-1e300, 1e-300, 1, 1e300])('spread from a similarity of %s on', async (threshold) => {
    for (const [path, body] of bodiesOf(0.1, { contextual_control_threshold: threshold })) await ask.ok(path, body);
  });

  it('may not multiply beyond the limit on one token', async () => {
    const controls = [100, 100].map((factor) => ({ start: 0, length: 8, factor }));
    const prompt = [{ type: 'text', data: 'An apple a day', controls }];
    const model = 'lightwell-base';
    const refusals: [path: string, body: object, field: RegExp][] = [
      ['/embed', { model, prompt }, /^prompt controls: .* got 10000$/],
      ['/evaluate', { model, prompt, completion_expected: 'x' }, /^prompt controls: /],
      ['/semantic_embed', { prompt, representation: 'query' }, /^prompt controls: /],
      ['/qa', { query: 'Who?', documents: [{ prompt }] }, /^documents\[0\]\.prompt controls: /],
    ];
    for (const [path, body, field] of refusals) expect((await ask.refused(400, path, body)).error).toMatch(field);
    const once = [{ type: 'text', data: 'An apple a day', controls: controls.slice(1) }];
    const explained = { model, prompt: once, target: 'x', control_factor: 100 };
    expect((await ask.refused(400, '/explain', explained)).error).toMatch(/^control_factor: /);
  });
});
