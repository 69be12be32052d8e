import { describe, expect, it } from 'vitest';
import { isExcluded, isIncluded, mayEnd } from '../../../../../workers/kernels/tokens/text-bias.ts';

const YES_NO = { texts: [' yes', ' no', ' nobody'], firstTokenOnly: false };
const at = (text: string) => ({ text, tokens: text === '' ? 0 : 1 });

describe('isIncluded', () => {
  it.each([
    ['', ' y', true],
    ['', ' yes', true],
    ['', 'yes', false],
    [' y', 'es', true],
    [' y', 'o', false],
    [' no', 'body', true],
    [' no', ' yes', true],
    [' yes', 's', false],
    ['', '', false],
  ])('behind %j takes %j: %s', (text, piece, expected) => expect(isIncluded(YES_NO, at(text), piece)).toBe(expected));

  it('may end behind whole texts only', () => {
    expect(mayEnd(YES_NO, at(''))).toBe(false);
    expect(mayEnd(YES_NO, at(' no'))).toBe(true);
    expect(mayEnd(YES_NO, at(' nob'))).toBe(false);
    expect(mayEnd(YES_NO, at(' no yes'))).toBe(true);
  });

  it('holds only the first token to it where that is asked for', () => {
    const first = { ...YES_NO, firstTokenOnly: true };
    expect(isIncluded(first, at(''), ' n')).toBe(true);
    expect(isIncluded(first, at(''), 'x')).toBe(false);
    expect(isIncluded(first, at(' n'), 'x')).toBe(true);
    expect(mayEnd(first, at(' n'))).toBe(true);
  });
});

describe('isExcluded', () => {
  it('refuses the token that would make the text contain one', () => {
    expect(isExcluded(YES_NO, at('Well, y'), 'e')).toBe(false);
    expect(isExcluded(YES_NO, at('Well, ye'), 's')).toBe(true);
    expect(isExcluded(YES_NO, at(''), ' yesterday')).toBe(true);
  });

  it('refuses the beginnings of one where only the first token counts', () => {
    const first = { ...YES_NO, firstTokenOnly: true };
    expect(isExcluded(first, at(''), ' n')).toBe(true);
    expect(isExcluded(first, at(' n'), 'o')).toBe(false);
  });
});
