import { describe, expect, it } from 'vitest';
import { type Section, splitByStrength } from '../../../src/explanations/influence.ts';

const section = (id: string, ...scores: (number | null)[]): Section => ({
  id,
  part: 'prompt',
  start: 0,
  length: 1,
  text: id,
  nth: null,
  scores,
  total: scores.reduce<number>((sum, score) => sum + (score ?? 0), 0),
});
const idsIn = (sections: readonly Section[]) => sections.map(({ id }) => id);

describe('partedIn', () => {
  it('parts what is within 0.01 of zero from the rest, each in its order', () => {
    const all = [section('a', 0.01), section('b', 2), section('c', -0.009), section('d', -0.02), section('e', 0)];
    const { strong, weak } = splitByStrength(all, 'whole');
    expect(idsIn(strong)).toEqual(['b', 'd']);
    expect(idsIn(weak)).toEqual(['a', 'c', 'e']);
  });

  it('leaves a single one among the others', () => {
    const { strong, weak } = splitByStrength([section('a', 0), section('b', 2)], 'whole');
    expect(idsIn(strong)).toEqual(['a', 'b']);
    expect(weak).toEqual([]);
  });

  it('goes by the view, and leaves out what has no score in it', () => {
    const all = [section('a', 3, 0), section('b', 3, 0.005), section('c', 3, null)];
    const { strong, weak } = splitByStrength(all, 1);
    expect(strong).toEqual([]);
    expect(idsIn(weak)).toEqual(['a', 'b']);
  });
});
