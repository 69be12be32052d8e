import { wordsFor } from '../../words/language.ts';

interface Place {
  readonly value: string;
  readonly layer: string;
}

/** Similarity of texts by layer. */
export const similarityWords = wordsFor('similarity', {
  title: 'How alike are texts?',
  text: 'After each of its {layers} the model has a {hiddenState} for every {token}. By {pooling} these become one list of numbers, and the {cosine} says how alike two lists are.',
  label: (number: string) => `Text ${number}`,
  add: 'Add a text',
  remove: (number: string) => `Remove text ${number}`,
  needed: 'Enter at least two texts.',
  examples: 'Examples',
  sets: { topics: 'Two topics', negation: 'With a “not”', order: 'Word order', bank: 'Two banks' },
  pooling: 'Pooling',
  poolings: {
    mean: 'Mean',
    weighted_mean: 'Weighted mean',
    max: 'Max',
    last_token: 'Last token',
    abs_max: 'Abs-max',
  },
  chart: 'Similarity of each pair by layer',
  axis: 'Layer',
  pair: 'Pair',
  layer: (number: string) => `Layer ${number}`,
  embeddings: 'Layer 0 is the word embeddings',
  table: 'Cosine similarity at each layer. Point at a row, or tab to it, to see its line.',
  pairOf: (a: string, b: string) => `${a} and ${b}`,
  chartFailed: 'The chart could not be loaded. The table has the numbers.',
  sameBoth: (pair: string, from: string, to: string) =>
    `Texts ${pair} are the most alike at layer 0 (${from}) and at the last layer (${to}).`,
  other: (first: string, from: string, last: string, to: string) =>
    `At layer 0 texts ${first} are the most alike (${from}), at the last layer texts ${last} (${to}).`,
  moved: (pair: string, from: Place, to: Place) =>
    `Texts ${pair} move the most: from ${from.value} at layer ${from.layer} to ${to.value} at layer ${to.layer}.`,
  spread: (low: string, high: string, lastLow: string, lastHigh: string) =>
    `The similarities lie between ${low} and ${high} at layer 0, and between ${lastLow} and ${lastHigh} at the last layer. Compare them with each other: a high number alone says little.`,
  one: (from: string, to: string) => `The two texts: ${from} at layer 0, ${to} at the last layer.`,
});
