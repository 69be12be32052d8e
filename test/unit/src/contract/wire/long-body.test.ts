import { describe, expect, it } from 'vitest';
import { divided, inPieces, LONG_BODY } from '../../../../../src/contract/wire/long-body.ts';

describe('a long body', () => {
  it.each([0, 1, 2 ** 18, 2 ** 18 + 1, 1_000_001])('of %i characters is cut into short pieces, in order', (length) => {
    const text = '0123456'.repeat(length / 7 + 1).slice(0, length);
    const pieces = inPieces(text);
    expect(pieces.join('') === text).toBe(true);
    expect(pieces.every((piece) => piece.length <= 2 ** 18)).toBe(true);
  });

  it('goes over a line in parts; a short one, and none, go with the request', () => {
    expect(divided(null)).toEqual({ inRequest: { body: null }, parts: [] });
    const [short, long] = ['x'.repeat(LONG_BODY), 'x'.repeat(LONG_BODY + 1)];
    expect(divided(short).inRequest.body === short).toBe(true);
    const { inRequest, parts } = divided(long);
    expect(inRequest).toEqual({ body: null, parts: parts.length });
    expect(parts.join('') === long).toBe(true);
  });
});
