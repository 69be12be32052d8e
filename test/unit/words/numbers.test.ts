import { afterEach, describe, expect, it } from 'vitest';
import { switchLanguage } from '../../../src/words/languages.ts';
import { countText, exactText, fixedText, listText, numberText, typedNumber } from '../../../src/words/language.ts';

const always = () => true;
afterEach(() => switchLanguage('en', always));

describe('in English', () => {
  const noun = { one: 'token', other: 'tokens' };

  it('counts', () => {
    expect([0, 1, 1024].map((count) => countText(count, noun))).toEqual(['0 tokens', '1 token', '1,024 tokens']);
  });
  it('lists', () => expect(listText(['a', 'b', 'c'])).toBe('a, b and c'));
  it('writes numbers', () => {
    expect(numberText(12345.6789)).toBe('12,345.679');
    expect([fixedText(7.8, 2), fixedText(1234.5, 1)]).toEqual(['7.80', '1234.5']);
    expect([fixedText(-0.01, 2), fixedText(-0.04, 1), numberText(-1234.5)]).toEqual(['−0.01', '0.0', '−1,234.5']);
    expect([exactText(10_000), exactText(0.0125), exactText(1 / 3)]).toEqual(['10000', '0.0125', String(1 / 3)]);
  });
  it.each([
    ['0.5', 0.5],
    ['0,5', 0.5],
    [' 12 ', 12],
    ['10,000', 10_000],
    ['1,024.5', 1024.5],
    ['0,125', 0.125],
    ['-2', -2],
    ['', NaN],
    ['1,02,4', NaN],
    ['1.2.3', NaN],
    ['many', NaN],
  ])('reads %j', (text, number) => expect(typedNumber(text)).toBe(number));
});

describe('in German', () => {
  const written = async <Text>(write: () => Text) => {
    await switchLanguage('de', always);
    return write();
  };

  it('lists', async () => expect(await written(() => listText(['a', 'b', 'c']))).toBe('a, b und c'));
  it('writes numbers', async () => {
    expect(await written(() => numberText(12345.6789))).toBe('12.345,679');
    expect([fixedText(-7.8, 2), exactText(0.0125)]).toEqual(['−7,80', '0,0125']);
  });
  it.each([
    ['0,5', 0.5],
    ['0.5', 0.5],
    ['10.000', 10_000],
    ['1.024,5', 1024.5],
    ['0.125', 0.125],
    ['1,125', 1.125],
    ['1.0.0', NaN],
  ])('reads %j', async (text, number) => expect(await written(() => typedNumber(text))).toBe(number));
  it.each([0.3, 1000, 12.75, 1_234_567, -0.5])('reads %d as it is written in a field', async (number) => {
    expect(typedNumber(await written(() => exactText(number)))).toBe(number);
  });
});
