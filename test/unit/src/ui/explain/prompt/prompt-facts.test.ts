import { describe, expect, it } from 'vitest';
import { lengthText, needsSpace } from '../../../../../../src/ui/explain/prompt/prompt-facts.ts';

describe('lengthText', () => {
  it.each([
    ['', 'empty'],
    ['🍎', '1 character, about 1 token'],
    ['abcdefgh', '8 characters, about 2 tokens'],
    ['x'.repeat(4000), '4,000 characters, about 1,000 tokens'],
  ])('of a text (%#)', (text, hint) => {
    expect(lengthText(text)).toBe(hint);
  });

  it.each([
    ['', 'a picture, 144 tokens'],
    ['abcdefgh', 'a picture and 8 characters, about 146 tokens'],
  ])('of a picture and a text (%#)', (text, hint) => {
    expect(lengthText(text, true)).toBe(hint);
  });
});

describe('needsSpace', () => {
  it.each([
    ['Answer:', 'Warsaw', true],
    ['Answer:', ' Warsaw', false],
    ['Answer: ', 'Warsaw', false],
    ['Answer', '.', false],
    ['', 'Warsaw', false],
    ['Answer:', '', false],
    ['Ответ:', 'Варшава', true],
  ])('%j then %j: %s', (prompt, target, needed) => {
    expect(needsSpace(prompt, target)).toBe(needed);
  });
});
