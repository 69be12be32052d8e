import { describe, expect, it } from 'vitest';
import { strengthText } from '../../../../../src/figures/texts.ts';
import type { Prediction } from '../../../../../src/explanations/outcome.ts';
import { changeText } from '../../../../../src/pages/explain/variations/side-by-side.tsx';
import { ATTENTION_STOPS } from '../../../../../src/pages/explain/variations/what-if-panel.tsx';

/** What the model says, and the probability of the target ` a`. */
function says(text: string, probability: number): Prediction {
  const tokens = text === '' ? [] : [{ token: text, log_probability: Math.log(0.5) }];
  const target = { log_probability: Math.log(probability), tokens: [] };
  return { continuation: { text, tokens }, target };
}

describe('changeText', () => {
  it.each([
    [
      says(' a', 0.8),
      says(' b', 0.08),
      'Your changes make ‘a’ about 10 times less likely: 8 % instead of 80 % (−2.30 nats). The model now says ‘b’ instead of ‘a’.',
    ],
    [
      says(' b', 0.1),
      says(' b', 0.4),
      'Your changes make ‘a’ about 4.0 times more likely: 40 % instead of 10 % (+1.39 nats). The model still says ‘b’.',
    ],
    [
      says('', 0.5),
      says('', 0.5),
      'Your changes hardly change how likely ‘a’ is: still 50 % (0.00 nats). The model still ends the text.',
    ],
    [
      says(' b', 0.5),
      says('', 0.5),
      'Your changes hardly change how likely ‘a’ is: still 50 % (0.00 nats). The model now ends the text instead of saying ‘b’.',
    ],
    [
      says('', 0.5),
      says(' b', 0.5),
      'Your changes hardly change how likely ‘a’ is: still 50 % (0.00 nats). The model now says ‘b’ instead of ending the text.',
    ],
    [
      says(' b', 1e-9),
      says(' b', 1e-12),
      'Your changes make ‘a’ about 1,000 times less likely: still less than 0.0001 % (−6.91 nats). The model still says ‘b’.',
    ],
  ])('follows from the numbers', (before, after, text) => expect(changeText(before, after, ' a')).toBe(text));
});

describe('the attention slider', () => {
  it('goes from 0 to 4, in order, with 1 among its stops', () => {
    expect([ATTENTION_STOPS[0], ATTENTION_STOPS.at(-1)]).toEqual([0, 4]);
    expect(ATTENTION_STOPS).toContain(1);
    expect(ATTENTION_STOPS).toEqual(ATTENTION_STOPS.toSorted((a, b) => a - b));
  });

  it.each([
    [0, '× 0: ignored'],
    [0.5, '× 0.5: dimmed'],
    [1, '× 1: unchanged'],
    [4, '× 4: strengthened'],
  ])('says what × %s does', (factor, text) => expect(strengthText(factor)).toBe(text));
});
