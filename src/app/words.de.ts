import type { appWords } from './words.en.ts';

const APP_DE: ReturnType<typeof appWords> = {
  pages: {
    explain: 'Erklären',
    documents: 'Dokumente',
    meaning: 'Bedeutung',
    inside: 'Innen',
    learn: 'Lernen',
    models: 'Modelle',
    api: 'API',
    settings: 'Einstellungen',
    privacy: 'Datenschutz',
  },
  navigation: 'Seiten',
  pageFailed: 'Diese Seite konnte nicht geladen werden. Laden Sie sie neu, um es noch einmal zu versuchen.',
  filesElsewhere:
    'Diese Seite nimmt keine Dateien an. Legen Sie sie auf der Seite „Erklären“, „Dokumente“, „Bedeutung“ oder „Modelle“ ab.',
  home: 'Lightwell, Startseite',
  privacy: {
    short: 'Läuft auf Ihrem Gerät',
    long: 'Die Modelle laufen in dieser Seite. Was Sie hier eingeben, bleibt in diesem Browser; die Seite sendet es nirgendwohin. Zum Prüfen öffnen.',
    offline: 'Alles, was diese Seite braucht, ist auf diesem Gerät.',
  },

  keys: 'Tastenübersicht',
  theme: {
    system: 'Farben: wie das Gerät',
    light: 'Farben: hell',
    dark: 'Farben: dunkel',
    next: {
      system: 'Farben wie das Gerät wählen',
      light: 'Helle Farben wählen',
      dark: 'Dunkle Farben wählen',
    },
  },
  occupants: {
    label: 'Andere Software unter dieser Adresse',
    summary: 'Andere Software benutzt diese Adresse und könnte lesen, was Sie hier eingeben.',
    advice:
      'Browser trennen Seiten mit gleichem Rechnernamen und Port nicht. Damit Ihr Text privat bleibt, öffnen Sie Lightwell unter einem Rechnernamen oder Port, den nichts anderes benutzt. Gefunden wurde:',
    kinds: { 'service worker': 'Service Worker', storage: 'Speicher', database: 'Datenbank', cache: 'Cache' },
    hide: 'Ausblenden',
  },
};

/** The German texts of this folder, by part. */
export const german = { app: APP_DE };
