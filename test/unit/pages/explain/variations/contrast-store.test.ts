import { eventually } from '../../../../support/eventually.ts';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../../src/client/client.ts';
import type { ExplainResponse } from '../../../../../src/contract/explain.ts';
import { outcomeOf } from '../../../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../../src/explanations/question.ts';
import {
  contrastStoreOf,
  isAskingLabel,
  isLabelOrMark,
  suggestedFoils,
} from '../../../../../src/pages/explain/variations/contrast-store.ts';
import { createFakeClient, explanation, PREDICTION } from '../../../../support/fakes/fake-explain.ts';

const question = { picture: null, prompt: 'ab', target: ' a', settings: DEFAULT_QUESTION_SETTINGS };
const outcome = (factor = 0.1) =>
  outcomeOf({ ...question, settings: { ...DEFAULT_QUESTION_SETTINGS, factor } }, [explanation(1)], 'm 1', PREDICTION);

function setUp(factor?: number) {
  const { asked, client } = createFakeClient();
  const { getState } = contrastStoreOf(outcome(factor), { client, model: 'm' });
  return { asked, state: getState };
}

/** Waits until this many explanations are requested: the space before the other text is decided first. */
const requested = (asked: readonly unknown[], count: number) => eventually(() => expect(asked).toHaveLength(count));

const answered = (difference: number, ofFoil: number, version = 'm 1'): Answer<ExplainResponse> => ({
  ok: true,
  value: {
    model_version: version,
    explanations: [explanation(1)],
    contrast: { foil: ' b', items: explanation(difference).items, foil_items: explanation(ofFoil).items },
  },
});

describe('contrast store', () => {
  it('proposes what the model says itself', () => expect(setUp().state().foil).toBe(' b'));

  it('shows the difference, and what speaks for the foil', async () => {
    const { asked, state } = setUp();
    const running = state().run();
    await requested(asked, 1);
    asked[0]?.options.onProgress?.({ phase: 'run', done: 1, total: 4 });
    expect(state().phase).toEqual({ kind: 'running', done: 1, total: 4 });
    asked[0]?.settle(answered(2, -1));
    await running;
    const { phase } = state();
    if (phase.kind !== 'done') throw new Error(`expected a contrast, got ${phase.kind}`);
    expect(phase.value.difference.prompt).toMatchObject([{ text: 'ab', total: 2 }]);
    expect([...phase.value.ofFoil.values()]).toEqual([-1]);
  });

  it('turns signs where sections are strengthened', async () => {
    const { asked, state } = setUp(2);
    const running = state().run();
    await requested(asked, 1);
    asked[0]?.settle(answered(2, -1));
    await running;
    expect(state().phase).toMatchObject({ value: { difference: { sections: [{ total: -2 }] } } });
  });

  it('aborts an older request, whose answer is not shown', async () => {
    const { asked, state } = setUp();
    const older = state().run();
    await requested(asked, 1);
    state().edit(' c');
    const newer = state().run();
    await requested(asked, 2);
    expect(asked[0]?.options.signal?.aborted).toBe(true);
    asked[1]?.settle(answered(3, 0));
    await Promise.all([older, newer]);
    expect(state().phase).toMatchObject({ kind: 'done', value: { foil: ' c' } });
  });

  it('says what went wrong, and that another model answers', async () => {
    const { asked, state } = setUp();
    const failing = state().run();
    await requested(asked, 1);
    asked[0]?.settle({ ok: false, problem: { status: 400, code: 'INVALID_REQUEST', message: 'foil: …' } });
    await failing;
    expect(state().phase).toMatchObject({ kind: 'failed', problem: { code: 'INVALID_REQUEST' } });
    const other = state().run();
    await requested(asked, 2);
    asked[1]?.settle(answered(1, 1, 'm 2'));
    await other;
    expect(state().phase).toEqual({ kind: 'other model', modelVersion: 'm 2' });
  });

  it('stays while its result does', () => {
    const { client } = createFakeClient();
    const result = outcome();
    const source = { client, model: 'm' };
    expect(contrastStoreOf(result, source)).toBe(contrastStoreOf(result, source));
    expect(contrastStoreOf(outcome(), source)).not.toBe(contrastStoreOf(result, source));
  });
});

describe('suggested texts and labels', () => {
  const prompt = 'Review: cold soup.\nSentiment:';
  const sections = [0, 6, 8, 13, 17, 19, 28].map((start, at, all) => ({
    start,
    length: (all[at + 1] ?? prompt.length) - start,
    score: 1,
  }));
  const { influence } = outcomeOf(
    { ...question, prompt },
    [{ target: ' a', items: [{ type: 'text', scores: sections }] }],
    'm 1',
    PREDICTION,
  );
  const texts = (is: typeof isAskingLabel) =>
    influence.prompt.filter((one) => is(one, prompt)).map(({ text }) => text.trim());

  it('tells the label that asks from the others', () => {
    expect(texts(isAskingLabel)).toEqual(['Sentiment', ':']);
    expect(texts(isLabelOrMark)).toEqual(['Review', ':', '.', 'Sentiment', ':']);
  });

  it('suggests the likeliest other words, and no pieces of words', () => {
    const alternatives = [' bad', ' b', 'good', ' a'].map((token) => ({ token, log_probability: -1 }));
    const rated = (tokens: readonly string[]) => ({
      ...outcome(),
      question: { ...question, target: tokens.join('') },
      prediction: {
        ...PREDICTION,
        target: { log_probability: -1, tokens: tokens.map((token) => ({ token, log_probability: -1, alternatives })) },
      },
    });
    expect(suggestedFoils(rated([' a']))).toEqual([' bad']);
    expect(suggestedFoils(rated([' ne', 'gative']))).toEqual([]);
  });
});
