import { wordsFor } from '../words/language.ts';

/** Names of the pages, and the texts around each of them. */
export const appWords = wordsFor('app', {
  pages: {
    explain: 'Explain',
    documents: 'Documents',
    meaning: 'Meaning',
    inside: 'Inside',
    learn: 'Learn',
    models: 'Models',
    api: 'API',
    settings: 'Settings',
    privacy: 'Privacy',
  },
  navigation: 'Pages',
  pageFailed: 'This page could not be loaded; reload to try again.',
  filesElsewhere: 'This page does not accept files. Drop them on the Explain, Documents, Meaning or Models page.',
  home: 'Lightwell, start page',
  privacy: {
    short: 'Runs on your device',
    long: 'Models run inside this page. What you enter here stays in this browser; the page sends it nowhere. Open to check.',
    offline: 'Everything this page needs is on this device.',
  },

  keys: 'Keyboard map',
  theme: {
    system: 'Theme: system',
    light: 'Theme: light',
    dark: 'Theme: dark',
    next: { system: 'Switch to theme: system', light: 'Switch to theme: light', dark: 'Switch to theme: dark' },
  },
  occupants: {
    label: 'Other software at this address',
    summary: 'Other software uses this address and could read what you type here.',
    advice:
      'Browsers do not separate pages with the same host name and port. To keep your text private, open Lightwell at a host name or port that nothing else uses. This was found:',
    kinds: { 'service worker': 'service worker', storage: 'storage', database: 'database', cache: 'cache' },
    hide: 'Hide',
  },
});
