import { describe, expect, it } from 'vitest';
import { readForced, readTokens } from '../../../../../workers/engine/upstream/read-answer.ts';

const WHOLE = { prompt: 'A crab is', target: ' 🦀' };
const IDS = [15107, 116, 218];

/** As llama.cpp answers; a token that is a part of a character has no text. */
function answered(
  change: object = {},
  tokens: readonly (readonly [id: number, token: string, logprob: number])[] = [],
) {
  const listed = tokens.length > 0 ? tokens : IDS.map((id, at) => [id, at === 0 ? ' ' : '', -at / 2 || 0] as const);
  const content = listed.map(([id, token, logprob]) => ({ id, token, logprob, bytes: [], top_logprobs: [] }));
  return {
    choices: [{ text: ' 🦀', finish_reason: 'length', logprobs: { content }, ...change }],
    usage: { prompt_tokens: 4, completion_tokens: 3 },
  };
}

describe('a target that a server was made to write', () => {
  it('has the log-probabilities of its tokens', () => {
    const { tokens, spent } = readForced(answered(), WHOLE, IDS);
    expect(tokens.map(({ logProbability }) => logProbability)).toEqual([0, -0.5, -1]);
    expect(spent).toBe(7);
  });

  it.each([
    ['another text', answered({ text: ' a' }), /expected the 3 tokens of " 🦀", got " a"/],
    [
      'the same text in other tokens',
      answered({}, [
        [1, ' ', -1],
        [2, '🦀', -1],
      ]),
      /expected the 3 tokens/,
    ],
    ['a token whose probability is 0 as a float', answered({}, [[15107, ' ', -3.4028234663852886e38]]), /got -3\.4/],
    ['no log-probabilities', answered({ logprobs: null }), /has no log-probabilities/],
  ])('is refused as %s', (_, answer, message) => {
    expect(() => readForced(answer, WHOLE, IDS)).toThrow(message);
  });
});

it('tokens have ids, and are whole characters or parts of them', () => {
  const tokens = [
    { id: 1, piece: ' crab' },
    { id: 2, piece: [240, 159] },
  ];
  expect(readTokens({ tokens })).toEqual([
    { id: 1, isWhole: true },
    { id: 2, isWhole: false },
  ]);
  for (const wrong of [[], [1], [{ id: 1.5, piece: 'x' }], [{ piece: 'x' }], 'x', undefined])
    expect(readTokens({ tokens: wrong })).toBeUndefined();
});
