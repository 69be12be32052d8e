import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../../../../src/state/explain/question.ts';
import { FACTORS, factorPhrase, factorText } from '../../../../../../src/ui/explain/settings/factor-text.ts';

describe('factors', () => {
  it('rise from 0 to 2, and hold the default and the identity', () => {
    expect(FACTORS).toEqual(FACTORS.toSorted((a, b) => a - b));
    expect([FACTORS[0], FACTORS.at(-1)]).toEqual([0, 2]);
    expect(FACTORS).toContain(DEFAULT_SETTINGS.factor);
    expect(FACTORS).toContain(1);
  });

  it.each([
    [0, 'removed', 'Without ‘a’'],
    [0.1, 'suppressed', 'With attention to ‘a’ at 10 %'],
    [1, 'unchanged', 'With attention to ‘a’ at 100 %'],
    [1.5, 'strengthened', 'With attention to ‘a’ at 150 %'],
  ])('are said in words: %d', (factor, word, phrase) => {
    expect(factorText(factor)).toBe(word);
    expect(factorPhrase('‘a’', factor)).toBe(phrase);
  });
});
