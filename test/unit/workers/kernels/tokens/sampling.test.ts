import { describe, expect, it } from 'vitest';
import { chosenToken, isGreedy } from '../../../../../workers/kernels/tokens/sampling.ts';
import { seededRandom } from '../../../../../workers/kernels/seeded-random.ts';

const GREEDY = { temperature: 0, topK: 0, topP: 0 };
const SHARES = [0.5, 0.25, 0.15, 0.1];
const LOGITS = Float32Array.from(SHARES, Math.log);

/** How often each token is chosen, as shares. */
function shares(choice: typeof GREEDY, logits = LOGITS, times = 20_000): number[] {
  const random = seededRandom(3);
  const counts = Array.from(logits, () => 0);
  for (let i = 0; i < times; i++) {
    const id = chosenToken(logits, choice, random);
    counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts.map((count) => count / times);
}

function expectShares(got: readonly number[], wanted: readonly number[]): void {
  wanted.forEach((share, id) => expect(got[id]).toBeCloseTo(share, 1.7));
}

describe('chosenToken', () => {
  it('is the likeliest without sampling, the first of equals', () => {
    expect(isGreedy(GREEDY)).toBe(true);
    expect(chosenToken(Float32Array.of(1, 3, 3, 2), GREEDY, () => 0.99)).toBe(1);
    expect(chosenToken(LOGITS, { temperature: 5, topK: 1, topP: 0 }, () => 0.99)).toBe(0);
  });

  it('chooses as often as tokens are likely', () => expectShares(shares({ ...GREEDY, temperature: 1 }), SHARES));

  it('flattens and sharpens by the temperature', () => {
    const wanted = (temperature: number) => {
      const powers = SHARES.map((share) => share ** (1 / temperature));
      return powers.map((power) => power / powers.reduce((sum, each) => sum + each, 0));
    };
    expectShares(shares({ ...GREEDY, temperature: 2 }), wanted(2));
    expectShares(shares({ ...GREEDY, temperature: 0.5 }), wanted(0.5));
  });

  it('keeps the likeliest k, and then the fewest that reach p', () => {
    expectShares(shares({ temperature: 0, topK: 2, topP: 0 }), [2 / 3, 1 / 3, 0, 0]);
    expectShares(shares({ temperature: 1, topK: 0, topP: 0.74 }), [2 / 3, 1 / 3, 0, 0]);
    // Of the three that k leaves, the first has 0.56: with p above that, two are needed.
    expectShares(shares({ temperature: 1, topK: 3, topP: 0.6 }), [2 / 3, 1 / 3, 0, 0]);
  });

  it('never chooses what must not be chosen, and says where nothing may be', () => {
    const masked = Float32Array.of(-Infinity, 0, -Infinity, 0);
    expectShares(shares({ ...GREEDY, temperature: 3 }, masked), [0, 0.5, 0, 0.5]);
    const none = new Float32Array(4).fill(-Infinity);
    for (const choice of [GREEDY, { temperature: 1, topK: 0, topP: 0 }, { temperature: 1, topK: 3, topP: 0.5 }])
      expect(chosenToken(none, choice, () => 0.5)).toBe(-1);
  });
});
