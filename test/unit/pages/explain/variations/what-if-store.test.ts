import { describe, expect, it, vi } from 'vitest';
import { outcomeOf } from '../../../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../../src/explanations/question.ts';
import { GRACE_MS, whatIfStoreOf } from '../../../../../src/pages/explain/variations/what-if-store.ts';
import { createPredictingClient, explanation, predicted, PREDICTION } from '../../../../support/fakes/fake-explain.ts';
import { holdTime } from '../../../../support/fakes/fake-time.ts';

const ID = 'prompt-0-2';
const question = { picture: null, prompt: 'ab', target: 'x', settings: DEFAULT_QUESTION_SETTINGS };
const outcome = () => outcomeOf(question, [explanation(1)], 'm 1', PREDICTION);

function setUp() {
  const { asked, client } = createPredictingClient();
  const store = whatIfStoreOf(outcome(), { client, model: 'm' });
  const factorsAsked = () =>
    asked.map(({ body: { prompt } }) => typeof prompt !== 'string' && prompt[0]?.controls?.[0]?.factor);
  return { asked, state: store.getState, factorsAsked };
}

const settled = () => vi.advanceTimersByTimeAsync(0);
const probabilityIn = ({ changed }: ReturnType<ReturnType<typeof setUp>['state']>) =>
  changed.kind === 'done' ? Math.exp(changed.value.target?.log_probability ?? NaN) : changed.kind;

describe('what-if store', () => {
  holdTime();

  it('starts without changes, and asks nothing', () => {
    const { asked, state } = setUp();
    expect(state()).toMatchObject({ changed: { kind: 'idle' }, isComputing: false });
    expect(asked).toEqual([]);
  });

  it('shows what a change does', async () => {
    const { asked, state, factorsAsked } = setUp();
    state().change(ID, 0.5);
    expect(state().isComputing).toBe(true);
    asked[0]?.settle(predicted(0.01));
    await settled();
    expect(factorsAsked()).toEqual([0.5]);
    expect(probabilityIn(state())).toBeCloseTo(0.01, 9);
    expect(state().isComputing).toBe(false);
  });

  it('computes on until the newest factor is answered', async () => {
    const { asked, state, factorsAsked } = setUp();
    for (const factor of [0.9, 0.8, 0.7]) state().change(ID, factor);
    asked[0]?.settle(predicted(0.9));
    await settled();
    expect(probabilityIn(state())).toBeCloseTo(0.9, 9);
    expect(state().isComputing).toBe(true);
    asked[1]?.settle(predicted(0.7));
    await settled();
    expect(factorsAsked()).toEqual([0.9, 0.7]);
    expect(probabilityIn(state())).toBeCloseTo(0.7, 9);
    expect(state().isComputing).toBe(false);
  });

  it('aborts what is stale; an answer that comes all the same is not shown over the newer one', async () => {
    const { asked, state } = setUp();
    state().change(ID, 0.9);
    state().change(ID, 0.1);
    await vi.advanceTimersByTimeAsync(GRACE_MS);
    expect(asked[0]?.options.signal?.aborted).toBe(true);
    asked[1]?.settle(predicted(0.1));
    await settled();
    asked[0]?.settle(predicted(0.9));
    await settled();
    expect(probabilityIn(state())).toBeCloseTo(0.1, 9);
  });

  it('is unchanged as soon as the last factor is 1 again, whatever still runs', async () => {
    const { asked, state } = setUp();
    state().change(ID, 0.5);
    state().change(ID, 1);
    expect(state()).toMatchObject({ changed: { kind: 'idle' }, isComputing: false });
    expect(state().factors.size).toBe(0);
    expect(asked[0]?.options.signal?.aborted).toBe(true);
    await settled();
    expect(state().changed.kind).toBe('idle');
    expect(asked).toHaveLength(1);
  });

  it('takes all changes away at once', () => {
    const { state } = setUp();
    state().change(ID, 0.5);
    state().change('prompt-3-1', 2);
    state().reset();
    expect(state().factors.size).toBe(0);
    expect(state().isComputing).toBe(false);
  });

  it('keeps the changes after a failure, asks again when told to, and after the next change', async () => {
    const { asked, state, factorsAsked } = setUp();
    const problem = { status: 503, code: 'QUEUE_FULL', message: 'too many' };
    state().change(ID, 0.5);
    asked[0]?.settle({ ok: false, problem });
    await settled();
    expect(state()).toMatchObject({ changed: { kind: 'failed', problem }, isComputing: false });
    state().retry();
    expect(state()).toMatchObject({ changed: { kind: 'idle' }, isComputing: true });
    asked[1]?.settle({ ok: false, problem });
    await settled();
    state().change(ID, 0.4);
    asked[2]?.settle(predicted(0.2));
    await settled();
    expect(factorsAsked()).toEqual([0.5, 0.5, 0.4]);
    expect(probabilityIn(state())).toBeCloseTo(0.2, 9);
  });

  it('shows no failure while a newer factor is asked', async () => {
    const { asked, state } = setUp();
    state().change(ID, 0.5);
    state().change(ID, 0.4);
    asked[0]?.settle({ ok: false, problem: { status: 503, code: 'QUEUE_FULL', message: '' } });
    await settled();
    expect(state()).toMatchObject({ changed: { kind: 'idle' }, isComputing: true });
  });

  it('makes a problem of a connection that breaks', async () => {
    const { asked, state } = setUp();
    state().change(ID, 0.5);
    asked[0]?.fail(new TypeError('network down'));
    await settled();
    expect(state().changed).toMatchObject({ kind: 'failed', problem: { code: 'CONNECTION', message: 'network down' } });
  });

  it('shows no numbers of another model than the result’s', async () => {
    const { asked, state } = setUp();
    state().change(ID, 0.5);
    asked[0]?.settle(predicted(0.2, 'other 2'));
    await settled();
    expect(state()).toMatchObject({ changed: { kind: 'other model', modelVersion: 'other 2' }, isComputing: false });
  });
});

describe('whatIfOf', () => {
  it('has one store for each result', () => {
    const { client } = createPredictingClient();
    const [one, other] = [outcome(), outcome()];
    const source = { client, model: 'm' };
    expect(whatIfStoreOf(one, source)).toBe(whatIfStoreOf(one, source));
    expect(whatIfStoreOf(other, source)).not.toBe(whatIfStoreOf(one, source));
  });
});
