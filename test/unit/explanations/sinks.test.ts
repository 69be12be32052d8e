import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { outcomeOf } from '../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS, type Question } from '../../../src/explanations/question.ts';
import { sinksIn } from '../../../src/explanations/sinks.ts';
import { createFakeClient, PREDICTION } from '../../support/fakes/fake-explain.ts';

const WORDS = ['The', 'capital', 'of', 'France', '.', 'Paris'];
const PROMPT = WORDS.join(' ');
/** The fake gives the target ` a` this log-likelihood after the whole prompt. */
const WHOLE = Math.log(0.25);

function outcome(scores: readonly number[], change: Partial<Question['settings']> = {}) {
  const settings = { ...DEFAULT_QUESTION_SETTINGS, ...change };
  const found = scores.map((score, i) => {
    const text = WORDS[i] ?? '';
    return { start: PROMPT.indexOf(text), length: text.length, score };
  });
  const explanation = { target: ' a', items: [{ type: 'text' as const, scores: found }] };
  return outcomeOf({ picture: null, prompt: PROMPT, target: ' a', settings }, [explanation], 'm 1', PREDICTION);
}

/** Likelihoods after texts without a word, and of the rest of the prompt after a dimmed first word; null: refused. */
function rating(losses: Readonly<Record<string, number>>, dimmedRest: number | null = -30) {
  const asked: unknown[] = [];
  const evaluate: Client['evaluate'] = async ({ prompt, completion_expected }) => {
    asked.push(prompt);
    const given = await createFakeClient().client.evaluate({ model: 'm', prompt, completion_expected });
    const [item] = typeof prompt === 'string' ? [] : prompt;
    const isDimmed = item?.type === 'text' && item.controls?.[0]?.factor !== 1;
    const missing = WORDS.find((word) => typeof prompt === 'string' && !prompt.includes(word)) ?? '';
    const log_probability = item ? (isDimmed ? dimmedRest : -10) : WHOLE - (losses[missing] ?? 0);
    if (!given.ok || log_probability === null)
      return { ok: false, problem: { status: 503, code: 'QUEUE_FULL', message: '' } };
    return { ok: true, value: { ...given.value, result: { ...given.value.result, log_probability, token_count: 4 } } };
  };
  return { asked, source: { client: { evaluate }, model: 'm' } };
}

describe('sinksIn', () => {
  it('has the first section where deleting it changes far less than suppressing it', async () => {
    const { source } = rating({ The: 0.2, France: 6 });
    const sinks = await sinksIn(outcome([5, 1, 0.5, 3]), source);
    expect(sinks).toMatchObject([{ id: 'prompt-0-3', lossAfter: 5 }]);
    expect(sinks[0]?.loss).toBeCloseTo(0.2, 9);
  });

  it('has the first section behind a reason, where it would be named beside it', async () => {
    const { source } = rating({ The: 0.2, France: 6 });
    const found = async (scores: readonly number[]) => (await sinksIn(outcome(scores), source)).map(({ id }) => id);
    expect(await found([5, 1, 0.5, 6])).toEqual(['prompt-0-3']);
    expect(await found([5, 1, 0.5, -6])).toEqual(['prompt-0-3']);
    expect(await found([1.4, 1, 0.5, 6]), 'it is less than a quarter of the reason').toEqual([]);
  });

  it('has a delimiter that later tokens depend on, before or after the first section', async () => {
    const { source } = rating({ The: 0.2, '.': 0.1, France: 6 });
    const found = async (scores: readonly number[]) => (await sinksIn(outcome(scores), source)).map(({ id }) => id);
    expect(await found([5, 1, 0.5, 3, 6])).toEqual(['prompt-22-1', 'prompt-0-3']);
    expect(await found([5, 1, 0.5, 3, 4])).toEqual(['prompt-0-3', 'prompt-22-1']);
    expect(await found([5, 1, 0.5, 3, 2]), 'it is not stronger than the first reason').toEqual(['prompt-0-3']);
  });

  it('has no delimiter that later tokens do not depend on', async () => {
    const { source } = rating({ '.': 0.1 }, -10.4);
    expect(await sinksIn(outcome([1, 1, 0.5, 3, 6]), source)).toEqual([]);
  });

  it('has none where the target loses as much by deletion, even if another section costs more', async () =>
    expect(await sinksIn(outcome([5, 1, 0.5, 3]), rating({ The: 4, France: 6 }).source)).toEqual([]));

  it.each([
    ['another section is the strongest', [1, 5, 0.5, 3], {}],
    ['the first one opposes the target', [-5, 1, 0.5, 3], {}],
    ['nothing counts', [0.05, 0.01, 0, 0], {}],
    ['sections are strengthened', [5, 1, 0.5, 3], { factor: 2 }],
  ] as const)('asks nothing where %s', async (_, scores, settings) => {
    const { source, asked } = rating({ The: 0.2, France: 6 });
    expect(await sinksIn(outcome(scores, settings), source)).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('has no control where its request is refused', async () =>
    expect(await sinksIn(outcome([5, 1, 0.5, 3]), rating({ The: 0.2, France: 6 }, null).source)).toMatchObject([
      { lossAfter: null },
    ]));
});
