import type { exportWords, figuresWords, resultWords } from './words.en.ts';
import { countText, listText } from '../words/language.ts';

const EXPORT_DE: ReturnType<typeof exportWords> = {
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
        'Prompt, Einstellungen, Werte, Modelldateien und Engine, damit andere die Werte nachrechnen können: auf dieser Seite abgelegt oder mit „lightwell verify“.',
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
    pdf: 'Für Veröffentlichungen. Öffnet den Druckdialog des Browsers: Dort „Als PDF speichern“ wählen.',
    html: 'Kein Skript, kein Netz.',
    tex: 'Farbige Kästen; das Dokument braucht das Paket xcolor.',
    csv: 'Für Tabellenprogramme und Skripte.',
    json: 'Anfrage und Antwort, wie die API sie hat.',
  },
  save: (format) => `${format} speichern`,
  print: 'Drucken',
  copy: (format) => `${format} kopieren`,
  drawing: 'Wird gezeichnet …',
  saved: (name) => `${name} ist gespeichert`,
  failed: (why) => `Der Browser konnte diese Datei nicht zeichnen: ${why}`,
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

const FIGURES_DE: ReturnType<typeof figuresWords> = {
  partial: 'Teilergebnis: Nicht alle Abschnitte wurden erklärt.',
  facts: {
    prompt: 'Prompt',
    target: 'Ziel',
    view: 'Einfluss auf',
    model: 'Modell',
    settings: 'Einstellungen',
    scores: 'Werte',
    estimates: 'Schätzungen',
    sink: 'Attention Sink',
    sent: 'Gesendet an',
  },
  sink: (section, nats) => `${section} (${nats} Nats), grau; Farben und Balken sind ohne ihn skaliert`,
  estimates: (estimated, all) =>
    `${estimated} von ${all} Werten, erkennbar an ≈ und einer gepunkteten Linie; neun von zehn liegen innerhalb ihrer Spanne, die in der CSV-Datei steht.`,
  picture: (name) => `das Bild ${name}`,
  pictureAndText: (picture, text) => `${picture}, dann ${text}`,
  cut: (shown, all) => `Die ${shown} stärksten von ${all} Abschnitten; die CSV-Datei enthält alle.`,
  version: (model, version) => `${model}, Version ${version}`,
  drawnWith: (model, program) => `${model}; gezeichnet mit ${program}`,
  scores: (change, factor, least) =>
    `Nats: wie stark die Kreuzentropie des Ziels ${change === 'rises' ? 'steigt' : 'fällt'}, wenn die Aufmerksamkeit für einen Abschnitt ${factor} genommen wird. Positiv spricht für das Ziel, negativ dagegen; unter ${least} gibt es keine Farbe.`,
  scoresDeleted: (least) =>
    `Nats: wie stark die Kreuzentropie des Ziels steigt, wenn ein Abschnitt gelöscht wird. Positiv spricht für das Ziel, negativ dagegen; unter ${least} gibt es keine Farbe.`,
  titles: {
    heat: (target, lead) => `Heatmap des Einflusses auf ${target}. ${lead}`,
    bars: (target, lead) => `Balken des Einflusses auf ${target}. ${lead}`,
    matrix: (target, lead) => `Matrix des Einflusses auf ${target}. ${lead}`,
  },
  strongest: 'Stärkste Abschnitte, in Nats',
  opposesArrow: '← dagegen',
  supportsArrow: 'dafür →',
  legend: (least) => `dafür (Nats; unter ${least} keine Farbe)`,
  scales: (picture, text) => `Volle Farbe: ${picture} im Bild, ${text} im Text`,
  target: (target) => `Ziel ${target}`,
  alt: 'Das Bild des Prompts',
  settings: {
    split: {
      auto: 'automatisch geteilt',
      token: 'nach Token geteilt',
      word: 'nach Wörtern geteilt',
      sentence: 'nach Sätzen geteilt',
      paragraph: 'nach Absätzen geteilt',
    },
    splitAt: (delimiter) => `geteilt bei „${delimiter}“`,
    add: (strength, state) => `Aufmerksamkeit ${strength} (${state}), log-additiv`,
    multiply: (strength, state) => `Aufmerksamkeit ${strength} (${state}), multiplikativ`,
    deleted: 'jeder Abschnitt einzeln gelöscht',
    partial: 'teilweise erfasste Token anteilig',
    complete: 'teilweise erfasste Token ganz',
    notSimilar: 'ähnliche Token nicht gedämpft',
    similar: (cosine) => `ähnliche Token ebenfalls gedämpft, ab einem Kosinus von ${cosine}`,
  },
  latexKey: (full, least) =>
    `Gelb spricht dafür, Blau dagegen; volle Farbe bei ${full} Nats, unter ${least} Nats keine.`,
  report: {
    picture: 'Bild',
    pictureFirst: (name) => `${name}; es steht vor dem Text.`,
    said: 'Was das Modell selbst sagt',
    tokens: ['Token des Ziels', 'Wahrscheinlichkeit', 'Wahrscheinlichste Token hier'],
    scores: 'Alle Werte, in Nats, stärkste zuerst',
    columns: ['Abschnitt', 'Stelle', 'Ganzes Ziel'],
    facts: ['Was', 'Wert'],
    request: 'Die Anfrage, wie die API sie hat',
    fields: ['Feld', 'Wert'],
    made: (program) => `Mit ${program} im Browser gezeichnet.`,
  },
};

const CAUSES = { deleted: 'Löscht', none: 'Ignoriert', less: 'Dämpft', same: 'Belässt', more: 'Verstärkt' };
const DONE = { deleted: 'löscht', none: 'ignoriert', less: 'dämpft', same: 'belässt', more: 'verstärkt' };

const RESULT_DE: ReturnType<typeof resultWords> = {
  soFar: 'Bisher:',
  again: 'Neu erklären',
  sent: (place, isHere) =>
    `Das hat ${isHere ? 'die Seite' : 'Ihr Gerät'} verlassen: Der Prompt wurde ganz und mit gelöschten Abschnitten an ${place} gesendet, mit dem Ziel.`,
  estimates: {
    some: (estimated, all) =>
      `${estimated} von ${all} Werten sind Schätzungen, erkennbar an einer gepunkteten Linie. Neun von zehn liegen innerhalb ihrer Spanne (±).`,
    makeExact: 'Alle Werte genau berechnen',
    none: 'Alle Werte sind genau: Bei diesem Prompt und Modell würden Schätzungen keine Arbeit sparen.',
  },
  stopped: 'Abgebrochen.',
  stale: {
    names: { prompt: 'der Prompt', target: 'das Ziel', settings: 'die Einstellungen', model: 'das Modell' },
    changed: (names, isOne: boolean) =>
      `Dieses Ergebnis ist nicht mehr aktuell: ${listText(names)} ${isOne ? 'hat' : 'haben'} sich geändert.`,
    stopped: 'Abgebrochen, bevor alle Abschnitte erklärt waren.',
  },
  export: {
    button: 'Speichern oder teilen',
    failed: 'Das Speichern konnte nicht geladen werden. Laden Sie die Seite neu.',
    picture: 'Bild kopieren',
    drawing: 'Wird gezeichnet …',
    pictureCopied: 'Das Bild mit Überschrift und Heatmap ist kopiert.',
    pictureSaved: (name) => `Der Browser hat das Bild nicht kopiert; stattdessen ist ${name} gespeichert.`,
    link: 'Link kopieren',
    linkCopied: (hasTarget, withoutPicture) =>
      `Der Link ist kopiert. Er enthält hinter # Ihren Prompt${hasTarget ? ', Ihr Ziel' : ''} und die Einstellungen${withoutPicture ? ', nicht das Bild' : ''}: Wer den Link hat, kann sie lesen. Browser senden diesen Teil nicht an den Server.`,
    linkRefused: 'Der Browser hat den Link nicht kopiert. „Speichern oder teilen“ zeigt ihn.',
  },
  opening: {
    attention: (section, strength) => `Aufmerksamkeit auf ${section} ${strength}`,
    probability: (target, share) => `Wahrscheinlichkeit von ${target}: ${share}`,
  },
  caption: {
    unchanged: {
      lead: 'Ein Faktor von 1 ändert nichts.',
      detail: 'Alle Werte sind null. Wählen Sie einen kleineren Faktor.',
    },
    empty: { lead: 'Noch gibt es nichts zu erklären.', detail: 'Der Prompt hat keine Abschnitte dieser Art.' },
    unexpected: (goal) => `Das Modell erwartet ${goal} nicht.`,
    rated: (share) => `Die Wahrscheinlichkeit dafür liegt bei ${share}.`,
    ratedPiece: (piece, share) => `Die Wahrscheinlichkeit für ${piece} liegt bei ${share}.`,
    insteadBroken: 'Stattdessen schreibt es Bytes, die keinen lesbaren Text ergeben.',
    insteadEnds: 'Stattdessen beendet es den Text.',
    insteadSays: (text) => `Stattdessen sagt es ${text}.`,
    nothing: (goal) => `Kein einzelner Teil des Prompts ist wichtig für ${goal}.`,
    bothSupport: (a, b, goal) => `${a} und ${b} sprechen etwa gleich stark für ${goal}.`,
    bothOppose: (a, b, goal) => `${a} und ${b} sprechen etwa gleich stark gegen ${goal}.`,
    towardsAndAway: (top, other, goal) => `${top} spricht für ${goal}, ${other} dagegen.`,
    awayAndTowards: (top, other, goal) => `${top} spricht gegen ${goal}, ${other} dafür.`,
    reason: (top, goal) => `${top} ist der Hauptgrund für ${goal}.`,
    comesFrom: (goal, source, line) =>
      line === null ? `${goal} stammt aus ${source}.` : `${goal} stammt aus Zeile ${line}: ${source}.`,
    against: (top, goal) => `${top} spricht am stärksten gegen ${goal}; kein Teil des Prompts spricht deutlich dafür.`,
    effect: ({ section, change, goal, times, isLess, nats }) =>
      times === null
        ? `${CAUSES[change]} man ${section}, bleibt ${goal} fast gleich wahrscheinlich (${nats} Nats).`
        : `${CAUSES[change]} man ${section}, wird ${goal} ${times} ${isLess ? 'unwahrscheinlicher' : 'wahrscheinlicher'} (${nats} Nats).`,
  },
  sink: {
    name: 'Attention Sink',
    holds: ({ section, change, nats }) =>
      `${section} ist ein Attention Sink: Wenn man den Abschnitt ${DONE[change]}, verliert jedes spätere Token des Prompts im Mittel ${nats} Nats, gleich welches.`,
    notNamed: ({ section, goal }) =>
      `${section} wird nicht als Grund genannt: Löscht man den Abschnitt, ändert sich ${goal} weit weniger, als sein Wert sagt.`,
    lesson: 'Was ist ein Attention Sink?',
  },
  deletion: {
    checking: 'Die stärksten Abschnitte werden durch Löschen geprüft',
    splitByWord: 'Nach Wörtern teilen',
    dimInstead: 'Abschnitte stattdessen dämpfen',
    agreesOne: 'Löscht man den stärksten Abschnitt, widerspricht das seinem Vorzeichen nicht.',
    agrees: (count) =>
      `Löscht man die ${count} stärksten Abschnitte einzeln, widerspricht das keinem ihrer Vorzeichen.`,
    contradicts: ({ section, isSupport, change, nats, times, isLess }) =>
      `${section} spricht ${isSupport ? 'für' : 'gegen'} das Ziel, wenn man den Abschnitt ${DONE[change]} (${nats} Nats); löscht man ihn, wird das Ziel aber ${times} ${isLess ? 'unwahrscheinlicher' : 'wahrscheinlicher'}.`,
  },
  own: {
    says: (words, share) => `Das Modell selbst sagt ${words} (${share}).`,
    writesBytes: (share) => `Das Modell selbst schreibt Bytes, die keinen lesbaren Text ergeben (${share}).`,
    ends: (share) => `Das Modell selbst beendet den Text hier (${share}).`,
    bytes: 'Bytes, die keinen lesbaren Text ergeben',
    isTarget: (share) => `Das Ziel ist seine eigene Wahl (${share}).`,
    ratesTarget: (share) => `Dem Ziel gibt es eine Wahrscheinlichkeit von ${share}.`,
    stepByStep:
      'Es nimmt bei jedem Schritt das wahrscheinlichste Token; was es sagt, kann daher insgesamt unwahrscheinlicher sein als das Ziel.',
    explainInstead: 'Stattdessen erklären, was es sagt',
    alternatives: 'Wahrscheinlichste Token an jeder Stelle',
    position: '{token} {share}; am wahrscheinlichsten: {others}',
    part: '(Teil eines Zeichens)',
    partOf: (whole) => `Teil von ${whole}`,
  },
  heat: {
    prompt: 'Prompt nach Einfluss',
    picture: 'Bild nach Einfluss',
    table: 'Heatmap als Tabelle',
    sectionKeys: (name) => `${name}. Die Pfeiltasten führen von Abschnitt zu Abschnitt.`,
    tileKeys: (name) => `${name}. Die Pfeiltasten führen von Kachel zu Kachel.`,
    readout: 'Wählen Sie ein Wort, um seinen Wert zu sehen.',
    target: 'Einfluss auf',
    whole: 'Ganzes Ziel',
    opposes: 'dagegen',
    supports: 'dafür',
    unit: (least) => `Nats; unter ${least} keine Farbe`,
    share: (least) => `Anteil am größten Wert; unter ${least} keine Farbe`,
    unitTurned: (least) => `Nats; unter ${least} keine Farbe; Vorzeichen umgekehrt, weil der Faktor über 1 liegt`,
  },
  targets: {
    answer: 'Das Modell antwortet',
    target: 'Ziel',
    label: 'Wörter des erklärten Textes',
    choose: 'Drücken Sie Wörter, um zu sehen, was zu ihnen allein führt.',
    whole: 'Den ganzen Text zeigen',
  },
  reading: {
    withSpace: (target) => `${target} wird mit einem Leerzeichen davor gelesen, wie das Modell es erwartet.`,
    withoutSpace: (target) => `${target} wird ohne das Leerzeichen davor gelesen, wie das Modell es erwartet.`,
    exact: 'Das Ziel wird genau so gelesen, wie es geschrieben ist.',
    asTyped: 'Wie geschrieben lesen',
    asExpected: 'Lesen, wie das Modell es erwartet',
  },
  bars: {
    title: 'Stärkste Abschnitte{unit}',
    unit: ', in Nats',
    label: 'Stärkste Abschnitte als Balken',
    table: 'Balken als Tabelle',
    more: (count, most) => `${count} weitere bis ${most}`,
  },
  matrix: {
    title: 'Nach Zielwort{unit}',
    unit: (full) => `, in Nats; volle Farbe bei ±${full}`,
    caption: 'Wert jedes Abschnitts für jedes Zielwort, in Nats',
    shares: 'Wert jedes Abschnitts für jedes Zielwort, als Anteil am größten',
    section: 'Abschnitt',
    previous: 'Vorherige Token des Ziels',
    order: 'Reihenfolge der Zeilen',
    orders: { strength: 'Stärkste zuerst', text: 'Wie im Prompt' },
    strongest: 'Nur die stärksten zeigen',
    all: (count) => `Alle ${countText(count, { one: 'Zeile', other: 'Zeilen' })} zeigen`,
  },
  table: {
    section: 'Abschnitt',
    place: 'Stelle',
    scores: { none: 'Wert, Nats', absolute: 'Größe des Werts, Nats', square: 'Quadrat des Werts, Nats²' },
    shares: {
      none: 'Wert, Anteil am größten',
      absolute: 'Größe des Werts, Anteil am größten',
      square: 'Quadrat des Anteils am größten Wert',
    },
    scaled: { none: 'Wert, 0 bis 1', absolute: 'Größe des Werts, 0 bis 1', square: 'Quadrat des Werts, 0 bis 1' },
  },
  variations: {
    whatIf: 'Was wäre, wenn …',
    whatIfSection: (section) => `Was wäre, wenn sich die Aufmerksamkeit für ${section} ändert?`,
    faithfulness: 'Diese Erklärung prüfen',
    compare: 'Vergleichen mit …',
    failed: 'Dieser Teil konnte nicht geladen werden. Laden Sie die Seite neu, um es noch einmal zu versuchen.',
    loading: 'Wird geladen',
  },
};

/** The German texts of this folder, by part. */
export const german = {
  'explain/export': EXPORT_DE,
  'explain/figures': FIGURES_DE,
  'explain/result': RESULT_DE,
};
