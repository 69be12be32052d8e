import { describe, expect, it } from 'vitest';
import { natsSize, natsText, timesText } from '../../../../../../src/ui/explain/scores/nats.ts';

describe('natsText', () => {
  it.each([
    [7.8349, '+7.83'],
    [-0.286, '−0.29'],
    [0, '0.00'],
    [-0.004, '0.00'],
  ])('writes %d as %s', (score, text) => {
    expect(natsText(score)).toBe(text);
  });
});

describe('natsSize', () => {
  it('names the unit', () => {
    expect(natsSize(-7.83)).toBe('7.83 nats');
  });
});

describe('timesText', () => {
  it.each([
    [0.1, null],
    [0.7, 'about 2.0 times'],
    [-3, 'about 20 times'],
    [7.83, 'about 2,500 times'],
    [20, 'more than a million times'],
  ])('says what %d nats are', (nats, text) => {
    expect(timesText(nats)).toBe(text);
  });
});
