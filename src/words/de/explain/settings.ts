import type { Translation } from '../../translation.ts';

/** See `QUESTION_SETTINGS`. */
export const QUESTION_SETTINGS_DE: Translation['explain/settings'] = {
  granularities: {
    auto: 'Auto',
    token: 'Token',
    word: 'Wort',
    sentence: 'Satz',
    paragraph: 'Absatz',
    custom: 'Eigene',
  },
  autoHint: 'Wählt die Teilung, die 30 Teilen am nächsten kommt.',
  delimiterExample: 'zum Beispiel ### oder \\n',
  marks: { none: '0 = ignoriert', one: '1 = unverändert' },
  more: 'Weitere Einstellungen',
  moreFailed:
    'Die Einstellungen konnten nicht geladen werden. Laden Sie die Seite neu, um es noch einmal zu versuchen.',
};
