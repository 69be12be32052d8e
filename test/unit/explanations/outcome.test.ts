import { describe, expect, it } from 'vitest';
import { persistedOutcome, outcomeOf, readOutcome } from '../../../src/explanations/outcome.ts';
import { PREDICTION } from '../../support/fakes/fake-explain.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../src/explanations/question.ts';

const OUTCOME = outcomeOf(
  { picture: null, prompt: 'An apple', target: ' a', settings: DEFAULT_QUESTION_SETTINGS },
  [{ target: ' a', items: [{ type: 'text', scores: [{ start: 3, length: 5, score: 2 }] }] }],
  'm 1',
  PREDICTION,
);

describe('outcome', () => {
  it('derives the influence from the explanations', () => {
    expect(OUTCOME.influence.prompt).toMatchObject([{ text: 'apple', total: 2 }]);
  });

  it('can be kept and read again, with its attention sinks', () => {
    const read = (outcome: typeof OUTCOME) => readOutcome(JSON.parse(JSON.stringify(persistedOutcome(outcome))), null);
    expect(read(OUTCOME)).toEqual(OUTCOME);
    const { question, explanations, prediction } = OUTCOME;
    const sinks = [{ id: 'prompt-3-5', loss: 0.1, lossAfter: null }];
    const withSink = outcomeOf(question, explanations, 'm 1', prediction, { sinks });
    expect(read(withSink)).toEqual(withSink);
    expect(withSink.influence.prompt).toMatchObject([{ isSink: true }]);
  });

  it('is kept without its picture, and read with the one kept apart', () => {
    const picture = { name: 'a', type: 'image/png', data: 'abc' };
    const kept = persistedOutcome({ ...OUTCOME, question: { ...OUTCOME.question, picture } });
    expect(JSON.stringify(kept)).not.toContain('abc');
    expect(readOutcome(kept, picture)?.question.picture).toEqual(picture);
  });

  const withItem = (item: unknown) => ({
    ...persistedOutcome(OUTCOME),
    explanations: [{ target: ' a', items: [item] }],
  });

  it.each([
    null,
    1,
    {},
    { ...persistedOutcome(OUTCOME), question: null },
    { ...persistedOutcome(OUTCOME), modelVersion: null },
    { ...persistedOutcome(OUTCOME), prediction: null },
    { ...persistedOutcome(OUTCOME), prediction: null, upstream: 'no address' },
    { ...persistedOutcome(OUTCOME), prediction: { continuation: { text: 'a', tokens: [{ token: 1 }] }, target: null } },
    {
      ...persistedOutcome(OUTCOME),
      prediction: { ...PREDICTION, target: { log_probability: -1, tokens: [{ token: 'a' }] } },
    },
    { ...persistedOutcome(OUTCOME), explanations: 'text' },
    { ...persistedOutcome(OUTCOME), explanations: [5] },
    { ...persistedOutcome(OUTCOME), explanations: [{ target: 5, items: [] }] },
    withItem(null),
    withItem({ type: 'text' }),
    withItem({ type: 'text', scores: [{ start: 0, length: 1, score: '1' }] }),
    withItem({ type: 'target', scores: [{ start: 0, score: 1 }] }),
    withItem({ type: 'image', scores: [{ rect: null, score: 1 }] }),
    withItem({ type: 'image', scores: [{ rect: { left: 0, top: 0, width: 1 }, score: 1 }] }),
  ])('is not read from something else (%#)', (value) => {
    expect(readOutcome(value, null)).toBeNull();
  });
});
