import { describe, expect, it } from 'vitest';
import { foldedJson, prettyJson } from '../../../src/parts/folded-json.ts';

/** What is shown: folds as their count. */
function shown(value: unknown): string {
  return foldedJson(value)
    .map((piece) => (piece.kind === 'text' ? piece.text : `<${piece.count}>`))
    .join('');
}

const vector = (length: number): number[] => Array.from({ length }, (_, at) => at / 8);

describe('foldedJson', () => {
  it('writes what is small and flat on one line', () => {
    expect(shown({ a: 1, b: 'é', c: null, d: [], e: {} })).toBe('{ "a": 1, "b": "é", "c": null, "d": [], "e": {} }');
    expect(shown([{ start: 0, length: 2, score: 3.5 }])).toBe('[\n  { "start": 0, "length": 2, "score": 3.5 }\n]');
    expect([shown([1, 2]), shown('x'), shown(null), shown({})]).toEqual(['[1, 2]', '"x"', 'null', '{}']);
  });

  it('indents what is nested', () => {
    expect(shown({ a: { b: [1] } })).toBe('{\n  "a": {\n    "b": [1]\n  }\n}');
  });

  it('folds long vectors behind their first numbers, wherever they are', () => {
    expect(shown({ mean: vector(128) })).toBe('{\n  "mean": [0, 0.125, 0.25, <125>]\n}');
    expect(shown([vector(9), vector(8)])).toBe(
      '[\n  [0, 0.125, 0.25, <6>],\n  [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]\n]',
    );
  });

  it('cuts long lists of anything else', () => {
    const list = Array.from({ length: 150 }, (_, start) => ({ start }));
    expect(shown(list)).toContain('{ "start": 99 },\n  <50>\n]');
  });

  it.each([
    ['vectors', { a: vector(5120), b: [vector(20), vector(3)] }],
    ['lists', Array.from({ length: 300 }, (_, at) => ({ at, text: 'a "quoted" text'.repeat(9) }))],
    ['odd values', { '': [], 'a\n': [{}, [], null, true, '', '\u2028'], b: [[], [[]]], c: Array(40).fill('x') }],
  ])('loses nothing of %s', (_name, value) => expect(JSON.parse(prettyJson(value))).toEqual(value));
});
