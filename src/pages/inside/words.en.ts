import { wordsFor } from '../../words/language.ts';

/** The Inside page: what the layers of a model compute. Names in braces are terms of the glossary. */
export const insideWords = wordsFor('inside', {
  title: 'Inside',
  claim: 'How the numbers for a text change from layer to layer of the model.',

  matrix: {
    title: 'At one layer',
    slider: 'Layer',
    caption: (layer: string) => `Cosine similarity of the texts at layer ${layer}`,
  },
  tokens: {
    save: 'Save tokens (CSV)',
    title: 'Token by token',
    text: 'The {tokens} of two texts at one {layer}. The same word can mean something else: its {hiddenState} depends on the words before it.',
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
        ? `‘${token}’ is in both texts, with a similarity of ${low}.`
        : `‘${token}’ is in both texts, with similarities from ${low} to ${high}.`,
  },
  lens: {
    save: 'Save predictions (CSV)',
    title: 'What would each layer predict?',
    text: 'The final step of the model turns the last {hiddenState} into {logits}, and these into a {probability} for every {token}. Applied to earlier layers, it says what the model would predict if it ended there. This is called the logit lens. The model was trained to predict at its last layer only, so what earlier layers say is a hint and not an answer.',
    source: 'Source: nostalgebraist, “interpreting GPT: the logit lens”, 2020',
    target: 'Target (optional)',
    table: 'Likeliest next tokens at each layer, after the last token of the prompt; those above 0.1 %',
    layer: 'Layer',
    likeliest: 'Likeliest tokens',
    rankOf: (token: string) => `Rank of ‘${token}’`,
    output: 'last',
    embeddings: 'word embeddings',
    since: (token: string, layer: string, last: string) =>
      `The model predicts ‘${token}’. It is the likeliest token from layer ${layer} of ${last} on.`,
    onlyLast: (token: string, last: string) =>
      `The model predicts ‘${token}’. No layer before the last one, ${last}, has it as the likeliest token.`,
    grid: 'The likeliest next token after each of the last tokens of the prompt',
    after: 'After',
    hidden: 'This model does not show its layers: its graph computes the last layer and the final norm in one step.',
  },
  steering: {
    title: 'What does a concept change?',
    text: 'A concept is the mean difference of hidden states between two sides of pairs of texts, such as praise and blame. Added to the hidden states after a layer, it steers what the model finds likely and what it writes. A negative strength steers the other way.',
    source: 'Sources: Zou et al. 2023, arXiv:2310.01405; Panickssery et al. 2023, arXiv:2312.06681',
    fields: {
      positive: 'Texts on one side, one per line',
      negative: 'Texts on the other side, line by line',
      prompt: 'Prompt',
      first: 'First answer',
      second: 'Second answer',
    },
    missing: 'Enter as many texts on one side as on the other, a prompt and two answers.',
    run: 'Make the concept',
    strength: 'Strength',
    written: 'The model writes',
    shown: (first: string, firstShare: string, second: string, secondShare: string) =>
      `‘${first}’ ${firstShare}, ‘${second}’ ${secondShare}.`,
    writes: (text: string) => `The model writes ‘${text}’.`,
    table: (layer: string, layers: string) =>
      `Probability of both answers at each strength, steered after layer ${layer} of ${layers}`,
    reversed: (strength: string) =>
      `At strength ${strength} the answer that is less likely without steering becomes the likelier one.`,
    never: 'At none of these strengths does the less likely answer become the likelier one.',
    stored: 'The concept is stored on this device as numbers, without the texts. Its id in the API:',
    unable: 'This model cannot be steered: its hidden states cannot be reached here.',
  },
  save: {
    label: 'Save the chart',
    csv: 'Save CSV',
  },
  figure: {
    lead: 'How alike the texts are at each layer',
    detail: (pooling: string) => `Cosine similarity of hidden states. Pooling: ${pooling}.`,
    texts: 'Texts',
    model: 'Model',
  },
});
