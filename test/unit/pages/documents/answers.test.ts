import { describe, expect, it } from 'vitest';
import { certaintyOf, isShown, segmentsOf, sliceOf } from '../../../../src/pages/documents/answers.ts';
import { createAnswerCollection } from '../../../../src/pages/documents/documents-store.ts';
import { readyText } from '../../../support/files/ready-text.ts';

const text = '🍕 Berta came. Anna left.';
const berta = {
  answer: { start: 2, length: 5 },
  sentence: { start: 0, length: 13 },
  evidence: { start: 0, length: 24 },
};

describe('createCollection', () => {
  it('ranks what is told in any order, and turns code points into places of the text', () => {
    const collection = createAnswerCollection([readyText(7, text), readyText(9, 'Carl came.')]);
    const carl = { start: 0, length: 4 };
    collection.add([{ document: 1, score: 0.5, answer: carl, sentence: carl, evidence: { start: 0, length: 10 } }]);
    collection.add([{ document: 0, score: 0.9, ...berta }]);
    const [first, second] = collection.ranked();
    expect([first?.document, second?.document]).toEqual([7, 9]);
    expect(first && [first.answer, first.sentence].map((span) => sliceOf(text, span))).toEqual([
      'Berta',
      '🍕 Berta came.',
    ]);
  });

  it('puts equal scores in the order of the documents and of their texts', () => {
    const collection = createAnswerCollection([readyText(1, 'A b. C d.'), readyText(2, 'E f.')]);
    const at = (document: number, start: number) => {
      const span = { start, length: 4 };
      return { document, score: 0.5, answer: span, sentence: span, evidence: span };
    };
    collection.add([at(1, 0), at(0, 5), at(0, 0)]);
    expect(collection.ranked().map(({ document, passage }) => [document, passage.start])).toEqual([
      [1, 0],
      [1, 5],
      [2, 0],
    ]);
  });

  it('takes the passage for an answer that stands nowhere, and leaves unknown documents out', () => {
    const collection = createAnswerCollection([readyText(1, 'Berta came.')]);
    const written = { score: 0.5, answer: null, sentence: null, evidence: { start: 0, length: 11 } };
    collection.add([
      { document: 0, ...written },
      { document: 5, ...written },
    ]);
    expect(collection.ranked()).toEqual([
      {
        document: 1,
        score: 0.5,
        answer: { start: 0, length: 11 },
        sentence: { start: 0, length: 11 },
        passage: { start: 0, length: 11 },
      },
    ]);
  });
});

describe('the level of an answer', () => {
  it.each([
    [0.95, true, 'likely'],
    [0.74, true, 'likely'],
    [0.73, true, 'perhaps'],
    [0.18, true, 'perhaps'],
    [0.17, false, 'perhaps'],
  ])('with the score %d: shown %s, %s', (score, shown, certainty) => {
    expect(isShown({ score })).toBe(shown);
    expect(certaintyOf({ score })).toBe(certainty);
  });
});

describe('segmentsOf', () => {
  const marked = { sentence: { start: 5, length: 10 }, answer: { start: 7, length: 3 } };
  const cut = (start: number, length: number) =>
    segmentsOf({ start, length }, marked).map((segment) => [segment.start, segment.length, segment.kind]);

  it.each([
    [
      'all of it',
      0,
      20,
      [
        [0, 5, null],
        [5, 2, 'sentence'],
        [7, 3, 'answer'],
        [10, 5, 'sentence'],
        [15, 5, null],
      ],
    ],
    ['a part in front', 0, 4, [[0, 4, null]]],
    ['a part behind', 16, 2, [[16, 2, null]]],
    ['a part within the answer', 8, 1, [[8, 1, 'answer']]],
    [
      'from the answer on',
      8,
      9,
      [
        [8, 2, 'answer'],
        [10, 5, 'sentence'],
        [15, 2, null],
      ],
    ],
    ['nothing', 8, 0, []],
  ] as const)('cuts %s', (_name, start, length, segments) => expect(cut(start, length)).toEqual(segments));

  it('marks nothing without an answer', () => {
    expect(segmentsOf({ start: 1, length: 2 }, null)).toEqual([{ start: 1, length: 2, kind: null }]);
  });
});
