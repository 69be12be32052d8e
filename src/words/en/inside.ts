import { wordsOf } from '../spoken.ts';

/** A similarity and the layer at which it is. */
interface Place {
  readonly value: string;
  readonly layer: string;
}

/** The Inside page: what the layers of a model hold. Names in braces are terms of the glossary. */
export const INSIDE = {
  title: 'Inside',
  claim: 'How the numbers for a text change from layer to layer of the model.',
  similarity: {
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
  },
  matrix: {
    title: 'At one layer',
    slider: 'Layer',
    caption: (layer: string) => `Cosine similarity of the texts at layer ${layer}`,
  },
  tokens: {
    save: 'Save tokens (CSV)',
    title: 'Token by token',
    text: 'The {tokens} of two texts at one {layer}. The same word can stand for something else: its {hiddenState} depends on the words before it.',
    first: 'First text',
    second: 'Second text',
    run: 'Compare tokens',
    caption: (layer: string) =>
      `Cosine similarity of each token of the first text with each of the second, layer ${layer}`,
    cut: (count: string) => `Only the first ${count} tokens of each text are compared.`,
    closest: (a: string, b: string, value: string) =>
      `The closest pair of different tokens: ‘${a}’ and ‘${b}’ (${value}).`,
    same: (token: string, low: string, high: string) =>
      low === high
        ? `‘${token}’ stands in both texts, with a similarity of ${low}.`
        : `‘${token}’ stands in both texts, with similarities from ${low} to ${high}.`,
  },
  lens: {
    save: 'Save predictions (CSV)',
    title: 'What would each layer predict?',
    text: 'The final step of the model turns the last {hiddenState} into {logits}, and these into a {probability} for every {token}. Applied to earlier layers, it says what the model would predict if it ended there. This is called the logit lens. The model was trained to predict at its last layer only, so what earlier layers say is a hint and no answer.',
    source: 'Source: nostalgebraist, “interpreting GPT: the logit lens”, 2020',
    target: 'Target, if you like',
    table: 'Likeliest next tokens at each layer, behind the last token of the prompt; those above 0.1 %',
    layer: 'Layer',
    likeliest: 'Likeliest tokens',
    rankOf: (token: string) => `Rank of ‘${token}’`,
    output: 'last',
    embeddings: 'word embeddings',
    since: (token: string, layer: string, last: string) =>
      `The model predicts ‘${token}’. It is the likeliest token from layer ${layer} of ${last} on.`,
    onlyLast: (token: string, last: string) =>
      `The model predicts ‘${token}’. No layer before the last one, ${last}, has it as the likeliest token.`,
    grid: 'The likeliest next token behind each of the last tokens of the prompt',
    behind: 'Behind',
    hidden: 'This model does not show its layers: its graph computes the last layer and the final norm in one step.',
  },
  save: {
    label: 'Save the chart',
    svg: 'Save SVG',
    png: 'Save PNG',
    csv: 'Save CSV',
    failed: 'The browser could not draw this file.',
  },
  figure: {
    lead: 'How alike the texts are at each layer',
    detail: (pooling: string) => `Cosine similarity of hidden states. Pooling: ${pooling}.`,
    texts: 'Texts',
    model: 'Model',
  },
};

/** See `INSIDE`. */
export const insideWords = wordsOf('inside', INSIDE);
