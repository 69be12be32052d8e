import { wordsOf } from '../spoken.ts';

/** The map of the keyboard. */
export const KEYS = {
  title: 'Keyboard',
  close: 'Close',
  everywhere: 'On every page',
  onPage: (page: string) => `On this page: ${page}`,
  or: 'or',
  names: {
    mod: 'Ctrl',
    enter: 'Enter',
    escape: 'Esc',
    arrows: 'Arrow keys',
    tab: 'Tab',
    home: 'Home',
    end: 'End',
    question: '?',
  },
  map: 'Open or close this map',
  next: 'Next element; with Shift the one before',
  choose: 'Use the element that has the focus',
  leave: 'Close what is open',
  run: 'Explain',
  walk: 'Go through the words of a result, or the rows of a table',
  ends: 'First and last word or row',
  pick: 'Pick a word, everywhere on the page',
  release: 'Release it',
  send: 'Send the request',
  save: 'Save the field',
  discard: 'Restore the saved value',
};

/** See `KEYS`. */
export const keysWords = wordsOf('keys', KEYS);
