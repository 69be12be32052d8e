import { describe, expect, it } from 'vitest';
import { splitLongBody, LONG_BODY } from '../../../../src/contract/wire/long-body.ts';

describe('a long body', () => {
  it.each([2 ** 19 + 1, 2 ** 20, 1_000_001])('of %i characters is divided into short parts, in order', (length) => {
    const text = '0123456'.repeat(length / 7 + 1).slice(0, length);
    const { parts } = splitLongBody(text);
    expect(parts.join('') === text).toBe(true);
    expect(parts.every((part) => part.length <= 2 ** 18)).toBe(true);
  });

  it('goes over a line in parts; a short one, and none, go with the request', () => {
    expect(splitLongBody(null)).toEqual({ inRequest: { body: null }, parts: [] });
    const [short, long] = ['x'.repeat(LONG_BODY), 'x'.repeat(LONG_BODY + 1)];
    expect(splitLongBody(short).inRequest.body === short).toBe(true);
    const { inRequest, parts } = splitLongBody(long);
    expect(inRequest).toEqual({ body: null, parts: parts.length });
    expect(parts.join('') === long).toBe(true);
  });
});
