import { wordsOf } from '../../spoken.ts';

/** What the Models page says of models on this computer. */
export const LOCAL_MODELS = {
  tiers: {
    steered: 'Runs with explanations and controls.',
    as_exported: 'Runs without explanations and controls.',
    refused: 'Cannot be used.',
  },
  why: (reason: string) => `Reason: ${reason}`,
  noCard: 'The folder of this model has no README.md.',
};

/** See `LOCAL_MODELS`. */
export const localModelsWords = wordsOf('models/local', LOCAL_MODELS);
