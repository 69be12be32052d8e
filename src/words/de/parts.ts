import type { Translation } from '../translation.ts';

/** See `PARTS`. */
export const PARTS_DE: Translation['parts'] = {
  copied: 'Kopiert',
  copyBlocked: 'Der Browser erlaubt das Kopieren nicht',
  enterKeys: { apple: '⌘ Return', other: 'Strg Enter' },
  seconds: { one: 'Sekunde', other: 'Sekunden' },
  atLeast: (label: string, amount: string) => `${label}: mindestens ${amount}.`,
  atMost: (label: string, amount: string) => `${label}: höchstens ${amount}.`,
  pasteTooLong: (got: string, most: string) =>
    `Dieser Text hat ${got} Zeichen; das Feld nimmt höchstens ${most} auf einmal an. Fügen Sie den Teil ein, auf den es ankommt.`,
};
