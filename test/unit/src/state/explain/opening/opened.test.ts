import { describe, expect, it } from 'vitest';
import { FIRST_QUESTION, followed, visited } from '../../../../../../src/state/explain/opening/opened.ts';
import { type Outcome, outcomeOf } from '../../../../../../src/state/explain/outcome.ts';
import { DEFAULT_SETTINGS, type Question } from '../../../../../../src/state/explain/question.ts';
import { explanation, PREDICTION, setUpExplain } from '../../../../../support/fakes/fake-explain.ts';

const MINE: Question = { picture: null, prompt: 'mine', target: ' b', settings: DEFAULT_SETTINGS };
const SHARED: Question = { ...MINE, prompt: 'shared' };

function outcome(question: Question, version: string | null = 'm 1'): Outcome {
  return outcomeOf(question, [explanation(2)], version, PREDICTION);
}

describe('visited', () => {
  it('brings a first visit the first example, to be asked at once', () => {
    expect(visited({}, null)).toMatchObject({ question: FIRST_QUESTION, phase: { kind: 'idle' }, isUnasked: true });
  });

  it('brings a later visit what was left, and asks nothing', () => {
    const last = outcome(MINE);
    expect(visited({ question: MINE }, null)).toMatchObject({ question: MINE, last: null, isUnasked: false });
    expect(visited({ question: MINE, last }, null)).toMatchObject({ phase: { kind: 'done' }, last, isUnasked: false });
  });

  it('asks nothing after a link that cannot be read, and says so', () => {
    expect(visited({}, 'unreadable')).toMatchObject({
      ...{ question: FIRST_QUESTION, isUnasked: false, isLinkUnreadable: true },
    });
  });
});

describe('followed', () => {
  it('asks the question of a link, and keeps what it has replaced', () => {
    const last = outcome(MINE);
    expect(followed({ question: MINE, last }, SHARED)).toEqual({
      ...{ question: SHARED, phase: { kind: 'idle' }, last: null },
      ...{ replaced: { question: MINE, last }, isUnasked: true, isLinkUnreadable: false },
    });
  });

  it('shows the result that is there already', () => {
    const last = outcome(SHARED);
    expect(followed({ question: SHARED, last }, SHARED)).toMatchObject({
      ...{ phase: { kind: 'done', value: last }, replaced: null, isUnasked: false },
    });
  });

  it('asks again where that result was stopped', () => {
    expect(followed({ question: SHARED, last: outcome(SHARED, null) }, SHARED)).toMatchObject({ isUnasked: true });
  });
});

describe('what is opened', () => {
  it('is asked once', async () => {
    const { state, asked } = setUpExplain();
    expect(state().isUnasked).toBe(true);
    void state().run();
    expect(state().isUnasked).toBe(false);
    state().open(SHARED);
    expect(state()).toMatchObject({ question: SHARED, isUnasked: true });
    expect(asked[0]?.options.signal?.aborted).toBe(true);
  });

  it('is not asked once it was edited', () => {
    const { state } = setUpExplain();
    state().edit({ prompt: 'mine' });
    expect(state().isUnasked).toBe(false);
  });

  it('leaves a running request alone when a link cannot be read, which is said until the question changes', () => {
    const { state } = setUpExplain();
    void state().run();
    state().open('unreadable');
    expect(state()).toMatchObject({ isLinkUnreadable: true, phase: { kind: 'running' } });
    state().edit({ prompt: 'mine' });
    expect(state().isLinkUnreadable).toBe(false);
  });
});
