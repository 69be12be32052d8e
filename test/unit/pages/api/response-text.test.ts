import { describe, expect, it } from 'vitest';
import { STATUS } from '../../../../src/contract/failure.ts';
import { responseDurationText, bodySizeText, statusText } from '../../../../src/pages/api/response-panel.tsx';

describe('an answer in words', () => {
  it('names every status of the contract, and no other', () => {
    for (const status of [200, ...Object.values(STATUS)]) expect(statusText(status)).toMatch(/^\d{3} [A-Z]/);
    expect(statusText(299)).toBe('299');
  });

  it.each([
    [0.4, '0 ms'],
    [9999, '9999 ms'],
    [12_345, '12.3 s'],
  ])('says %d ms as %s', (ms, text) => expect(responseDurationText(ms)).toBe(text));

  it.each([
    ['', '0 B'],
    ['é'.repeat(499), '998 B'],
    ['a'.repeat(2700), '2.7 kB'],
    ['a'.repeat(1_200_000), '1.2 MB'],
  ])('weighs text %#', (text, size) => expect(bodySizeText(text)).toBe(size));
});
