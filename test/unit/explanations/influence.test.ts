import { describe, expect, it } from 'vitest';
import type { Explanation, ExplanationItem } from '../../../src/contract/explain.ts';
import {
  influenceOf,
  largestCell,
  largestIn,
  marginIn,
  rankedIn,
  scoreIn,
  sectionOf,
  viewIn,
} from '../../../src/explanations/influence.ts';
import { spans } from '../../support/spans.ts';

const PROMPT = 'An 🍎 a day';
const TARGET = ' keeps it';
const ASKED = { prompt: PROMPT, target: TARGET, isStrengthened: false };

/** Spans in code points, so `a day` begins at 5 though JavaScript counts 6. */
const SPANS = spans([0, 2], [3, 1], [5, 5]);

/** The prompt's item, with one score for each of `SPANS`. */
const textItem = (...scores: number[]): ExplanationItem => ({
  type: 'text',
  scores: SPANS.map((span, i) => ({ ...span, score: scores[i] ?? NaN })),
});

/** Two target tokens. */
const EXPLANATIONS: Explanation[] = [
  { target: ' keeps', items: [textItem(-0.5, 2, 0.25), { type: 'target', scores: [] }] },
  {
    target: ' it',
    items: [textItem(-1, 1, -0.75), { type: 'target', scores: [{ start: 0, length: 6, score: 4 }] }],
  },
];

describe('influenceOf', () => {
  const influence = influenceOf(EXPLANATIONS, ASKED);

  it('cuts the text at code points, beyond an emoji too', () => {
    expect(influence.prompt.map((section) => section.text)).toEqual(['An', '🍎', 'a day']);
  });

  it('turns one list per target token into one row per section', () => {
    expect(influence.targets).toEqual([' keeps', ' it']);
    expect(influence.prompt.map((section) => section.scores)).toEqual([
      [-0.5, -1],
      [2, 1],
      [0.25, -0.75],
    ]);
  });

  it('turns the sign where sections are strengthened: a cross entropy that falls is support', () => {
    const strengthened = influenceOf(EXPLANATIONS, { ...ASKED, isStrengthened: true });
    expect(strengthened.prompt.map((section) => section.total)).toEqual([1.5, -3, 0.5]);
    expect(strengthened.turn).toBe(-1);
  });

  it('numbers sections with the same words', () => {
    const scores = spans([0, 2], [3, 2], [6, 1]).map((span) => ({ ...span, score: 1 }));
    const { prompt } = influenceOf([{ target: 'x', items: [{ type: 'text', scores }] }], {
      prompt: 'so so !',
      target: 'x',
      isStrengthened: false,
    });
    expect(prompt.map(({ nth }) => nth)).toEqual([1, 2, null]);
  });

  it('sums the tokens for the whole target', () => {
    expect(influence.prompt.map((section) => section.total)).toEqual([-1.5, 3, -0.5]);
  });

  it('gives earlier target tokens rows of their own, without a score for themselves', () => {
    expect(influence.target).toMatchObject([{ part: 'target', text: ' keeps', scores: [null, 4], total: 4 }]);
  });

  it('sorts partial sections by their place, whatever order they came in', () => {
    const scores = [
      { start: 5, length: 5, score: 1 },
      { start: 0, length: 2, score: 2 },
    ];
    const partial = influenceOf([{ target: 'x', items: [{ type: 'text', scores }] }], { ...ASKED, target: 'x' });
    expect(partial.prompt.map((section) => section.text)).toEqual(['An', 'a day']);
  });

  it('keeps the ids of sections while results grow', () => {
    const first = EXPLANATIONS.map((one) => ({
      ...one,
      items: one.items.map((item) => (item.type === 'text' ? { ...item, scores: item.scores.slice(1) } : item)),
    }));
    const grown = influence.prompt.slice(1).map((section) => section.id);
    expect(influenceOf(first, ASKED).prompt.map((section) => section.id)).toEqual(grown);
  });

  it('keeps sections apart that share a span, as the bytes of one emoji do', () => {
    const scores = [
      { start: 0, length: 1, score: 1 },
      { start: 0, length: 1, score: 2 },
    ];
    const shared = influenceOf([{ target: 'x', items: [{ type: 'text', scores }] }], {
      ...ASKED,
      prompt: '🍎',
      target: 'x',
    });
    expect(shared.prompt.map((section) => section.total)).toEqual([1, 2]);
    expect(new Set(shared.prompt.map((section) => section.id)).size).toBe(2);
  });

  it('leaves out items that are not in the editor', () => {
    const items = [{ type: 'token_ids' as const, scores: [1, 2] }];
    expect(influenceOf([{ target: 'x', items }], { ...ASKED, target: 'x' }).prompt).toEqual([]);
  });

  it('answers nothing for no explanations', () => {
    expect(influenceOf([], ASKED)).toEqual({ targets: [], turn: 1, picture: [], prompt: [], target: [], sections: [] });
  });

  it('gives the tiles of a picture rows of their own, in front of the text', () => {
    const tile = (left: number, top: number) => ({ left, top, width: 0.5, height: 0.5 });
    const scores = (...values: number[]) =>
      values.map((score, i) => ({ rect: tile((i % 2) / 2, i < 2 ? 0 : 0.5), score }));
    const explained = influenceOf(
      EXPLANATIONS.map((one, column) => ({
        ...one,
        items: [{ type: 'image', scores: column === 0 ? scores(1, 2, 3, 4).toReversed() : scores(5, 6) }, ...one.items],
      })),
      ASKED,
    );
    expect(explained.picture).toMatchObject([
      { part: 'picture', rect: tile(0, 0), scores: [1, 5], total: 6 },
      { part: 'picture', rect: tile(0.5, 0), scores: [2, 6], total: 8 },
      { part: 'picture', rect: tile(0, 0.5), scores: [3, null], total: 3 },
      { part: 'picture', rect: tile(0.5, 0.5), scores: [4, null], total: 4 },
    ]);
    expect(explained.sections).toEqual([...explained.picture, ...influence.prompt]);
    expect(sectionOf(explained, explained.picture[3]?.id ?? '')).toBe(explained.picture[3]);
    expect(largestCell(explained)).toBe(6);
  });
});

describe('views of an influence', () => {
  const influence = influenceOf(EXPLANATIONS, ASKED);
  const [an] = influence.prompt;

  it.each([
    ['whole' as const, -1.5],
    [0, -0.5],
    [1, -1],
    [7, null],
  ])('reads the score in view %s', (view, score) => {
    expect(an && scoreIn(an, view)).toBe(score);
  });

  it('ranks by size, whatever the sign', () => {
    const [an, apple, day] = influence.prompt;
    expect(rankedIn(influence.prompt, 'whole')).toEqual([apple, an, day]);
    expect(rankedIn(influence.prompt, 1)).toEqual([an, apple, day]);
  });

  it('ranks only what has a score', () => {
    expect(rankedIn(influence.target, 0)).toEqual([]);
  });

  it('ranks attention sinks last, and finds the largest size without them', () => {
    const { sections, prompt } = influenceOf(EXPLANATIONS, { ...ASKED, sinks: ['prompt-3-1'] });
    expect(rankedIn(prompt, 'whole').map(({ id }) => id)).toEqual(['prompt-0-2', 'prompt-5-5', 'prompt-3-1']);
    expect(prompt.map(({ isSink }) => isSink)).toEqual([undefined, true, undefined]);
    expect([largestIn(sections, 'whole'), largestIn(sections, 0)]).toEqual([1.5, 0.5]);
    expect(largestCell({ sections, target: [] })).toBe(1);
  });

  it('finds the largest size of a view, of all cells, and 0 of nothing', () => {
    expect(largestIn(influence.prompt, 'whole')).toBe(3);
    expect(largestIn([], 'whole')).toBe(0);
    expect(largestCell(influence)).toBe(4);
  });

  it('falls back to the whole target where a token is missing', () => {
    expect(viewIn(influence, 1)).toBe(1);
    expect(viewIn(influence, 2)).toBe('whole');
  });

  it('finds a section by its id in prompt and target', () => {
    expect(sectionOf(influence, an?.id ?? '')).toBe(an);
    expect(sectionOf(influence, influence.target[0]?.id ?? '')).toBe(influence.target[0]);
    expect(sectionOf(influence, null)).toBeUndefined();
    expect(sectionOf(influence, 'gone')).toBeUndefined();
  });
});

describe('estimates', () => {
  const item = (margins: (number | null)[]) => ({
    type: 'text' as const,
    margins,
    scores: [0, 2].map((start) => ({ start, length: 1, score: 1 })),
  });
  const { sections } = influenceOf(
    [
      { target: ' a', items: [item([null, 0.1])] },
      { target: ' b', items: [item([null, 0.3])] },
    ],
    { prompt: 'x y', target: ' a b', isStrengthened: false },
  );
  const [exact, estimate] = sections;

  it('have margins for each word, which add up', () => {
    if (!exact || !estimate) throw new RangeError('expected two sections');
    expect([marginIn(exact, 'whole'), marginIn(exact, 0)]).toEqual([null, null]);
    expect([marginIn(estimate, 0), marginIn(estimate, 1)]).toEqual([0.1, 0.3]);
    expect(marginIn(estimate, 'whole')).toBeCloseTo(0.4, 12);
  });
});
