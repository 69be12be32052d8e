import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { crossCheck, isDoubtful, MAX_CHECKED } from '../../../src/explanations/cross-check.ts';
import { type Outcome, outcomeOf } from '../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS, type Settings } from '../../../src/explanations/question.ts';
import { createFakeClient, PREDICTION } from '../../support/fakes/fake-explain.ts';

const SENTENCES = ['Red cars go.', 'Blue ones stop.', 'Ask me.'];
const PROMPT = SENTENCES.join(' ');

/** Those sentences with these scores; the stand-in gives the target ` a` a probability of a quarter. */
function outcome(scores: readonly number[], settings: Partial<Settings> = {}): Outcome {
  const question = {
    picture: null,
    prompt: PROMPT,
    target: ' a',
    settings: { ...DEFAULT_QUESTION_SETTINGS, ...settings },
  };
  const found = scores.map((score, i) => {
    const text = SENTENCES[i] ?? '';
    return { start: PROMPT.indexOf(text), length: text.length, score };
  });
  return outcomeOf(question, [{ target: ' a', items: [{ type: 'text', scores: found }] }], 'm 1', PREDICTION);
}

/** Says what the target's log-likelihood is behind each prompt, and remembers what was asked. */
function judging(likelihood: (prompt: string) => number | null) {
  const asked: { prompt: unknown; nice: boolean | undefined }[] = [];
  const evaluate: Client['evaluate'] = async ({ prompt }, { nice } = {}) => {
    asked.push({ prompt, nice });
    const given = await createFakeClient().client.evaluate({ model: 'm', prompt, completion_expected: ' a' });
    const log_probability = likelihood(String(prompt));
    if (!given.ok || log_probability === null)
      return { ok: false, problem: { status: 503, code: 'QUEUE_FULL', message: '' } };
    return { ok: true, value: { ...given.value, result: { ...given.value.result, log_probability } } };
  };
  const { signal } = new AbortController();
  return { asked, options: { client: { evaluate }, model: 'm', signal } };
}

describe('crossCheck', () => {
  it('finds sections whose deletion has the other effect', async () => {
    const { options } = judging((prompt) => (prompt.includes('Red') ? Math.log(0.25) : -10));
    const check = await crossCheck(outcome([-4, -2, 3]), options);
    expect(check?.checked).toBe(3);
    expect(check?.contradictions.map(({ section }) => section.text)).toEqual(['Red cars go.']);
    expect(check?.contradictions[0]?.loss).toBeCloseTo(10 + Math.log(0.25), 9);
  });

  it('takes a small change for no evidence', async () => {
    const { options } = judging(() => Math.log(0.25) - 0.9);
    expect((await crossCheck(outcome([-4, -2, 3]), options))?.contradictions).toEqual([]);
  });

  it('deletes the strongest first, none that is neutral, and lets everything else go first', async () => {
    const { options, asked } = judging(() => -1);
    await crossCheck(outcome([0.05, 2, -3]), options);
    expect(asked).toEqual([
      { prompt: 'Red cars go. Blue ones stop.', nice: true },
      { prompt: 'Red cars go. Ask me.', nice: true },
    ]);
  });

  it('asks a limited number of times', async () => {
    const prompt = 'ab cd. '.repeat(20).trim();
    const scores = Array.from({ length: 20 }, (_, i) => ({ start: i * 7, length: 6, score: 1 + i }));
    const long = outcomeOf(
      { picture: null, prompt, target: ' a', settings: DEFAULT_QUESTION_SETTINGS },
      [{ target: ' a', items: [{ type: 'text', scores }] }],
      'm 1',
      PREDICTION,
    );
    const { options, asked } = judging(() => -1);
    await crossCheck(long, options);
    expect(asked).toHaveLength(MAX_CHECKED);
  });

  it('says nothing where nothing can be said', async () => {
    const { options } = judging(() => -1);
    expect(await crossCheck(outcome([3]), options)).toBeNull();
    expect(await crossCheck(outcome([0, 0.01, 0]), options)).toBeNull();
    expect(await crossCheck(outcome([1, 2, 3], { factor: 1 }), options)).toBeNull();
    expect(await crossCheck({ ...outcome([1, 2, 3]), prediction: null }, options)).toBeNull();
    expect(await crossCheck(outcome([1, 2, 3]), judging(() => null).options)).toBeNull();
  });
});

it('long sections are doubtful, and any that are strengthened', () => {
  expect(isDoubtful(outcome([1, 2, 3]))).toBe(true);
  const ofWords = (factor: number) =>
    outcomeOf(
      { picture: null, prompt: PROMPT, target: ' a', settings: { ...DEFAULT_QUESTION_SETTINGS, factor } },
      [{ target: ' a', items: [{ type: 'text', scores: [{ start: 0, length: 3, score: 1 }] }] }],
      'm 1',
      null,
    );
  expect([isDoubtful(ofWords(0.1)), isDoubtful(ofWords(2))]).toEqual([false, true]);
});
