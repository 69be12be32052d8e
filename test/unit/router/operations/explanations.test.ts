import { describe, expect, it } from 'vitest';
import { ExplainRequest } from '../../../../src/contract/explain.ts';
import { createPause } from '../../../../src/contract/pause.ts';
import { explanationsOf, partialExplanationsOf } from '../../../../src/router/operations/explain.ts';
import type { ExplainOutput } from '../../../../src/protocol/jobs.ts';

/** Two ids, an emoji and a word, explained for a target of two tokens. */
const explained: ExplainOutput = {
  sections: [
    { item: 0, index: 0 },
    { item: 0, index: 1 },
    { item: 1, span: { start: 0, length: 2 } },
    { item: 1, span: { start: 3, length: 4 } },
    { item: 2, index: 0, span: { start: 0, length: 2 } },
  ],
  targetTokens: [' a', ' b'],
  foilTokens: [],
  estimated: null,
  budget: null,
  requests: null,
  influence: Float64Array.of(1, -2, 0, 0, 3, 4, -1, 5, 9, 6),
};

const request = (change: object = {}) =>
  ExplainRequest.parse({
    model: 'm',
    prompt: [
      { type: 'token_ids', data: [4, 5] },
      { type: 'text', data: '😀 Rome' },
    ],
    target: ' a b',
    ...change,
  });

const shape = (change?: object) => explanationsOf(explained, request(change), createPause());

describe('explanationsOf', () => {
  it('sums over the whole target', async () => {
    expect(await shape()).toEqual([
      {
        target: ' a b',
        items: [
          { type: 'token_ids', scores: [-1, 0] },
          {
            type: 'text',
            scores: [
              { start: 0, length: 1, score: 7 },
              { start: 2, length: 4, score: 4 },
            ],
          },
          { type: 'target', scores: [] },
        ],
      },
    ]);
  });

  it('has one explanation for each target token, which sees the target tokens before it', async () => {
    const explanations = await shape({ target_granularity: 'token' });
    expect(explanations.map(({ target }) => target)).toEqual([' a', ' b']);
    expect(explanations.map(({ items }) => items.at(-1)?.scores)).toEqual([[], [{ start: 0, length: 2, score: 6 }]]);
    expect(explanations[1]?.items[0]?.scores).toEqual([-2, 0]);
  });

  it('marks estimates by how far they may be off, of the whole target or of a token', async () => {
    const tokens = Float64Array.of(0.1, 0.2, 0.3, 0.4);
    const margins = { isCalibrated: true, whole: Float64Array.of(0.5, 0.6), tokens };
    const estimated = { ...explained, estimated: { sections: [1, 3], margins } };
    const marked = async (change?: object) =>
      (await explanationsOf(estimated, request(change), createPause())).map(({ items }) =>
        items.map((item) => item.margins),
      );
    expect(await marked()).toEqual([[[null, 0.5], [null, 0.6], []]]);
    expect(await marked({ target_granularity: 'token' })).toEqual([
      [[null, 0.1], [null, 0.3], []],
      [[null, 0.2], [null, 0.4], [null]],
    ]);
    expect((await shape())[0]?.items.some((item) => 'margins' in item)).toBe(false);
    const [[[, ofId = 0] = [], [, ofWord = 0] = []] = []] = await marked({
      target_granularity: 'token',
      normalize: true,
    });
    expect([ofId, ofWord]).toEqual([0.1 / 4, 0.3 / 4]); // scores of −1 to 3
    const [[[, idSquared] = [], [, wordSquared] = []] = []] = await marked({
      target_granularity: 'token',
      postprocessing: 'square',
    });
    expect(idSquared).toBeCloseTo(0.1 ** 2, 9); // 0 ± 0.1
    expect(wordSquared).toBeCloseTo(1.3 ** 2 - 1, 9); // −1 ± 0.3
  });

  it('sums after postprocessing', async () => {
    const [absolute] = await shape({ postprocessing: 'absolute' });
    expect(absolute?.items[0]?.scores).toEqual([3, 0]);
    const [square] = await shape({ postprocessing: 'square' });
    expect(square?.items[0]?.scores).toEqual([5, 0]);
  });

  it('scales what is listed to 0 … 1 when that is asked for', async () => {
    const [whole] = await shape({ normalize: true });
    expect(whole?.items[0]?.scores).toEqual([0, 0.125]);
    expect(whole?.items[1]?.scores).toMatchObject([{ score: 1 }, { score: 0.625 }]);
    const same = { ...explained, influence: explained.influence.map(() => 2) };
    const [flat] = await explanationsOf(same, request({ normalize: true }), createPause());
    expect(flat?.items[0]?.scores).toEqual([0, 0]);
  });
});

describe('partialExplanationsOf', () => {
  it('lists what is new, ids by their index, never normalised', () => {
    const part = { plan: explained, estimated: null, sections: [1, 3], influence: Float64Array.of(8, 0, 2, 2) };
    const [partial] = partialExplanationsOf(part, request({ normalize: true }));
    expect(partial?.items).toEqual([
      { type: 'token_ids', scores: [{ index: 1, score: 8 }] },
      { type: 'text', scores: [{ start: 2, length: 4, score: 4 }] },
      { type: 'target', scores: [] },
    ]);
  });
});
