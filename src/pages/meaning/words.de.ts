import { countText, numberText } from '../../words/language.ts';
import type { meaningListsWords, meaningMapWords, meaningWords } from './words.en.ts';

const texts = (count: number) => countText(count, { one: 'Text', other: 'Texte' });
const ofTexts = (count: number) => countText(count, { one: 'Text', other: 'Texten' });
const more = (count: number) => `${countText(count, { one: 'weiteren Text', other: 'weitere Texte' })} zeigen`;
const examples = (count: number) => countText(count, { one: 'Beispiel', other: 'Beispiele' });

const MEANING_LISTS_DE: ReturnType<typeof meaningListsWords> = {
  matrix: {
    about:
      'Kosinus-Ähnlichkeit von je zwei Texten: nahe 1, wenn sie fast dasselbe sagen, nahe 0, wenn sie nichts gemeinsam haben.',
    from: {
      chosen: (count) => `${texts(count)}, auf der Karte ausgewählt`,
      found: (count) => `Die besten ${numberText(count)} Treffer`,
      first: (count) => (count === 1 ? 'Der erste Text' : `Die ersten ${texts(count)}`),
    },
    label: 'Zu vergleichende Texte',
    table: 'Ähnlichkeit von Texten',
    at: (row, column, value) => `${numberText(row)} und ${numberText(column)}: ${value}`,
    point: 'Wählen Sie eine Zelle, um ihre Texte zu sehen.',
    text: 'Text',
    save: 'Als CSV speichern',
  },
  sort: {
    about: 'Geben Sie einigen Texten eine Kategorie. Der Rest wird nach der Bedeutung dieser Beispiele sortiert.',
    column: 'Kategorien aus der Spalte übernehmen',
    noColumn: 'Spalte wählen',
    category: 'Neue Kategorie',
    categoryHint: 'zum Beispiel: Lieferung',
    add: 'Hinzufügen',
    remove: (name) => `${name} entfernen`,
    categories: 'Kategorien',
    examples,
    undo: 'Rückgängig',
    list: 'Texte',
    of: (text) => `Kategorie von: ${text}`,
    none: 'kein Beispiel',
    run: 'Alle Texte sortieren',
    running: 'Sortiert …',
    needs:
      'Zum Sortieren sind mindestens zwei Kategorien mit je einem Beispiel nötig. Ab zwei Beispielen in jeder wird die Genauigkeit gemessen.',
    measuredSingly: (percent, count) =>
      `Gemessene Genauigkeit: ${percent} %. Jedes der ${examples(count)} wurde einmal weggelassen und nach den anderen sortiert.`,
    measuredInParts: (percent, count, folds) =>
      `Gemessene Genauigkeit: ${percent} %. Die ${examples(count)} wurden in ${numberText(folds)} Teile geteilt, und jeder Teil wurde nach den anderen sortiert.`,
    frequent: (percent) => `Immer die häufigste Kategorie zu wählen, ergäbe ${percent} %.`,
    notMeasured: 'Nicht gemessen: Eine Kategorie hat nur ein Beispiel, und jede braucht zwei oder mehr.',
    stale: 'Die Beispiele haben sich seitdem geändert. Sortieren Sie noch einmal.',
    results: 'Sortierte Texte',
    show: 'Zeigen',
    all: 'alle Kategorien',
    unsure: 'die unsichersten zuerst',
    certainty: (percent) => `${percent} %`,
    given: 'Beispiel',
    differs: (given) => `von Ihnen: ${given}`,
    columns: {
      text: 'Text',
      category: 'Kategorie',
      probability: 'Wahrscheinlichkeit',
      example: 'vorgegebene Kategorie',
    },
    save: 'Als CSV speichern',
    more,
  },
  duplicates: {
    about: 'Texte, die fast gleich sind, in Gruppen.',
    least: 'Wie ähnlich Texte sein müssen',
    leastText: (value) => `Kosinus ab ${value}`,
    running: 'Alle Texte werden verglichen',
    stop: 'Anhalten',
    none: (count) => `Keine fast gleichen Texte unter ${ofTexts(count)}.`,
    found: (groups, repeated) =>
      `${countText(groups, { one: 'Gruppe', other: 'Gruppen' })}; ${texts(repeated)} ${repeated === 1 ? 'wiederholt' : 'wiederholen'} einen anderen.`,
    alike: (value) => `Kosinus ${value}`,
    stale: (count) => `Mit ${ofTexts(count)} noch einmal vergleichen`,
    save: 'Texte ohne Wiederholungen speichern (CSV)',
    text: 'Text',
    more,
    members: (count) => `und ${texts(count)} mehr`,
  },
};

const MEANING_MAP_DE: ReturnType<typeof meaningMapWords> = {
  canvas: (count) => `Karte von ${ofTexts(count)}`,
  use: 'Ein größerer Punkt steht für mehrere Texte. Ziehen verschiebt; mit dem Lasso ziehen Sie um Texte herum.',
  keys: 'Pfeiltasten gehen von Text zu Text, + und − vergrößern und verkleinern, 0 zeigt alles, Eingabe wählt einen Text, Esc hebt die Auswahl auf.',
  method: 'Art der Karte',
  methods: { umap: 'Nachbarschaften', pca: 'Hauptrichtungen' },
  about: {
    umap: 'UMAP: Was nahe beieinander liegt, ist ähnlich. Abstände zwischen fernen Gruppen und die Größe von Gruppen bedeuten wenig.',
    pca: (percent) =>
      percent === null
        ? 'Hauptkomponenten: die zwei Richtungen, in denen sich die Texte am meisten unterscheiden.'
        : `Hauptkomponenten: die zwei Richtungen, in denen sich die Texte am meisten unterscheiden. Sie erklären ${percent} % der Varianz.`,
  },
  colour: 'Farbe nach',
  byGroup: 'Gruppe',
  groupCount: 'Anzahl der Gruppen',
  automatic: 'automatisch',
  other: 'alle übrigen',
  noWords: 'keine gemeinsamen Wörter',
  noValue: 'kein Wert',
  range: (from, to) => `${from} bis unter ${to}`,
  chart: (by) => `Texte nach ${by}`,
  choose: (name) => `Alle von ${name} auswählen`,
  lasso: 'Lasso',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  all: 'Alles zeigen',
  drawing: 'Die Karte wird gezeichnet',
  stop: 'Anhalten',
  redraw: (count) => `Mit ${ofTexts(count)} neu zeichnen`,
  pointAt: 'Wählen Sie einen Punkt, um seinen Text zu lesen.',
  nearest: 'Am ähnlichsten:',
  chosen: (count) => `${texts(count)} ausgewählt`,
  list: 'Alle Texte als Liste',
  forget: 'Auswahl aufheben',
  undo: 'Rückgängig',
  compare: 'Vergleichen',
  compareFirst: (count) => `Die ersten ${numberText(count)} vergleichen`,
  saveChosen: 'Als CSV speichern',
  more,
  columns: { text: 'Text', group: 'Gruppe', x: 'x', y: 'y' },
};

const MEANING_DE: ReturnType<typeof meaningWords> = {
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
    notOpened: (names) => `Nicht geöffnet: ${names}. Öffnen Sie Tabellen und andere Dateien nacheinander.`,
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
      `Angehalten nach ${numberText(done)} von ${ofTexts(total)}. Suche, Karte und Listen benutzen das Gelesene.`,
    cut: (count) =>
      `${texts(count)} ${count === 1 ? 'ist' : 'sind'} länger, als das Modell lesen kann; nur der Anfang wird benutzt.`,
    leftOut: (count) =>
      `Diese Seite nimmt höchstens 20.000 Texte an. ${texts(count)} ${count === 1 ? 'wurde' : 'wurden'} nicht gelesen.`,
    failed: 'Die Texte konnten nicht gelesen werden',
    tryAgain: 'Noch einmal versuchen',
    bar: 'Gelesene Texte',
  },
  empty: {
    title: 'Fügen Sie Ihre Texte hinzu',
    sent: (host) =>
      `Kommentare, Notizen, Antworten, Titel: bis zu 20.000 davon. Modelle auf ${host} erhalten die Texte.`,
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
    none: 'Kein Text passt. Versuchen Sie andere Wörter.',
    hint: 'Findet Texte, die mit anderen Wörtern dasselbe sagen, und Texte mit gleichen Wörtern.',
    found: (count, searched) =>
      `${count < searched ? `${numberText(count)} von ${ofTexts(searched)}` : texts(searched)}, die besten zuerst`,
    soFar: (searched, total) => `Bisher ${numberText(searched)} von ${ofTexts(total)} durchsucht`,
    share: 'Wörter oder Bedeutung',
    shareText: (percent) => `${percent} % Bedeutung`,
    wordsOnly: 'nur Wörter',
    meaningOnly: 'nur Bedeutung',
    words: 'Wörter',
    meaning: 'Bedeutung',
    score: (score, meaning, words) => `Wert ${score}: Bedeutung ${meaning} + Wörter ${words}`,
    shared: (list) => `Gemeinsame Wörter: ${list}`,
    repeats: (count) => `noch ${texts(count)} mit denselben Wörtern`,
    weak: 'Schwacher Treffer.',
    allWeak: 'Nur schwache Treffer: Oft sind ganz andere Texte ebenso ähnlich.',
    more,
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

/** The German texts of this folder, by part. */
export const german = { 'meaning/lists': MEANING_LISTS_DE, 'meaning/map': MEANING_MAP_DE, 'meaning/page': MEANING_DE };
