import { expect, it } from 'vitest';
import { replacedSpans, withoutSpans } from '../../../src/contract/code-points.ts';

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

it.each([
  ['A b. C d.', [[0, 4]], '... C d.'],
  ['A b. C d.', [[5, 4]], 'A b. ...'],
  ['A b.\nC', [[0, 5]], '...\nC'],
  ['one two three', [[3, 4]], 'one ... three'],
  ['one two', [[2, 3]], 'on...wo'],
  ['one\n\ntwo', [[3, 2]], 'one...two'],
  [
    'one two three four',
    [
      [4, 3],
      [8, 5],
    ],
    'one ... four',
  ],
  [
    'one two three',
    [
      [0, 3],
      [8, 5],
    ],
    '... two ...',
  ],
  [
    'A 🍎 b',
    [
      [2, 2],
      [2, 2],
    ],
    'A ... b',
  ],
  ['A b', [], 'A b'],
])('puts "..." into %j in place of the spans %j', (text, spans, expected) => {
  expect(
    replacedSpans(
      text,
      spans.map(([start = 0, length = 0]) => ({ start, length })),
      '...',
    ),
  ).toBe(expected);
});
