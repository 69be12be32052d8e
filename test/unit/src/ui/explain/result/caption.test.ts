import { describe, expect, it } from 'vitest';
import { influenceOf } from '../../../../../../src/state/explain/influence.ts';
import { captionOf } from '../../../../../../src/ui/explain/result/caption.ts';

function influence(...scores: number[]) {
  const items = [{ type: 'text' as const, scores: scores.map((score, at) => ({ start: at * 2, length: 1, score })) }];
  return influenceOf([{ target: ' Luigi', items }], 'a b c d', ' Luigi');
}

describe('captionOf', () => {
  it('names the section that supports most, and the change in likelihood', () => {
    expect(captionOf(influence(-9, 7.83, 1), 'whole', 0.1)).toEqual({
      lead: '‘b’ is the main reason for ‘Luigi’.',
      detail: 'Dimming ‘b’ makes ‘Luigi’ about 2,500 times less likely (+7.83 nats).',
    });
  });

  it('speaks of one target token', () => {
    const { lead, detail } = captionOf(influence(1), 0, 0);
    expect(lead).toBe('‘a’ is the main reason for ‘Luigi’.');
    expect(detail).toBe('Ignoring ‘a’ makes ‘Luigi’ about 2.7 times less likely (+1.00 nats).');
  });

  it('turns the sign when sections are strengthened', () => {
    const { lead, detail } = captionOf(influence(3, -2), 'whole', 2);
    expect(lead).toBe('‘b’ is the main reason for ‘Luigi’.');
    expect(detail).toBe('Strengthening ‘b’ makes ‘Luigi’ about 7.4 times more likely (−2.00 nats).');
  });

  it('says when nothing supports, when nothing changes, and when there is nothing', () => {
    expect(captionOf(influence(-1, -2), 'whole', 0.1).lead).toBe(
      '‘b’ speaks most against ‘Luigi’; no section supports it.',
    );
    expect(captionOf(influence(0), 'whole', 1).lead).toBe('A factor of 1 changes nothing.');
    expect(captionOf(influence(), 'whole', 0.1).lead).toBe('There is nothing to explain yet.');
  });

  it('says so when the change is small', () => {
    expect(captionOf(influence(0.1), 'whole', 0.1).detail).toBe(
      'Dimming ‘a’ hardly changes how likely ‘Luigi’ is (+0.10 nats).',
    );
  });

  it('says where in the picture', () => {
    const tile = (column: number, score: number) => ({
      rect: { left: column / 3, top: 1 / 3, width: 1 / 3, height: 1 / 3 },
      score,
    });
    const items = [{ type: 'image' as const, scores: [tile(0, 1), tile(2, 2)] }];
    const { lead, detail } = captionOf(influenceOf([{ target: ' Luigi', items }], '', ' Luigi'), 'whole', 0);
    expect(lead).toBe('The tile in row 2, column 3 is the main reason for ‘Luigi’.');
    expect(detail).toMatch(/^Ignoring the tile in row 2, column 3 makes ‘Luigi’/);
  });

  it('calls a picture that is not cut by that name', () => {
    const items = [{ type: 'image' as const, scores: [{ rect: { left: 0, top: 0, width: 1, height: 1 }, score: 1 }] }];
    const { lead } = captionOf(influenceOf([{ target: 'x', items }], '', 'x'), 'whole', 0.1);
    expect(lead).toBe('The picture is the main reason for ‘x’.');
  });
});
