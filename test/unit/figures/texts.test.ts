import { describe, expect, it } from 'vitest';
import {
  natsText,
  percentText,
  timesText,
  nameOf,
  placeText,
  sectionName,
  sectionPhrase,
  FACTORS,
  factorText,
} from '../../../src/figures/texts.ts';
import { visibleText } from '../../../src/words/language.ts';
import type { Section } from '../../../src/explanations/influence.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../src/explanations/question.ts';

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

describe('percentText', () => {
  it.each([
    [0.999, 'over 99 %'],
    [0.42, '42 %'],
    [0.0351, '3.5 %'],
    [4.96e-5, '0.005 %'],
    [1e-9, 'less than 0.0001 %'],
  ])('writes %d as %s', (probability, text) => {
    expect(percentText(probability)).toBe(text);
  });
});

describe('visibleText', () => {
  it.each([
    [' Luigi', '␣Luigi'],
    ['a b', 'a b'],
    ['\n', '↵'],
    ['  ', '␣␣'],
    ['', ''],
  ])('shows the white space of %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});

describe('nameOf', () => {
  it('leaves outer white space out unless there is nothing else', () => {
    expect(nameOf(" Luigi's ")).toBe("Luigi's");
    expect(nameOf('\n')).toBe('↵');
  });

  it('shortens by characters, never inside an emoji', () => {
    expect(nameOf('🍎🍏🍎🍏', 3)).toBe('🍎🍏…');
    expect(nameOf('abc', 3)).toBe('abc');
  });
});

const scored = { id: 'a', scores: [], total: 0 };

function stretch(text: string, start: number, length: number, part: 'prompt' | 'target' = 'prompt'): Section {
  return { ...scored, part, text, start, length, nth: null };
}

function tile(left: number, top: number, side: number): Section {
  return { ...scored, part: 'picture', rect: { left, top, width: side, height: side } };
}

describe('sections in words', () => {
  it.each([
    [1, 'the 1st ‘in’'],
    [2, 'the 2nd ‘in’'],
    [3, 'the 3rd ‘in’'],
    [12, 'the 12th ‘in’'],
    [21, 'the 21st ‘in’'],
  ])('tell the same words apart: %d', (nth, phrase) => {
    const section = { ...scored, part: 'prompt' as const, text: ' in', start: 0, length: 2, nth };
    expect(sectionPhrase(section)).toBe(phrase);
    expect(sectionName(section)).toBe(`in (${phrase.split(' ')[1]})`);
  });

  it('name the parts of one character', () => {
    const part = { ...scored, part: 'prompt' as const, text: '👩‍👧', start: 0, length: 1, nth: null, piece: 2 };
    expect(sectionName(part)).toBe('👩‍👧, part 2');
    expect(sectionPhrase(part)).toBe('part 2 of ‘👩‍👧’');
    expect(sectionPhrase({ ...part, nth: 3 })).toBe('part 2 of the 3rd ‘👩‍👧’');
  });

  it.each([
    [stretch(' apple', 3, 5), 'apple', '‘apple’', 'characters 3 to 7'],
    [stretch('!', 9, 1), '!', '‘!’', 'character 9'],
    [stretch(' x', 0, 2, 'target'), 'x', '‘x’', 'in the target, characters 0 to 1'],
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

describe('factors', () => {
  it('rise from 0 to 2, and hold the default and the identity', () => {
    expect(FACTORS).toEqual(FACTORS.toSorted((a, b) => a - b));
    expect([FACTORS[0], FACTORS.at(-1)]).toEqual([0, 2]);
    expect(FACTORS).toContain(DEFAULT_QUESTION_SETTINGS.factor);
    expect(FACTORS).toContain(1);
  });

  it('leave a section unchanged at 1', () => expect(factorText(1)).toBe('unchanged'));

  it.each([
    [0, 'ignored'],
    [0.1, 'dimmed'],
    [1.5, 'strengthened'],
  ])('are said in words: %d', (factor, word) => expect(factorText(factor)).toBe(word));
});
