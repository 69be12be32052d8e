import { describe, expect, it } from 'vitest';
import { keptOf, outcomeOf, readOutcome } from '../../../../../src/state/explain/outcome.ts';
import { DEFAULT_SETTINGS } from '../../../../../src/state/explain/question.ts';

const OUTCOME = outcomeOf(
  { picture: null, prompt: 'An apple', target: ' a', settings: DEFAULT_SETTINGS },
  [{ target: ' a', items: [{ type: 'text', scores: [{ start: 3, length: 5, score: 2 }] }] }],
  'm 1',
);

describe('outcome', () => {
  it('derives the influence from the explanations', () => {
    expect(OUTCOME.influence.prompt).toMatchObject([{ text: 'apple', total: 2 }]);
  });

  it('can be kept and read again', () => {
    expect(readOutcome(JSON.parse(JSON.stringify(keptOf(OUTCOME))))).toEqual(OUTCOME);
  });

  it.each([null, 1, {}, { version: 1 }, { ...keptOf(OUTCOME), version: 0 }, { ...keptOf(OUTCOME), question: null }])(
    'is not read from something else (%#)',
    (value) => {
      expect(readOutcome(value)).toBeNull();
    },
  );
});
