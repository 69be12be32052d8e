import { describe, expect, it } from 'vitest';
import type { Section } from '../../../../../../src/state/explain/influence.ts';
import { placeText, sectionName, sectionPhrase } from '../../../../../../src/ui/explain/scores/section-text.ts';

const scored = { id: 'a', scores: [], total: 0 };

function stretch(text: string, start: number, length: number, part: 'prompt' | 'target' = 'prompt'): Section {
  return { ...scored, part, text, start, length };
}

function tile(left: number, top: number, side: number): Section {
  return { ...scored, part: 'picture', rect: { left, top, width: side, height: side } };
}

describe('sections in words', () => {
  it.each([
    [stretch(' apple', 3, 5), 'apple', '‘apple’', 'characters 3 to 7'],
    [stretch('!', 9, 1), '!', '‘!’', 'character 9'],
    [stretch(' x', 0, 2, 'target'), 'x', '‘x’', 'earlier in the target, characters 0 to 1'],
    [
      tile(1 / 12, 2 / 12, 1 / 12),
      'row 3, column 2',
      'the tile in row 3, column 2',
      /^8\.3 % × 8\.3 % .*, 8\.3 % .*, 16\.7 %/,
    ],
    [tile(0.8333333, 0.9166667, 1 / 12), 'row 12, column 11', 'the tile in row 12, column 11', /91\.7 % from its top$/],
    [tile(0, 0, 1), 'the picture', 'the picture', /^100 % × 100 % of the picture/],
  ])('%#', (section, name, phrase, place) => {
    expect(sectionName(section)).toBe(name);
    expect(sectionPhrase(section)).toBe(phrase);
    expect(placeText(section)).toMatch(place);
  });
});
