import { modelAnswerText } from '../../../src/figures/caption.ts';
import { describe, expect, it } from 'vitest';
import type { Prediction } from '../../../src/explanations/outcome.ts';

const STEP_BY_STEP = 'It takes the likeliest token at each step';

/** What the model says, token by token, and the only token of the target, with their probabilities. */
function predicted(
  said: Readonly<Record<string, number>>,
  target: readonly [token: string, share: number],
): Prediction {
  const rated = (token: string, share: number) => ({ token, log_probability: Math.log(share) });
  return {
    continuation: {
      text: Object.keys(said).join(''),
      tokens: Object.entries(said).map(([token, share]) => rated(token, share)),
    },
    target: {
      log_probability: Math.log(target[1]),
      tokens: [{ ...rated(...target), alternatives: [rated(' else', 0.5), rated(...target)] }],
    },
  };
}

/** Without the marks that keep scripts of other directions apart. */
const readable = (prediction: Prediction) => modelAnswerText(prediction).replaceAll(/[\u2068\u2069]/g, '');

describe('ownAnswerText', () => {
  it('says why an answer of the model can be less likely than the target', () => {
    const text = readable(predicted({ ' 280': 0.4, ',000': 0.3 }, [' 350', 0.21]));
    expect(text).toContain('The model itself says ‘280,000’ (12 %). It gives the target a probability of 21 %.');
    expect(text).toContain(STEP_BY_STEP);
  });
  it('leaves it at the figures where the answer is the likelier one', () =>
    expect(readable(predicted({ ' red': 0.6 }, [' blue', 0.2]))).not.toContain(STEP_BY_STEP));
});
