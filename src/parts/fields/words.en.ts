import { wordsFor } from '../../words/language.ts';

/** Fields that save a setting. */
export const settingFieldWords = wordsFor('setting-fields', {
  saved: 'Saved',
  defaults: {
    automatic: (name: string) => `Automatic (${name})`,
    notListed: (name: string) => `${name} (not listed now)`,
    none: 'Automatic (none can do this yet)',
  },
  timeout: {
    name: 'Time-out',
    label: 'Time-out in seconds',
    hint: '1 to 3,600, for all requests. One that takes longer returns 408.',
    wrong: 'Time-out: enter a number of seconds.',
  },
});
