import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { requestFirstWords } from '../../../src/explanations/first-words.ts';
import { isSink } from '../../../src/explanations/sinks.ts';
import { createFakeClient } from '../../support/fakes/fake-explain.ts';

/** Gives the rest of a text −10 nats in 4 tokens; without a word it loses what is listed here. */
function rating(dimmed: Readonly<Record<string, number>>, deleted: Readonly<Record<string, number>>) {
  const evaluate: Client['evaluate'] = async (body) => {
    const item = typeof body.prompt === 'string' ? undefined : body.prompt[0];
    if (item?.type !== 'text') throw new Error('expected a text');
    const [control] = item.controls ?? [];
    const word = control && [...item.data].slice(control.start, control.start + control.length).join('');
    const missing = Object.keys(deleted).find((one) => !item.data.includes(one)) ?? '';
    const loss = word === undefined ? (deleted[missing] ?? 0) : (dimmed[word] ?? 0);
    const given = await createFakeClient().client.evaluate(body);
    if (!given.ok) return given;
    const result = { ...given.value.result, log_probability: -10 - loss, token_count: 4 };
    return { ok: true, value: { ...given.value, result } };
  };
  return { client: { evaluate }, model: 'm' };
}

describe('requestFirstWords', () => {
  it('compares dimming with deleting, for each token after the third word', async () => {
    const source = rating({ '🙂The': 24, box: 2 }, { '🙂The': 1, box: 3, holds: 4 });
    const answer = await requestFirstWords('🙂The box holds a hammer', source, {});
    expect(answer).toEqual({
      ok: true,
      value: [
        { word: '🙂The', dimmed: 6, deleted: 0.25 },
        { word: 'box', dimmed: 0.5, deleted: 0.75 },
        { word: 'holds', dimmed: 0, deleted: 1 },
      ],
    });
  });

  it.each(['', 'The box holds', 'The box holds \n'])('has none where nothing follows: %j', async (text) =>
    expect(await requestFirstWords(text, rating({}, {}), {})).toEqual({ ok: true, value: [] }),
  );

  it('says why a call failed', async () => {
    const problem = { status: 503, code: 'QUEUE_FULL', message: '' };
    const source = { client: { evaluate: async () => ({ ok: false, problem }) as const }, model: 'm' };
    expect(await requestFirstWords('a b c d', source, {})).toEqual({ ok: false, problem });
  });
});

describe('isSink', () => {
  it.each([
    [6, 0.2, true],
    [6, 5, false],
    [0.3, 0, false],
    [-1, -2, false],
  ])('says of a word that costs %d nats dimmed and %d deleted: %s', (dimmed, deleted, expected) =>
    expect(isSink({ dimmed, deleted })).toBe(expected),
  );
});
