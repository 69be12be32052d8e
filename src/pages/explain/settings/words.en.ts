import { wordsFor } from '../../../words/language.ts';

/** The fold with the settings that most questions do not need. */
export const moreSettingsWords = wordsFor('explain/more-settings', {
  addModel: 'Add a larger model…',
  enterNumber: (example: string) => `Enter a number, such as ${example}.`,
  factor: {
    label: 'Attention strength, as a number',
    help: (most: string) => `That of the slider above, and up to ${most}.`,
  },
  accuracy: {
    label: 'Accuracy',
    help: 'Quick computes the largest scores exactly and estimates the others: about a quarter of the work for a long prompt.',
    exact: 'Exact',
    quick: 'Quick',
  },
  scaling: {
    help: 'Log-additive adds the logarithm of the strength to the attention scores; multiplicative multiplies them. Auto adds at 0 and above 1, and multiplies in between.',
    auto: 'Auto',
    add: 'Log-additive',
    multiply: 'Multiplicative',
  },
  overlap: {
    help: 'A token that a part covers by half is dimmed by half, or fully.',
    partial: 'Proportionally',
    complete: 'Fully',
  },
  similarity: {
    help: (usual: string) =>
      `Tokens this similar are dimmed with a part: 1 is the same token, ${usual} is usual for pictures. Empty: off.`,
    off: 'off',
  },
  target: {
    help: 'Word by word also shows which part of the prompt leads to which word of the target.',
    token: 'Word by word',
    complete: 'As a whole',
  },
  numbers: {
    label: 'Scores in tables',
    help: 'The tables below heat map and bars. Colours and words keep the sign.',
    none: 'With sign',
    absolute: 'Size only',
    square: 'Squared',
  },
  scale: {
    label: 'Scale of these scores',
    help: 'From 0 to 1: the smallest score becomes 0, the largest 1.',
    nats: 'As they are',
    unit: 'From 0 to 1',
  },
});
