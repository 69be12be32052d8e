import { describe, expect, it } from 'vitest';
import { createPartials } from '../../../src/explanations/request.ts';

const text = (scores: readonly [start: number, score: number][], margins?: (number | null)[]) => [
  {
    target: ' a',
    items: [
      {
        type: 'text' as const,
        scores: scores.map(([start, score]) => ({ start, length: 1, score })),
        ...(margins && { margins }),
      },
    ],
  },
];

describe('createPartials', () => {
  it('joins what comes, in the order in which it comes', () => {
    const partials = createPartials();
    partials.add(text([[2, 1]]));
    partials.add(text([[0, 3]]));
    expect(partials.all()).toEqual(
      text([
        [2, 1],
        [0, 3],
      ]),
    );
  });

  it('puts an exact score in the place of its estimate', () => {
    const partials = createPartials();
    partials.add(text([[4, 9]]));
    partials.add(
      text(
        [
          [0, 1],
          [2, 5],
        ],
        [0.1, 0.2],
      ),
    );
    partials.add(text([[2, 6]]));
    const scores: [number, number][] = [
      [4, 9],
      [0, 1],
      [2, 6],
    ];
    expect(partials.all()).toEqual(text(scores, [null, 0.1, null]));
  });

  it('keeps sections apart that share a span, where nothing is an estimate', () => {
    const partials = createPartials();
    partials.add(text([[0, 1]]));
    partials.add(text([[0, 2]]));
    expect(partials.all()[0]?.items[0]?.scores).toHaveLength(2);
  });

  it('leaves out an item of another type', () => {
    const partials = createPartials();
    partials.add(text([[0, 1]]));
    partials.add([{ target: ' a', items: [{ type: 'target', scores: [{ start: 0, length: 1, score: 4 }] }] }]);
    expect(partials.all()).toEqual(text([[0, 1]]));
  });
});
