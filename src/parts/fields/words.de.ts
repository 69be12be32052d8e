import type { settingFieldWords } from './words.en.ts';

const SETTING_FIELDS_DE: ReturnType<typeof settingFieldWords> = {
  saved: 'Gespeichert',
  defaults: {
    automatic: (name) => `Automatisch (${name})`,
    notListed: (name) => `${name} (zurzeit nicht aufgelistet)`,
    none: 'Automatisch (noch kein Modell kann das)',
  },
  timeout: {
    name: 'Zeitlimit',
    label: 'Zeitlimit in Sekunden',
    hint: '1 bis 3.600, für alle Anfragen. Dauert eine länger, wird sie mit 408 beantwortet.',
    wrong: 'Zeitlimit: Geben Sie eine Anzahl von Sekunden ein.',
  },
};

/** The German texts of this folder, by part. */
export const german = { 'setting-fields': SETTING_FIELDS_DE };
