import { describe, expect, it } from 'vitest';
import { numbered } from '../../../src/explanations/influence.ts';

/** Sections one behind the other. */
const row = (...texts: string[]) => texts.map((text, start) => ({ start, length: 1, text }));

describe('numbered', () => {
  it('numbers what stands in several places, spaces around it aside', () =>
    expect(numbered(row('the', 'cat', ' the'))).toEqual([{ nth: 1 }, { nth: null }, { nth: 2 }]));

  it('counts the parts of one place', () => {
    const emoji = { start: 2, length: 5, text: '👩‍👧' };
    expect(numbered([{ start: 0, length: 1, text: 'a' }, emoji, emoji, emoji])).toEqual([
      { nth: null },
      { nth: null, piece: 1 },
      { nth: null, piece: 2 },
      { nth: null, piece: 3 },
    ]);
  });

  it('counts places, not parts', () => {
    const [one, two] = [0, 1].map((start) => ({ start, length: 1, text: 'ö' }));
    expect(one && two && numbered([one, one, two, two])).toEqual([
      { nth: 1, piece: 1 },
      { nth: 1, piece: 2 },
      { nth: 2, piece: 1 },
      { nth: 2, piece: 2 },
    ]);
  });

  it('has nothing to say of nothing', () => expect(numbered([])).toEqual([]));
});
