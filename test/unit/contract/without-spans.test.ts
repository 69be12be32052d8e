import { expect, it } from 'vitest';
import { withoutSpans } from '../../../src/contract/code-points.ts';

it.each([
  ['A b. C d.', [[0, 4]], 'C d.'],
  ['A b. C d.', [[5, 4]], 'A b.'],
  ['A 🍎. C d. E', [[5, 4]], 'A 🍎. E'],
  ['A b.\nC', [[0, 4]], 'C'],
  [
    'one two three four',
    [
      [4, 3],
      [8, 5],
    ],
    'one four',
  ],
  [
    'one two three',
    [
      [0, 3],
      [8, 5],
    ],
    'two',
  ],
  ['A', [[0, 1]], ''],
  ['A b', [], 'A b'],
])('takes from %j the spans %j', (text, spans, rest) => {
  const characters = [...text];
  expect(
    withoutSpans(
      characters,
      spans.map(([start = 0, length = 0]) => ({ start, length })),
    ),
  ).toBe(rest);
});
