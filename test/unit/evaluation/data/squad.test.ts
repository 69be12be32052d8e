import { describe, expect, it } from 'vitest';
import { shortPassages } from '../../../../evaluation/data/squad.ts';

/** A token for each letter. */
const tokenize = (text: string) => ({ text, ids: [...text].map(() => 1), spans: [] });

const row = (context: string) => ({
  id: context.slice(0, 3),
  title: '',
  context,
  question: ' Who? ',
  answers: [
    { text: 'Zoë', start: 2 },
    { text: 'Zoë herself', start: 2 },
  ],
});

describe('shortPassages', () => {
  it('asks as the model was trained to be asked, for the first answer', () => {
    const [item] = shortPassages([row('😀 Zoë herself.')], { tokenize }, 1);
    expect(item).toMatchObject({ question: ' Who? ', asked: '\nQuestion: Who?\nAnswer:', target: ' Zoë' });
    expect(item?.answer).toEqual({ start: 2, length: 3 });
  });
  it('passes over what is longer than 500 tokens with question and answer', () => {
    const frame = '\nQuestion: Who?\nAnswer: Zoë'.length;
    const [fits, long] = [row('f'.repeat(500 - frame)), row('l'.repeat(501 - frame))];
    expect(shortPassages([fits, long], { tokenize }, 9).map(({ passage }) => passage)).toEqual([fits.context]);
  });
  it('takes as many as are wanted, the same ones each time', () => {
    const rows = Array.from({ length: 20 }, (_, i) => row(`passage ${i}`));
    const taken = shortPassages(rows, { tokenize }, 5);
    expect(taken).toHaveLength(5);
    expect(taken).toEqual(shortPassages(rows, { tokenize }, 8).slice(0, 5));
  });
  it('refuses a question without an answer', () =>
    expect(() => shortPassages([{ ...row('a'), answers: [] }], { tokenize }, 1)).toThrow('gold answer'));
});
