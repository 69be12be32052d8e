import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { calibrate, calibrationOf } from '../../../src/explanations/calibration.ts';
import { createFakeClient } from '../../support/fakes/fake-explain.ts';

const LOSSES = [4, 1, 3, 2];

/** Scores of `factor` 0 and 0.1, beside `LOSSES` of deletion; `failsAt` aborts that request. */
function explaining(scores: Readonly<Record<number, readonly number[]>>, failsAt = Infinity) {
  let requests = 0;
  const explain: Client['explain'] = async ({ method, control_factor = NaN }) => {
    if (requests++ === failsAt) throw new DOMException('aborted', 'AbortError');
    const values = method === 'deletion' ? LOSSES : (scores[control_factor] ?? []);
    const list = values.map((score, start) => ({ start, length: 1, score }));
    const explanations = [{ target: ' x', items: [{ type: 'text' as const, scores: list }] }];
    return { ok: true, value: { model_version: 'm 1', explanations } };
  };
  const { evaluate } = createFakeClient().client;
  return { client: { explain, evaluate }, asked: () => requests };
}

const { signal } = new AbortController();
const modelNamed = (name: string) => ({ name, state: 105 });
const REVERSED = LOSSES.map((loss) => -loss);

describe('calibrate', () => {
  it('takes the factor whose scores agree better with deletion', async () => {
    const hidden = await calibrate(explaining({ 0: LOSSES, 0.1: REVERSED }).client, modelNamed('a'), signal);
    expect(hidden).toEqual({
      factor: 0,
      hidden: 1,
      dimmed: -1,
      lossDimmed: 0,
      lossDeleted: 0,
      delimiterDimmed: 0,
      delimiterDeleted: 0,
      state: 105,
    });
    const dimmed = await calibrate(explaining({ 0: REVERSED, 0.1: LOSSES }).client, modelNamed('b'), signal);
    expect(dimmed).toMatchObject({ factor: 0.1, hidden: -1, dimmed: 1 });
  });

  it('goes on where it was interrupted', async () => {
    const scores = { 0: LOSSES, 0.1: REVERSED };
    await expect(calibrate(explaining(scores, 7).client, modelNamed('c'), signal)).rejects.toThrow('aborted');
    const { client, asked } = explaining(scores);
    expect(await calibrate(client, modelNamed('c'), signal)).toMatchObject({ factor: 0 });
    expect(asked(), 'two of eight prompts were measured').toBe(3 * 6);
  });

  it('begins anew where the folder was replaced meanwhile', async () => {
    const scores = { 0: LOSSES, 0.1: REVERSED };
    await expect(calibrate(explaining(scores, 7).client, modelNamed('e'), signal)).rejects.toThrow('aborted');
    const { client, asked } = explaining(scores);
    expect(await calibrate(client, { name: 'e', state: 106 }, signal)).toMatchObject({ state: 106 });
    expect(asked()).toBe(3 * 8);
  });

  it.each([
    ['a call fails', {}],
    ['scores are all equal', { 0: [1, 1, 1, 1], 0.1: LOSSES }],
  ])('is none where %s', async (_, scores) =>
    expect(await calibrate(explaining(scores).client, modelNamed('d'), signal)).toBeNull(),
  );
});

describe('calibrationOf', () => {
  const losses = { lossDimmed: 2, lossDeleted: 1, delimiterDimmed: 1, delimiterDeleted: 0.5 };
  const measured = (dimmed: number) => ({ hidden: 0.7, dimmed, ...losses });
  it('hides where the difference is not clear', () => {
    expect(calibrationOf([0.6, 0.9, 0.7, 0.8].map(measured)).factor).toBe(0);
    expect(calibrationOf([0.88, 0.9, 0.89, 0.9].map(measured))).toMatchObject({ factor: 0.1, lossDimmed: 2 });
  });
  it('refuses an empty list', () => expect(() => calibrationOf([])).toThrow(RangeError));
});
