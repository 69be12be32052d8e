import { wordsOf } from '../../spoken.ts';

/** The models page. */
export const MODELS = {
  title: 'Models',
  claim: 'Training data, quality and limitations of each model.',
  list: 'Models',
  /** In place of the description that a model has of itself, by its name. */
  descriptions: {} as Readonly<Record<string, string>>,
  readsText: (tokens: string) => `reads text, up to ${tokens} tokens`,
  readsPictures: (tokens: string) => `reads text and pictures, up to ${tokens} tokens`,
  writing: {
    title: 'Try it',
    prompt: 'Text',
    write: 'Continue the text',
    ends: {
      itself: 'The model ends its text here.',
      limit: (tokens: number) =>
        `Stopped after ${tokens} tokens. Each is the likeliest one, so a text may repeat itself.`,
    },
  },
  unknown: (name: string) => `No model named ‘${name}’.`,
  loading: (name: string) => `Fetching the card of ${name}`,
  failed: (why: string) => `The card could not be fetched: ${why}`,
  tryAgain: 'Try again',
};

/** See `MODELS`. */
export const modelsWords = wordsOf('models/page', MODELS);
