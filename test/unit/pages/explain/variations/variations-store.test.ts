import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../../src/explanations/question.ts';
import { createVariationsStore } from '../../../../../src/pages/explain/variations/variations-store.ts';
import { createFakeClient, explanation, PREDICTION } from '../../../../support/fakes/fake-explain.ts';

const question = { picture: null, prompt: 'ab', target: 'x', settings: DEFAULT_QUESTION_SETTINGS };
const outcome = outcomeOf(question, [explanation(1)], 'm 1', PREDICTION);

describe('variations store', () => {
  it('opens and closes both', () => {
    const { getState: state } = createVariationsStore({ client: createFakeClient().client, model: 'm' });
    expect(state()).toMatchObject({ panel: null, first: null });
    state().toggle('what-if');
    state().compare(outcome);
    expect(state()).toMatchObject({ panel: 'what-if', first: outcome, comparisons: 1 });
    state().compare(null);
    expect(state()).toMatchObject({ first: null, comparisons: 1 });
  });

  it('leads to a comparison once, when it is opened', () => {
    const { getState: state } = createVariationsStore({ client: createFakeClient().client, model: 'm' });
    expect(state().arrive()).toBe(false);
    state().compare(outcome);
    expect([state().arrive(), state().arrive()]).toEqual([true, false]);
    state().compare(null);
    expect(state().arrive()).toBe(false);
  });

  it('reads the model anew for each request', () => {
    const source = { client: createFakeClient().client, model: 'm' };
    const { getState: state } = createVariationsStore(source);
    source.model = 'n';
    expect(state().source.model).toBe('n');
  });
});
