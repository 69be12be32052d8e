import { countText, numberText } from '../../numbers.ts';
import { wordsOf } from '../../spoken.ts';

const texts = (count: number) => countText(count, { one: 'text', other: 'texts' });
const examples = (count: number) => countText(count, { one: 'example', other: 'examples' });

/** Similarity, sorting and duplicates on the page Meaning. */
export const MEANING_LISTS = {
  matrix: {
    about: 'Cosine of each text with each other: 1 says the same, 0 has nothing in common.',
    from: {
      chosen: (count: number) => `The ${texts(count)} chosen on the map`,
      found: (count: number) => `The best ${numberText(count)} hits`,
      first: (count: number) => `The first ${texts(count)}`,
    },
    label: 'Texts to compare',
    table: 'Similarity of texts',
    at: (row: number, column: number, value: string) => `${numberText(row)} and ${numberText(column)}: ${value}`,
    point: 'Point at a cell, or use the arrow keys in the table.',
    text: 'text',
    save: 'Save as CSV',
  },
  sort: {
    about: 'Give a few texts a category. The rest is sorted by what these examples mean.',
    column: 'Take categories from the column',
    noColumn: 'choose a column',
    category: 'New category',
    categoryHint: 'such as: delivery',
    add: 'Add',
    remove: (name: string) => `Remove ${name}`,
    categories: 'Categories',
    examples,
    undo: 'Undo',
    list: 'Texts',
    of: (text: string) => `Category of: ${text}`,
    none: 'no example',
    run: 'Sort all texts',
    running: 'Sorting …',
    needs: 'Sorting needs at least two categories with an example each. Two or more examples each allow a measurement.',
    measuredSingly: (percent: string, count: number) =>
      `Measured: ${percent} % of the ${examples(count)} got their own category, each left out once and sorted by the others.`,
    measuredInParts: (percent: string, count: number, folds: number) =>
      `Measured: ${percent} % of the ${examples(count)} got their own category; they were parted into ${numberText(folds)} parts, and each part was sorted by the others.`,
    frequent: (percent: string) => `Always answering with the most frequent category would reach ${percent} %.`,
    notMeasured: 'Not measured: a category has only one example. Two or more for each allow it.',
    stale: 'The examples have changed since. Sort again.',
    results: 'Sorted texts',
    show: 'Show',
    all: 'all categories',
    unsure: 'least certain first',
    certainty: (percent: string) => `${percent} %`,
    given: 'example',
    differs: (given: string) => `you said: ${given}`,
    columns: { text: 'text', category: 'category', probability: 'probability', example: 'given category' },
    save: 'Save as CSV',
    more: (count: number) => `Show ${numberText(count)} more`,
  },
  duplicates: {
    about: 'Texts that are nearly the same, in groups.',
    least: 'How alike texts must be',
    leastText: (value: string) => `cosine of ${value} or more`,
    running: 'Comparing all texts',
    stop: 'Stop',
    none: (count: number) => `No two of the ${texts(count)} are that much alike.`,
    found: (groups: number, repeated: number) =>
      `${countText(groups, { one: 'group', other: 'groups' })}; without repetitions there would be ${texts(repeated)} fewer.`,
    alike: (value: string) => `cosine ${value}`,
    stale: (count: number) => `Search all ${texts(count)} again`,
    save: 'Save texts without repetitions (CSV)',
    text: 'text',
    more: (count: number) => `Show ${numberText(count)} more`,
    members: (count: number) => `and ${texts(count)} more`,
  },
};

/** See `MEANING_LISTS`. */
export const meaningListsWords = wordsOf('meaning/lists', MEANING_LISTS);
