import type { Translation } from '../translation.ts';

/** See `SETTINGS`. */
export const SETTINGS_DE: Translation['settings'] = {
  page: {
    title: 'Seite',
    about: 'Wie diese Seite auf diesem Gerät aussieht.',
    language: 'Sprache',
    system: (name: string) => `Wie im Browser (${name})`,
    languageFailed:
      'Diese Sprache konnte nicht geladen werden. Prüfen Sie die Verbindung und wählen Sie sie noch einmal.',
  },
};
