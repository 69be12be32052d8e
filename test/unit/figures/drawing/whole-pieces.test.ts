import { describe, expect, it } from 'vitest';
import { wholePieces } from '../../../../src/figures/drawing/heat.ts';

const FAMILY = '👩‍👩‍👧';

describe('wholePieces', () => {
  const pieces = (...texts: string[]) => {
    let at = 0;
    return texts.map((text) => {
      at += text.length;
      return { at: at - text.length, text, section: null };
    });
  };

  it('leaves pieces alone that end between characters', () => {
    const whole = pieces('one', ' ', 'two');
    expect(wholePieces(whole)).toEqual(whole);
  });

  it('gives a character to the first of the pieces that share it', () => {
    const [half, rest] = [FAMILY.slice(0, 2), FAMILY.slice(2)];
    expect(wholePieces(pieces('a', half, rest, 'b')).map(({ text }) => text)).toEqual(['a', FAMILY, 'b']);
  });

  it('has each character once, in order', () => {
    const text = `${FAMILY}e\u0301x${FAMILY}`;
    const torn = pieces(...text);
    expect(
      wholePieces(torn)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});
