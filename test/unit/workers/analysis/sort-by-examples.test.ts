import { describe, expect, it } from 'vitest';
import { sortByExamples } from '../../../../workers/analysis/sort-by-examples.ts';

const pause = async () => undefined;
/** Four rows near one axis, four near the other. */
const ROWS = {
  values: Float32Array.from([1, 0, 0.98, 0.2, 0.99, 0.1, 0.97, 0.24, 0, 1, 0.2, 0.98, 0.1, 0.99, 0.24, 0.97]),
  count: 8,
  width: 2,
};
const WORDINGS = Array.from({ length: 200 }, (_, index) => `text ${index}`);
const example = (index: number, label: number) => ({ index, label });

describe('sortByExamples', () => {
  it('gives every row the label of the examples that it is like, and measures by leaving each out', async () => {
    const examples = [example(0, 0), example(1, 0), example(4, 1), example(5, 1)];
    const { labels, probabilities, measured } = await sortByExamples(ROWS, WORDINGS, { examples, labels: 2 }, pause);
    expect([...labels]).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    expect([...probabilities].every((probability) => probability > 0.5 && probability < 1)).toBe(true);
    expect(measured).toEqual({ accuracy: 1, mostFrequent: 0.5, examples: 4, folds: 4 });
  });

  it('does not measure where a label has a single example', async () => {
    const examples = [example(0, 0), example(4, 1), example(5, 1)];
    expect((await sortByExamples(ROWS, WORDINGS, { examples, labels: 2 }, pause)).measured).toBeNull();
  });

  it('tells what an example gets from the others, not from itself', async () => {
    const examples = [example(0, 0), example(1, 0), example(2, 1), example(4, 1), example(5, 1)];
    const { labels, measured } = await sortByExamples(ROWS, WORDINGS, { examples, labels: 2 }, pause);
    expect(labels[2], 'given the label of the far axis').toBe(0);
    expect(measured?.accuracy).toBeLessThan(1);
  });

  it('measures each wording once, without its repeats among the examples', async () => {
    const examples = [example(0, 0), example(1, 0), example(2, 1), example(3, 1), example(4, 1), example(5, 1)];
    const repeated = WORDINGS.with(3, 'text 2');
    const { labels, measured } = await sortByExamples(ROWS, repeated, { examples, labels: 2 }, pause);
    expect(measured).toMatchObject({ examples: 5, folds: 5 });
    expect([labels[2], labels[3]], 'with its repeat among the examples it would get their label').toEqual([0, 0]);
  });

  it('measures many examples in ten parts', async () => {
    const values = Float32Array.from({ length: 400 }, (_, at) => ((at >> 1) % 2 === at % 2 ? 1 : 0));
    const examples = Array.from({ length: 200 }, (_, index) => example(index, index % 2));
    const rows = { values, count: 200, width: 2 };
    expect((await sortByExamples(rows, WORDINGS, { examples, labels: 2 }, pause)).measured).toMatchObject({
      accuracy: 1,
      folds: 10,
    });
  });
});
