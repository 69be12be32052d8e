import { describe, expect, it } from 'vitest';
import { partedBehindOpening } from '../../../../../evaluation/measures/text/opening.ts';

describe('partedBehindOpening', () => {
  it.each([
    ['a sentence', 'It rains. We stay in.', 'It rains.', ' We stay in.'],
    ['a quoted sentence', '“Come!” he said. They came.', '“Come!”', ' he said. They came.'],
    ['a line', 'User: a table\nAssistant: for two?', 'User: a table', '\nAssistant: for two?'],
    ['a title before an empty line', 'The Fox\n\nA fox ran.', 'The Fox', '\n\nA fox ran.'],
    ['its first word, where it has one sentence', 'A fox ran.', 'A', ' fox ran.'],
    ['a number with a point in it never', 'It cost 3.50 in all. Too much.', 'It cost 3.50 in all.', ' Too much.'],
  ])('parts behind %s', (_name, text, opening, rest) => expect(partedBehindOpening(text)).toEqual({ opening, rest }));

  it('refuses a single word', () => expect(() => partedBehindOpening('Fox. ')).toThrow('more than one word'));
});
