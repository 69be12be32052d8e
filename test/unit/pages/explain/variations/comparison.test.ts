import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../../../src/contract/explain.ts';
import { type Outcome, outcomeOf } from '../../../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS, type Question } from '../../../../../src/explanations/question.ts';
import {
  comparisonOf,
  differencesOf,
  largestDifferences,
  sideOf,
} from '../../../../../src/pages/explain/variations/comparison.ts';
import { PREDICTION } from '../../../../support/fakes/fake-explain.ts';

interface Given {
  /** Scores of the prompt's words, which spaces part. */
  readonly scores: readonly number[];
  readonly tiles?: readonly number[];
  readonly modelVersion?: string | null;
}

/** A result in which each word of the prompt has its score. */
function result(question: Partial<Question>, { scores, tiles, modelVersion = 'm 1' }: Given): Outcome {
  const asked = { picture: null, prompt: '', target: ' a', settings: DEFAULT_QUESTION_SETTINGS, ...question };
  let start = 0;
  const words = asked.prompt.split(' ').map((word, index) => {
    const score = { start, length: [...word].length, score: scores[index] ?? 0 };
    start += score.length + 1;
    return score;
  });
  const rects = tiles?.map((score, index) => ({
    rect: { left: index / tiles.length, top: 0, width: 1 / tiles.length, height: 1 },
    score,
  }));
  const items: Explanation['items'] = [
    ...(rects ? [{ type: 'image' as const, scores: rects }] : []),
    { type: 'text', scores: words },
  ];
  return outcomeOf(asked, [{ target: ' a', items }], modelVersion, PREDICTION);
}

const texts = (comparison: ReturnType<typeof comparisonOf>) =>
  comparison.sections.map(({ a, b, difference }) => {
    const [of, to] = [a, b].map((one) => (one?.part === 'prompt' ? one.text : null));
    return [of, to, difference] as const;
  });

const settings = (change: Partial<Question['settings']>) => ({ settings: { ...DEFAULT_QUESTION_SETTINGS, ...change } });

describe('comparisonOf', () => {
  it('subtracts where words match, and leaves the others apart', () => {
    const a = result({ prompt: 'the red hat' }, { scores: [1, 5, -2] });
    const b = result({ prompt: 'the blue hat' }, { scores: [0.5, 4, 1] });
    const comparison = comparisonOf(a, b);
    expect(texts(comparison)).toEqual([
      ['the', 'the', 0.5],
      ['red', null, null],
      ['hat', 'hat', -3],
      [null, 'blue', null],
    ]);
    expect(comparison.reasons).toEqual([]);
  });

  it('has zero everywhere against itself', () => {
    const a = result({ prompt: 'the red hat' }, { scores: [1, 5, -2] });
    const comparison = comparisonOf(a, a);
    expect(texts(comparison).map(([, , difference]) => difference)).toEqual([0, 0, 0]);
    expect(largestDifferences(comparison)).toEqual([]);
  });

  it('has no difference where nothing matches', () => {
    const a = result({ prompt: 'red hat' }, { scores: [1, 2] });
    const b = result({ prompt: 'blue shoe' }, { scores: [3, 4] });
    expect(texts(comparisonOf(a, b))).toEqual([
      ['red', null, null],
      ['hat', null, null],
      [null, 'blue', null],
      [null, 'shoe', null],
    ]);
  });

  it('matches repeated words in their order', () => {
    const a = result({ prompt: 'no no yes' }, { scores: [1, 2, 3] });
    const b = result({ prompt: 'no yes no' }, { scores: [10, 20, 30] });
    expect(texts(comparisonOf(a, b))).toEqual([
      ['no', 'no', -9],
      ['no', 'no', -28],
      ['yes', null, null],
      [null, 'yes', null],
    ]);
  });

  it.each([
    ['Arabic', 'القطة السوداء تنام', 'القطة البيضاء تنام'],
    ['Japanese beyond the first plane', '𠮷野家 は 東京', '𠮷野家 の 東京'],
    ['emoji of several code points', '👩‍🚀 likes 🪐', '👩‍🚀 sees 🪐'],
    ['letters composed in another way', 'Ko\u0308ln is here', 'K\u00F6ln was here'],
  ])('matches %s', (_, one, other) => {
    const comparison = comparisonOf(
      result({ prompt: one }, { scores: [3, 3, 3] }),
      result({ prompt: other }, { scores: [1, 1, 1] }),
    );
    expect(comparison.sections.map(({ difference }) => difference)).toEqual([2, null, 2, null]);
  });

  it('matches sections of white space with the same ones only', () => {
    const spaces = (prompt: string) =>
      outcomeOf(
        { picture: null, prompt, target: ' a', settings: DEFAULT_QUESTION_SETTINGS },
        [{ target: ' a', items: [{ type: 'text', scores: [{ start: 0, length: 1, score: 1 }] }] }],
        'm 1',
        PREDICTION,
      );
    expect(comparisonOf(spaces('\n'), spaces('\n')).sections).toHaveLength(1);
    expect(comparisonOf(spaces('\n'), spaces('\t')).sections).toHaveLength(2);
  });

  it('matches tiles of the same picture at the same place', () => {
    const picture = { name: 'p', type: 'image/png', data: 'AAAA' };
    const a = result({ picture, prompt: 'x' }, { scores: [0], tiles: [1, 2, 3, 4] });
    const b = result({ picture, prompt: 'x' }, { scores: [0], tiles: [1, 1, 1, 1] });
    expect(comparisonOf(a, b).sections.map(({ difference }) => difference)).toEqual([0, 1, 2, 3, 0]);
  });

  it.each([
    ['an unfinished result', {}, { scores: [1], modelVersion: null }, 'partial'],
    ['a factor that changes nothing', settings({ factor: 1 }), { scores: [0] }, 'unchanged'],
  ] as const)('has no difference with %s', (_, change, given, reason) => {
    const a = result({ prompt: 'x' }, { scores: [2] });
    const b = result({ prompt: 'x', ...change }, given);
    expect(comparisonOf(a, b)).toMatchObject({ reasons: [reason], sections: [{ difference: null }] });
  });
});

describe('sides and differences', () => {
  const a = result({ prompt: 'the red hat' }, { scores: [1, 5, -2] });
  const b = result({ prompt: 'hat the blue' }, { scores: [1, 0.5, 4] });
  const comparison = comparisonOf(a, b);

  it('have the same id for both sections of a match, and stay in the order of their text', () => {
    const [ofA, ofB] = [sideOf(comparison, 'a').prompt, sideOf(comparison, 'b').prompt];
    expect(ofA.map(({ text }) => text)).toEqual(['the', 'red', 'hat']);
    expect(ofB.map(({ text }) => text)).toEqual(['hat', 'the', 'blue']);
    expect(ofB[1]?.id).toBe(ofA[0]?.id);
    expect(new Set([...ofA, ...ofB].map(({ id }) => id)).size).toBe(5);
  });

  it('are scores on the text of A, null where it has no match', () => {
    expect(differencesOf(comparison).prompt.map(({ scores }) => scores)).toEqual([[0.5], [null], [null]]);
  });
});

describe('largestDifferences', () => {
  it('puts the largest first, whatever its sign, and leaves noise out', () => {
    const a = result({ prompt: 'p q r' }, { scores: [1, 0.05, 2] });
    const b = result({ prompt: 'p q r' }, { scores: [3, 0, 1] });
    const found = largestDifferences(comparisonOf(a, b));
    expect(found.map(({ difference }) => difference)).toEqual([-2, 1]);
  });
});
