import type { appWords, keysWords } from './words.en.ts';

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
    'Diese Seite nimmt keine Dateien. Legen Sie sie auf der Seite „Erklären“, „Dokumente“, „Bedeutung“ oder „Modelle“ ab.',
  home: 'Lightwell, Startseite',
  privacy: {
    short: 'Läuft auf Ihrem Gerät',
    long: 'Die Modelle laufen in dieser Seite. Was Sie hier eingeben, bleibt in diesem Browser; die Seite sendet es nirgendwohin. Öffnen Sie, um es zu prüfen.',
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

const KEYS_DE: ReturnType<typeof keysWords> = {
  title: 'Tastatur',
  close: 'Schließen',
  everywhere: 'Auf jeder Seite',
  onPage: (page) => `Auf dieser Seite: ${page}`,
  or: 'oder',
  names: {
    mod: 'Strg',
    enter: 'Eingabe',
    escape: 'Esc',
    arrows: 'Pfeiltasten',
    tab: 'Tab',
    home: 'Pos 1',
    end: 'Ende',
    question: '?',
    plus: '+',
    minus: '−',
    zero: '0',
  },
  map: 'Diese Übersicht öffnen oder schließen',
  next: 'Nächstes Element; mit der Umschalttaste das vorige',
  choose: 'Das Element mit dem Fokus benutzen',
  leave: 'Schließen, was offen ist',
  run: 'Erklären',
  walk: 'Durch die Wörter eines Ergebnisses oder die Zeilen einer Tabelle gehen',
  ends: 'Erstes und letztes Wort, erste und letzte Zeile',
  pick: 'Ein Wort auf der ganzen Seite hervorheben',
  release: 'Es wieder loslassen',
  ask: 'In der Frage: fragen',
  walkAnswers: 'Auf einer Antwort: zur vorigen oder nächsten',
  showAnswer: 'Auf einer Antwort: sie in ihrem Dokument zeigen',
  runExample: 'In einem Text: mit ihm neu starten',
  showPair: 'Auf der Zeile eines Paares: seine Linie zeigen',
  slide: 'Auf einem Regler: eine Schicht zurück oder vor',
  walkWords: 'Auf der Heatmap: von Wort zu Wort gehen',
  scroll: 'Auf einer langen Tabelle: blättern',
  walkMatrix: 'In der Tabelle der Ähnlichkeit: von Zelle zu Zelle gehen',
  walkMap: 'Auf der Karte: zum nächsten Text in dieser Richtung',
  zoom: 'Auf der Karte: näher und weiter',
  wholeMap: 'Auf der Karte: alles zeigen',
  pickText: 'Auf der Karte: den Text auswählen oder wieder weglassen',
  forget: 'Auf der Karte: nichts auswählen',
  send: 'Die Anfrage senden',
  save: 'Das Feld speichern',
  discard: 'Den gespeicherten Wert zurückholen',
};

/** The German texts of this folder, by part. */
export const german = { app: APP_DE, keys: KEYS_DE };
