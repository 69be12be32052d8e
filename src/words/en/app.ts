import { wordsOf } from '../spoken.ts';

/** Names of the pages, and what stands around each of them. */
export const APP = {
  pages: { explain: 'Explain', inside: 'Inside', learn: 'Learn', models: 'Models', api: 'API', settings: 'Settings' },
  navigation: 'Pages',
  pageFailed: 'This page could not be loaded; reload to try again.',
  filesElsewhere: 'This page takes no files. Drop them on the Explain page.',
  home: 'Lightwell, start page',
  privacy: {
    short: 'Runs on your device',
    long: 'The model runs inside this page. Prompts, targets and results stay in this browser and are sent nowhere. It works offline.',
  },
  engine: {
    loadingLong: 'The model is loading from this site into the page.',
    loading: 'loading',
    loadingShare: (percent: string) => `loading ${percent} %`,
    preparing: 'preparing',
    failed: 'not running',
    threads: { one: 'thread', other: 'threads' },
  },
  theme: {
    system: 'Theme: system',
    light: 'Theme: light',
    dark: 'Theme: dark',
    next: { system: 'Switch to theme: system', light: 'Switch to theme: light', dark: 'Switch to theme: dark' },
  },
  strangers: {
    label: 'Other software at this address',
    summary: 'Other software uses this address and could read what you type here.',
    advice:
      'Browsers do not separate pages with the same host name and port. To keep your text private, open Lightwell at a host name or port that nothing else uses. This was found:',
    kinds: { 'service worker': 'service worker', storage: 'storage', database: 'database', cache: 'cache' },
    hide: 'Hide',
  },
};

/** See `APP`. */
export const appWords = wordsOf('app', APP);
