import { describe, expect, it } from 'vitest';
import type { Section } from '../../../src/explanations/influence.ts';
import { barDomain, barRows } from '../../../src/figures/influence-series.ts';

function section(id: string, text: string, ...scores: (number | null)[]): Section {
  const total = scores.reduce<number>((sum, score) => sum + (score ?? 0), 0);
  return { id, part: 'prompt', nth: null, start: 0, length: text.length, text, scores, total };
}

describe('barRows', () => {
  const sections = [section('a', ' a long section of many words', 1, 2), section('b', 'at', -1, null)];

  it('keeps order and identity, and shortens names', () => {
    expect(barRows(sections, 'whole')).toEqual([
      { id: 'a', name: 'a long section of m…', score: 3, margin: null },
      { id: 'b', name: 'at', score: -1, margin: null },
    ]);
  });

  it('says how far an estimate may be off', () => {
    const [row] = barRows([{ ...section('a', 'at', 1, 2), margins: [0.25, 0.5] }], 'whole');
    expect(row?.margin).toBe(0.75);
  });

  it('leaves out what has no score in the view', () => {
    expect(barRows(sections, 1).map((row) => row.id)).toEqual(['a']);
  });
});

describe('barDomain', () => {
  const domain = (...scores: number[]) => barDomain(scores.map((score) => ({ id: '', name: '', score, margin: null })));

  it('always holds zero and is never empty', () => {
    expect(domain(1, 3)).toEqual([0, 3]);
    expect(domain(-2, -1)).toEqual([-2, 0]);
    expect(domain(-2, 3)).toEqual([-2, 3]);
    expect(domain(0)).toEqual([0, 1]);
    expect(domain()).toEqual([0, 1]);
  });
});
