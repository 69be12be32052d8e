import { wordsOf } from '../../spoken.ts';

/** What the Models page says of models of the hub that suit it. */
export const PRESETS = {
  summary: 'Models to start with',
  about:
    'Models of the hub, by what they do. “Should run” is told from a network of the same family with random weights. Look one up to learn what it is today.',
  tasks: {
    write: 'Writing and explanations',
    embed: 'Embeddings',
    read: 'Answers from a text',
    see: 'Pictures',
  },
  name: 'Model',
  licence: 'Licence',
  size: 'Size by weight type',
  memory: 'Memory',
  use: 'Should run',
  untried: 'Never opened by this project',
  asked: 'asked of the hub',
  ask: (name: string) => `Look up ${name}`,
  aboutSize: (size: string) => `about ${size}`,
};

/** See `PRESETS`. */
export const presetWords = wordsOf('models/presets', PRESETS);
