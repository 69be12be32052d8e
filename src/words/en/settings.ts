import { wordsOf } from '../spoken.ts';

/** The settings page. */
export const SETTINGS = {
  page: {
    title: 'Page',
    about: 'What this page looks like on this device.',
    language: 'Language',
    system: (name: string) => `As in the browser (${name})`,
    languageFailed: 'This language could not be loaded. Check the connection and choose it again.',
  },
};

/** See `SETTINGS`. */
export const settingsWords = wordsOf('settings', SETTINGS);
