import type { Translation } from '../../translation.ts';

/** See `EXPORT`. */
export const EXPORT_DE: Translation['explain/export'] = {
  title: 'Speichern oder teilen',
  close: 'Schließen',
  what: 'Was gespeichert wird',
  format: 'Format',
  cannotDraw: 'Der Browser konnte dieses Ergebnis nicht zeichnen.',
  things: {
    heat: {
      label: 'Heatmap',
      about: 'Der Prompt in den Farben seines Einflusses, mit Überschrift, Ziel, Modell und Einstellungen.',
    },
    bars: {
      label: 'Balken',
      about: 'Die stärksten Abschnitte als Balken, mit Überschrift, Prompt, Ziel, Modell und Einstellungen.',
    },
    matrix: {
      label: 'Nach Zielwort',
      about: 'Die stärksten Abschnitte nach Zielwort, mit Überschrift, Prompt, Ziel, Modell und Einstellungen.',
    },
    numbers: {
      label: 'Zahlen',
      about:
        'Alle Werte mit den Einstellungen. JSON enthält auch den Prompt und kann wieder an die API gesendet werden.',
    },
    record: {
      label: 'Protokoll',
      about:
        'Prompt, Einstellungen, Werte, Modelldateien und Rechenwerk, damit andere die Werte nachrechnen können: auf dieser Seite abgelegt oder mit „lightwell verify“.',
    },
    report: {
      label: 'Bericht',
      about: 'Eine Seite mit allen Abbildungen, Tabellen und Einstellungen. Jeder Browser öffnet sie, auch ohne Netz.',
    },
    share: {
      label: 'Bild zum Teilen',
      about: 'Überschrift und Heatmap auf 1200 × 630 Pixeln, für einen Beitrag oder eine Folie.',
    },
  },
  formats: {
    svg: 'Scharf in jeder Größe; für Webseiten und Folien.',
    png: 'Ein Bild, das sich überall öffnen lässt.',
    pdf: 'Für Veröffentlichungen. Text kann gesucht und kopiert werden.',
    html: 'Kein Skript, kein Netz.',
    tex: 'Farbige Kästen; das Dokument braucht das Paket xcolor.',
    csv: 'Für Tabellenprogramme und Skripte.',
    json: 'Anfrage und Antwort, wie die API sie hat.',
  },
  save: (format: string) => `${format} speichern`,
  copy: (format: string) => `${format} kopieren`,
  drawing: 'Wird gezeichnet …',
  saved: (name: string) => `${name} ist gespeichert`,
  failed: (why: string) => `Der Browser konnte diese Datei nicht zeichnen: ${why}`,
  preview: 'Vorschau',
  link: {
    label: 'Link',
    about:
      'Ein Link, der Lightwell mit diesen Einstellungen öffnet. Prompt und Ziel enthält er nur, wenn Sie sie hinzufügen: Wer den Link bekommt, und jedes Programm auf seinem Weg, kann lesen, was darin steht.',
    text: 'Prompt und Ziel aufnehmen',
    picture: 'Das Bild aufnehmen',
    pictureTooLarge: 'Das Bild aufnehmen (zu groß für einen Link)',
    copy: 'Link kopieren',
  },
};
