import { describe, expect, it } from 'vitest';
import { dividedBody, splitLongBody, LONG_BODY } from '../../../../src/contract/wire/long-body.ts';

describe('a long body', () => {
  it.each([2 ** 19 + 1, 2 ** 20, 1_000_001])('of %i characters is divided into short parts, in order', (length) => {
    const text = '0123456'.repeat(length / 7 + 1).slice(0, length);
    const { parts } = splitLongBody(text);
    expect(parts.join('') === text).toBe(true);
    expect(parts.every((part) => part.length <= 2 ** 18)).toBe(true);
  });

  it('is not divided within a character', () => {
    const text = `a${'🙂'.repeat(2 ** 19)}`;
    const { parts } = splitLongBody(text);
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
    expect(parts.join('') === text).toBe(true);
  });

  it('that came in pieces goes over a line as it would in one', () => {
    expect(dividedBody([])).toEqual(splitLongBody(''));
    expect(dividedBody(['{"a":', '1}'])).toEqual(splitLongBody('{"a":1}'));
    const pieces = ['x'.repeat(LONG_BODY), 'y'];
    expect(dividedBody(pieces)).toEqual({ inRequest: { body: null, parts: 2 }, parts: pieces });
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
