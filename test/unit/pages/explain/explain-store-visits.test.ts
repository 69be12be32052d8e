import { describe, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { FIRST_QUESTION, initialState } from '../../../../src/pages/explain/explain-store.ts';
import { type Outcome, outcomeOf } from '../../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS, type Question } from '../../../../src/explanations/question.ts';
import { explanation, PREDICTION, setUpExplain } from '../../../support/fakes/fake-explain.ts';

const MINE: Question = { picture: null, prompt: 'mine', target: ' b', settings: DEFAULT_QUESTION_SETTINGS };
const SHARED: Question = { ...MINE, prompt: 'shared' };

function outcome(question: Question, version: string | null = 'm 1'): Outcome {
  return outcomeOf(question, [explanation(2)], version, PREDICTION);
}

describe('a visit', () => {
  it('starts a first visit with the first example, and runs it', () => {
    expect(initialState({}, null)).toMatchObject({
      question: FIRST_QUESTION,
      phase: { kind: 'idle' },
      runsAtOnce: true,
    });
  });

  it('starts a later visit with what was left, and runs nothing', () => {
    const newest = outcome(MINE);
    expect(initialState({ question: MINE }, null)).toMatchObject({ question: MINE, outcome: null, runsAtOnce: false });
    expect(initialState({ question: MINE, outcome: newest }, null)).toMatchObject({
      phase: { kind: 'done' },
      outcome: newest,
      runsAtOnce: false,
    });
  });

  it('runs nothing after a link that cannot be read, and says so', () => {
    expect(initialState({}, 'unreadable')).toMatchObject({
      question: FIRST_QUESTION,
      runsAtOnce: false,
      isLinkUnreadable: true,
    });
  });
});

describe('a link', () => {
  it('runs the question of a link, and stores what it has replaced', () => {
    const newest = outcome(MINE);
    expect(initialState({ question: MINE, outcome: newest }, SHARED)).toEqual({
      question: SHARED,
      phase: { kind: 'idle' },
      outcome: null,
      replaced: { question: MINE, outcome: newest },
      runsAtOnce: true,
      isLinkUnreadable: false,
    });
  });

  it('shows the outcome that is there already', () => {
    const newest = outcome(SHARED);
    expect(initialState({ question: SHARED, outcome: newest }, SHARED)).toMatchObject({
      phase: { kind: 'done', outcome: newest },
      replaced: null,
      runsAtOnce: false,
    });
  });

  it('runs again where that outcome was stopped', () => {
    expect(initialState({ question: SHARED, outcome: outcome(SHARED, null) }, SHARED)).toMatchObject({
      runsAtOnce: true,
    });
  });
});

describe('an opened question', () => {
  it('runs once', async () => {
    const { state, asked } = setUpExplain();
    expect(state().runsAtOnce).toBe(true);
    void state().run();
    expect(state().runsAtOnce).toBe(false);
    await eventually(() => expect(asked).toHaveLength(1));
    state().open(SHARED);
    expect(state()).toMatchObject({ question: SHARED, runsAtOnce: true });
    expect(asked[0]?.options.signal?.aborted).toBe(true);
  });

  it('does not run once it was edited', () => {
    const { state } = setUpExplain();
    state().edit({ prompt: 'mine' });
    expect(state().runsAtOnce).toBe(false);
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
