import { describe, expect, it } from 'vitest';
import type { ExplainBody } from '../../../../src/contract/explain.ts';
import { canDelete, deleted, suppressed } from '../../../../src/client/faithfulness/sections.ts';

const request: ExplainBody = { model: 'm', prompt: 'One 🍎 two.', target: ' a' };
const text = (start: number, length: number) => ({ item: 0, place: { type: 'text' as const, start, length } });

describe('suppressed', () => {
  it('puts a control on each section, beside those that are there', () => {
    const controls = [{ start: 0, length: 1, factor: 2 }];
    const prompt = [{ type: 'text' as const, data: 'One two', controls }];
    const own = { start: 4, length: 3, factor: 0.2, token_overlap: 'complete' };
    expect(
      suppressed({ ...request, prompt, control_factor: 0.2, control_token_overlap: 'complete' }, [text(4, 3)]),
    ).toEqual([{ type: 'text', data: 'One two', controls: [...controls, own] }]);
  });
  it('suppresses also where the request strengthens', () =>
    expect(suppressed({ ...request, control_factor: 3 }, [text(0, 3)])[0]?.controls).toMatchObject([{ factor: 0.1 }]));
  it('controls ids and rectangles', () => {
    const rect = { left: 0, top: 0, width: 1, height: 1 };
    const prompt: ExplainBody['prompt'] = [
      { type: 'token_ids', data: [1, 2] },
      { type: 'image', data: '' },
    ];
    const gone = [
      { item: 0, place: { type: 'token_ids' as const, index: 1 } },
      { item: 1, place: { type: 'image' as const, rect } },
    ];
    const [ids, image] = suppressed({ ...request, prompt }, gone);
    expect(ids?.controls).toEqual([{ index: 1, factor: 0.1 }]);
    expect(image?.controls).toEqual([{ rect, factor: 0.1, token_overlap: 'partial' }]);
  });
});

describe('deleted', () => {
  const without = (...sections: ReturnType<typeof text>[]) => deleted(request, sections).map(({ data }) => data);

  it('cuts code points and the white space behind them', () => {
    expect(without(text(4, 1))).toEqual(['One two.']);
    expect(without(text(0, 3), text(6, 4))).toEqual(['🍎']);
  });
  it('counts pieces of one character once', () => expect(without(text(4, 1), text(4, 1))).toEqual(['One two.']));
  it('leaves out ids, and items without anything', () => {
    const prompt: ExplainBody['prompt'] = [
      { type: 'token_ids', data: [7, 8] },
      { type: 'text', data: 'a' },
    ];
    const gone = [
      { item: 0, place: { type: 'token_ids' as const, index: 0 } },
      { ...text(0, 1), item: 1 },
    ];
    expect(deleted({ ...request, prompt }, gone)).toEqual([{ type: 'token_ids', data: [8] }]);
  });
  it('is for prompts without pictures and controls', () => {
    expect(canDelete(request)).toBe(true);
    expect(canDelete({ ...request, prompt: [{ type: 'image', data: '' }] })).toBe(false);
    const controls = [{ start: 0, length: 1, factor: 2 }];
    expect(canDelete({ ...request, prompt: [{ type: 'text', data: 'a', controls }] })).toBe(false);
  });
});
