import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../../src/explanations/question.ts';
import { comparedWith } from '../../../../../src/pages/explain/variations/comparison.ts';
import { answer, createFakeClient, explanation, PREDICTION } from '../../../../support/fakes/fake-explain.ts';

const settings = { ...DEFAULT_QUESTION_SETTINGS, isTargetExact: true };
const question = { picture: null, prompt: 'ab', target: 'x', settings };
const outcomeA = () => outcomeOf(question, [explanation(1)], 'm 1', PREDICTION);

function setUp() {
  const { asked, client, request } = createFakeClient();
  const { getState: state } = comparedWith(outcomeA(), { client, model: 'm' });
  return { asked, request, state };
}

describe('compare store', () => {
  it('asks the same as A until it is changed', () => {
    const { state, asked } = setUp();
    expect(state()).toMatchObject({ question, model: 'm', phase: { kind: 'idle' } });
    state().edit({ target: ' other' });
    state().setFactor(0.5);
    state().choose('n');
    expect(state()).toMatchObject({
      question: { prompt: 'ab', target: ' other', settings: { ...settings, factor: 0.5 } },
      model: 'n',
    });
    expect(asked).toEqual([]);
  });

  it('runs to an outcome', async () => {
    const { state, request } = setUp();
    const run = state().run();
    expect(state().phase.kind).toBe('running');
    (await request(0)).settle(answer(2));
    await run;
    expect(state()).toMatchObject({
      requestedModel: 'm',
      phase: { kind: 'done', outcome: { modelVersion: 'm 1', influence: { prompt: [{ total: 2 }] } } },
    });
  });

  it('aborts the older request, whose answer never shows', async () => {
    const { state, request } = setUp();
    const older = state().run();
    const first = await request(0);
    state().edit({ target: ' newer' });
    const newer = state().run();
    expect(first.options.signal?.aborted).toBe(true);
    (await request(1)).settle(answer(2));
    first.settle(answer(1));
    await Promise.all([older, newer]);
    expect(state().phase).toMatchObject({ outcome: { influence: { prompt: [{ total: 2 }] } } });
  });

  it('stops when it is cancelled', async () => {
    const { state, request } = setUp();
    const run = state().run();
    const { options } = await request(0);
    state().cancel();
    expect(options.signal?.aborted).toBe(true);
    await run;
    expect(state().phase).toEqual({ kind: 'idle' });
  });

  it('shows a problem, and asks again', async () => {
    const { state, request } = setUp();
    const run = state().run();
    (await request(0)).settle({ ok: false, problem: { status: 400, code: 'PROMPT_TOO_LONG', message: 'long' } });
    await run;
    expect(state().phase).toMatchObject({ kind: 'failed', problem: { code: 'PROMPT_TOO_LONG' } });
    const again = state().run();
    (await request(1)).settle(answer(2));
    await again;
    expect(state().phase.kind).toBe('done');
  });

  it('asks nothing while something is missing', async () => {
    const { state, asked } = setUp();
    state().edit({ prompt: '' });
    await state().run();
    expect(asked).toEqual([]);
  });

  it('stays with its result A', () => {
    const { client } = createFakeClient();
    const source = { client, model: 'm' };
    const a = outcomeA();
    comparedWith(a, source).getState().edit({ target: ' kept' });
    expect(comparedWith(a, source).getState().question.target).toBe(' kept');
    expect(comparedWith(outcomeA(), source).getState().question.target).toBe('x');
  });
});
