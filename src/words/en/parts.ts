import { wordsOf } from '../spoken.ts';

/** Elements that several pages have. */
export const PARTS = {
  copied: 'Copied',
  copyBlocked: 'Copy blocked by the browser',
  enterKeys: { apple: '⌘ Return', other: 'Ctrl Enter' },
  seconds: { one: 'second', other: 'seconds' },
  atLeast: (label: string, amount: string) => `${label}: at least ${amount}.`,
  atMost: (label: string, amount: string) => `${label}: at most ${amount}.`,
  pasteTooLong: (got: string, most: string) =>
    `That text has ${got} characters; this field takes ${most} at once. Paste the part that matters.`,
};

/** See `PARTS`. */
export const partsWords = wordsOf('parts', PARTS);
