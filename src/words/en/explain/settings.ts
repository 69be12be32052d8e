import { wordsOf } from '../../spoken.ts';

/** The settings that every question shows; `more-settings.ts` has those of the fold. */
export const QUESTION_SETTINGS = {
  granularities: {
    auto: 'Auto',
    token: 'Token',
    word: 'Word',
    sentence: 'Sentence',
    paragraph: 'Paragraph',
    custom: 'Custom',
  },
  autoHint: 'Picks the split closest to 30 parts.',
  delimiterExample: 'such as ### or \\n',
  /** Below the stops of the slider that they name. */
  marks: { none: '0 = ignored', one: '1 = unchanged' },
  more: 'More settings',
  moreFailed: 'The settings could not be loaded. Reload to try again.',
};

/** See `QUESTION_SETTINGS`. */
export const questionSettingsWords = wordsOf('explain/settings', QUESTION_SETTINGS);
