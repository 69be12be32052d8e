import { describe, expect, it } from 'vitest';
import { nameOf, visibleText } from '../../../../../../src/ui/explain/scores/visible-text.ts';

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
