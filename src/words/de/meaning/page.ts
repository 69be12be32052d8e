import { countText, numberText } from '../../numbers.ts';
import type { Translation } from '../../translation.ts';

const TEXTS = { one: 'Text', other: 'Texte' };
const texts = (count: number) => countText(count, TEXTS);
/** Behind "von": the noun in the dative. */
const ofTexts = (count: number) => countText(count, { one: 'Text', other: 'Texten' });

/** See `MEANING`. */
export const MEANING_DE: Translation['meaning/page'] = {
  title: 'Bedeutung',
  claim: 'Viele kurze Texte nach ihrer Bedeutung durchsuchen, als Karte sehen und sortieren.',
  texts: {
    title: 'Texte',
    try: 'Beispiel:',
    example: '60 Kundenkommentare (englisch)',
    undo: 'Rückgängig',
    paste: 'Ihre Texte',
    placeholder: 'Fügen Sie hier Texte ein, einen pro Zeile.',
    split: 'Ein Text ist',
    splits: { line: 'eine Zeile', paragraph: 'ein Absatz' },
    open: 'Dateien öffnen …',
    formats: 'CSV, Text, Word, Markdown oder PDF. Oder legen Sie sie irgendwo auf dieser Seite ab.',
    column: 'Spalte mit den Texten',
    pasted: 'Eingefügter Text',
    files: (count) => countText(count, { one: 'Datei', other: 'Dateien' }),
    holds: (name, count) => `${name}: ${texts(count)}`,
    close: 'Entfernen',
  },
  reading: {
    start: (count) => `${texts(count)} lesen`,
    none: 'Texte lesen',
    stop: 'Anhalten',
    goOn: 'Weiterlesen',
    progress: (done, total) => `${numberText(done)} von ${ofTexts(total)} gelesen`,
    estimate: (count, time) => `${texts(count)}: etwa ${time} auf diesem Gerät.`,
    rule: (thousand, many) =>
      `Dieses Gerät liest 1.000 kurze Texte in etwa ${thousand}, 20.000 in etwa ${many}. Sie können währenddessen schon suchen.`,
    measuring: 'Misst, wie schnell dieses Gerät liest …',
    left: (time) => `noch etwa ${time}`,
    done: (count) => `${texts(count)} gelesen.`,
    stopped: (done, total) =>
      `Angehalten: ${numberText(done)} von ${ofTexts(total)} sind gelesen. Suche, Karte und Listen enthalten diese.`,
    cut: (count) =>
      `${texts(count)} ${count === 1 ? 'ist' : 'sind'} länger, als das Modell liest; nur der Anfang zählt.`,
    leftOut: (count) => `${texts(count)} ${count === 1 ? 'wurde' : 'wurden'} weggelassen: Diese Seite nimmt 20.000.`,
    failed: 'Die Texte konnten nicht gelesen werden',
    tryAgain: 'Noch einmal versuchen',
    bar: 'Gelesene Texte',
    seconds: (count) => countText(count, { one: 'Sekunde', other: 'Sekunden' }),
    minutes: (count) => countText(count, { one: 'Minute', other: 'Minuten' }),
  },
  empty: {
    title: 'Bringen Sie Ihre Texte zusammen',
    lead: 'Kommentare, Notizen, Antworten, Titel: bis zu 20.000. Sie bleiben auf diesem Gerät.',
    steps: [
      'Fügen Sie links Ihre Texte ein, öffnen Sie Dateien oder nehmen Sie das Beispiel.',
      'Durchsuchen Sie sie, sehen Sie sie als Karte, finden Sie Doppelte oder sortieren Sie sie nach wenigen Beispielen.',
    ],
    example: 'Beispiel zeigen',
  },
  vectors: {
    title: 'Vektoren speichern',
    about: (width) => `Die Texte mit je ${width} Zahlen, für Ihre eigenen Werkzeuge.`,
    format: 'Format',
    formats: { csv: 'CSV', json: 'JSON', npy: 'NumPy', parquet: 'Parquet' },
    descriptions: {
      csv: 'Eine Zeile für jeden Text, eine Spalte für jede Zahl. Öffnet sich in Tabellenprogrammen.',
      json: 'Jeder Text mit seinem Vektor, und das Modell.',
      npy: 'Nur die Vektoren, float32, in der Reihenfolge der Texte.',
      parquet: 'Texte und Vektoren in einer kompakten Tabelle, für pandas, DuckDB oder Arrow.',
    },
    save: (format) => `${format} speichern`,
    saving: 'Wird geschrieben …',
    saved: (name) => `${name} gespeichert`,
  },
  views: {
    label: 'Ansicht',
    search: 'Suche',
    map: 'Karte',
    matrix: 'Ähnlichkeit',
    sort: 'Sortieren',
    duplicates: 'Doppelte',
  },
  viewFailed: 'Diese Ansicht konnte nicht geladen werden. Laden Sie die Seite neu.',
  failed: (why) => `Die Berechnung ist fehlgeschlagen: ${why}`,
  search: {
    label: 'Suchen nach',
    placeholder: 'zum Beispiel: money back',
    none: 'Nichts passt. Versuchen Sie andere Wörter.',
    hint: 'Findet Texte, die mit anderen Wörtern dasselbe sagen, und Texte mit gleichen Wörtern.',
    found: (count, searched) =>
      count < searched
        ? `Die besten ${numberText(count)} von ${ofTexts(searched)}`
        : `${texts(searched)}, die besten zuerst`,
    soFar: (searched, total) => `Bisher ${numberText(searched)} von ${ofTexts(total)} durchsucht`,
    share: 'Wörter oder Bedeutung',
    shareText: (percent) => `${percent} % Bedeutung`,
    wordsOnly: 'nur Wörter',
    meaningOnly: 'nur Bedeutung',
    words: 'Wörter',
    meaning: 'Bedeutung',
    score: (score, meaning, words) => `Wert ${score}: Bedeutung ${meaning} + Wörter ${words}`,
    shared: (list) => `Gemeinsame Wörter: ${list}`,
    more: (count) => `${numberText(count)} weitere zeigen`,
    save: 'Ergebnisse speichern (CSV)',
    columns: {
      rank: 'Rang',
      text: 'Text',
      score: 'Wert',
      meaning: 'Bedeutung',
      words: 'Wörter',
      cosine: 'Kosinus',
      terms: 'gemeinsame Wörter',
    },
  },
};
