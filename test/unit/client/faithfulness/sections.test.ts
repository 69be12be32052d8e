import { describe, expect, it } from 'vitest';
import type { ExplainBody } from '../../../../src/contract/explain.ts';
import { scoredSections } from '../../../../src/client/faithfulness/sections.ts';

const rect = { left: 0, top: 0, width: 0.5, height: 1 };
const request: ExplainBody = {
  model: 'm',
  prompt: [
    { type: 'image', data: '' },
    { type: 'token_ids', data: [4] },
    { type: 'text', data: 'ab' },
  ],
  target: ' a',
};
const explanation = (scale: number) => ({
  target: ' a',
  items: [
    { type: 'image' as const, scores: [{ rect, score: scale }] },
    { type: 'token_ids' as const, scores: [2 * scale] },
    { type: 'text' as const, scores: [{ start: 0, length: 2, score: 3 * scale }] },
    { type: 'target' as const, scores: [{ start: 0, length: 2, score: 9 }] },
  ],
});

describe('scoredSections', () => {
  it('finds sections of every kind of item, the target left out', () => {
    const { sections, scores } = scoredSections(request, [explanation(1)]);
    expect(sections.map(({ item, place }) => [item, place.type])).toEqual([
      [0, 'image'],
      [1, 'token_ids'],
      [2, 'text'],
    ]);
    expect(scores).toEqual([1, 2, 3]);
  });
  it('adds up the tokens of the target', () =>
    expect(scoredSections(request, [explanation(1), explanation(10)]).scores).toEqual([11, 22, 33]));
  it('turns signs where attention to sections is strengthened, and not where they are deleted', () => {
    const strengthened = { ...request, control_factor: 2 };
    expect(scoredSections(strengthened, [explanation(1)]).scores).toEqual([-1, -2, -3]);
    expect(scoredSections({ ...strengthened, method: 'shapley' }, [explanation(1)]).scores).toEqual([1, 2, 3]);
  });
  it('refuses what does not fit, and scores that are not in nats', () => {
    expect(() => scoredSections({ ...request, prompt: 'ab' }, [explanation(1)])).toThrow(/expected scores of "text"/);
    expect(() => scoredSections(request, [])).toThrow(RangeError);
    expect(() => scoredSections({ ...request, normalize: true }, [explanation(1)])).toThrow(/in nats/);
    expect(() => scoredSections({ ...request, postprocessing: 'square' }, [explanation(1)])).toThrow(/in nats/);
  });
});
