import { describe, expect, it } from 'vitest';
import { codePointMap } from '../../../src/contract/code-points.ts';

describe('codePointMap', () => {
  it('leaves the offsets of a text without surrogate pairs as they are', () => {
    const map = codePointMap('grün 汶');
    expect(map.length).toBe(6);
    expect(map.toCodePoints({ start: 2, length: 3 })).toEqual({ start: 2, length: 3 });
    expect(map.toUtf16({ start: 2, length: 3 })).toEqual({ start: 2, length: 3 });
  });

  it('counts a surrogate pair once on the wire and twice in the text', () => {
    const map = codePointMap('a😀b');
    expect(map.length).toBe(3);
    expect(map.toCodePoints({ start: 1, length: 2 })).toEqual({ start: 1, length: 1 });
    expect(map.toUtf16({ start: 2, length: 1 })).toEqual({ start: 3, length: 1 });
  });

  it('is its own inverse at every pair of code points', () => {
    const text = 'x😀y🏳️‍🌈z𝔸';
    const map = codePointMap(text);
    for (let start = 0; start <= map.length; start++)
      for (let length = 0; length <= map.length - start; length++)
        expect(map.toCodePoints(map.toUtf16({ start, length }))).toEqual({ start, length });
  });

  it('clamps spans that reach beyond the end', () => {
    expect(codePointMap('ab').toUtf16({ start: 1, length: 9 })).toEqual({ start: 1, length: 1 });
    expect(codePointMap('😀').toUtf16({ start: 5, length: 9 })).toEqual({ start: 2, length: 0 });
  });
});
