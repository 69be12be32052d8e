import { describe, expect, it } from 'vitest';
import {
  chosenToken,
  isExcluded,
  isGreedy,
  isIncluded,
  isTextAllowed,
  mayEnd,
  penalise,
} from '../../../../workers/kernels/next-token.ts';
import { seededRandom } from '../../../../workers/kernels/seeded-random.ts';

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

const none = { strength: 0, isMultiplicative: false };
const NONE = { presence: none, frequency: none, sequence: none, sequenceLength: 2 };

function penalised(
  penalties: Partial<typeof NONE>,
  ids: readonly number[],
  more: { unordered?: number[]; exceptions?: number[] } = {},
) {
  const logits = Float32Array.of(2, 2, -2, 2);
  const { unordered = [], exceptions = [] } = more;
  penalise(logits, { ...NONE, ...penalties }, { ids, unordered, exceptions: new Set(exceptions) });
  return [...logits];
}

describe('penalise', () => {
  it('leaves scores alone without penalties', () => {
    expect(penalised({}, [0, 1, 2])).toEqual([2, 2, -2, 2]);
  });

  it('subtracts once for presence and each time for frequency', () => {
    const half = { strength: 0.5, isMultiplicative: false };
    expect(penalised({ presence: half }, [0, 0, 2])).toEqual([1.5, 2, -2.5, 2]);
    expect(penalised({ frequency: half }, [0, 0, 2])).toEqual([1, 2, -2.5, 2]);
  });

  it('makes scores less likely on either side of zero when it multiplies', () => {
    const one = { strength: 1, isMultiplicative: true };
    expect(penalised({ presence: one }, [0, 2])).toEqual([1, 2, -4, 2]);
    expect(penalised({ frequency: one }, [0, 0, 0, 2])).toEqual([0.5, 2, -4, 2]);
  });

  it('counts further ids, and leaves exceptions alone', () => {
    const one = { strength: 1, isMultiplicative: false };
    expect(penalised({ presence: one }, [0], { unordered: [3], exceptions: [0] })).toEqual([2, 2, -2, 1]);
  });

  it('penalises the token that would repeat a sequence', () => {
    const one = { strength: 1, isMultiplicative: false };
    expect(penalised({ sequence: one }, [1, 3, 0, 1])).toEqual([2, 2, -2, 1]);
    expect(penalised({ sequence: one, sequenceLength: 3 }, [1, 3, 0, 1])).toEqual([2, 2, -2, 2]);
    expect(penalised({ sequence: one, sequenceLength: 3 }, [2, 1, 3, 0, 2, 1])).toEqual([2, 2, -2, 1]);
    expect(penalised({ sequence: one }, [])).toEqual([2, 2, -2, 2]);
  });

  it('ignores ids that the network does not score', () =>
    expect(penalised({ presence: { strength: 1, isMultiplicative: false } }, [99])).toEqual([2, 2, -2, 2]));
});

const YES_NO = { texts: [' yes', ' no', ' nobody'], firstTokenOnly: false };
const at = (text: string) => ({ text, tokens: text === '' ? 0 : 1 });

describe('isIncluded', () => {
  it.each([
    ['', ' y', true],
    ['', ' yes', true],
    ['', 'yes', false],
    [' y', 'es', true],
    [' y', 'o', false],
    [' no', 'body', true],
    [' no', ' yes', true],
    [' yes', 's', false],
    ['', '', false],
  ])('behind %j takes %j: %s', (text, piece, expected) => expect(isIncluded(YES_NO, at(text))(piece)).toBe(expected));

  it('may end behind whole texts only', () => {
    expect(mayEnd(YES_NO, at(''))).toBe(false);
    expect(mayEnd(YES_NO, at(' no'))).toBe(true);
    expect(mayEnd(YES_NO, at(' nob'))).toBe(false);
    expect(mayEnd(YES_NO, at(' no yes'))).toBe(true);
  });

  it('holds only the first token to it where that is asked for', () => {
    const first = { ...YES_NO, firstTokenOnly: true };
    expect(isIncluded(first, at(''))(' n')).toBe(true);
    expect(isIncluded(first, at(''))('x')).toBe(false);
    expect(isIncluded(first, at(' n'))('x')).toBe(true);
    expect(mayEnd(first, at(' n'))).toBe(true);
  });
});

describe('isTextAllowed', () => {
  it('reads the text so far once, whatever the number of tokens', () => {
    let reads = 0;
    const written = { tokens: 1, text: '' };
    Object.defineProperty(written, 'text', { get: () => (++reads, ' no') });
    const isAllowed = isTextAllowed({ inclusion: YES_NO, exclusion: null }, written);
    const before = reads;
    expect(['body', ' yes', 'x', null].map(isAllowed)).toEqual([true, true, false, true]);
    expect(reads).toBe(before);
  });
});

describe('isExcluded', () => {
  it('refuses the token that would make the text contain one', () => {
    expect(isExcluded(YES_NO, at('Well, y'), 'e')).toBe(false);
    expect(isExcluded(YES_NO, at('Well, ye'), 's')).toBe(true);
    expect(isExcluded(YES_NO, at(''), ' yesterday')).toBe(true);
  });

  it('refuses the beginnings of one where only the first token counts', () => {
    const first = { ...YES_NO, firstTokenOnly: true };
    expect(isExcluded(first, at(''), ' n')).toBe(true);
    expect(isExcluded(first, at(' n'), 'o')).toBe(false);
  });
});
