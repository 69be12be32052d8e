import type { Contradicted, Effect } from '../../en/explain/result.ts';
import { countText, listText } from '../../numbers.ts';
import type { Translation } from '../../translation.ts';

const CAUSES = { none: 'Ignoriert', less: 'Dämpft', same: 'Belässt', more: 'Verstärkt' };
const DONE = { none: 'ignoriert', less: 'dämpft', same: 'belässt', more: 'verstärkt' };

/** See `RESULT`. */
export const RESULT_DE: Translation['explain/result'] = {
  soFar: 'Bisher:',
  again: 'Neu erklären',
  estimates: {
    some: (estimated: string, all: string) =>
      `${estimated} von ${all} Werten sind Schätzungen, erkennbar an einer gepunkteten Linie. Neun von zehn liegen innerhalb ihrer Spanne (±).`,
    makeExact: 'Alle Werte genau berechnen',
    none: 'Alle Werte sind genau: Bei diesem Prompt und Modell würden Schätzungen keine Arbeit sparen.',
  },
  stopped: 'Abgebrochen.',
  stale: {
    names: { prompt: 'der Prompt', target: 'das Ziel', settings: 'die Einstellungen', model: 'das Modell' },
    changed: (names: readonly string[], isOne: boolean) =>
      `Dieses Ergebnis ist nicht mehr aktuell: ${listText(names)} ${isOne ? 'hat' : 'haben'} sich geändert.`,
    stopped: 'Abgebrochen, bevor alle Abschnitte erklärt waren.',
  },
  export: {
    button: 'Speichern oder teilen',
    failed: 'Das Speichern konnte nicht geladen werden. Laden Sie die Seite neu.',
  },
  caption: {
    unchanged: {
      lead: 'Ein Faktor von 1 ändert nichts.',
      detail: 'Alle Werte sind null. Wählen Sie einen kleineren Faktor.',
    },
    empty: { lead: 'Noch gibt es nichts zu erklären.', detail: 'Der Prompt hat keine Abschnitte dieser Art.' },
    unexpected: (goal: string) => `Das Modell erwartet ${goal} nicht.`,
    rated: (share: string) => `Die Wahrscheinlichkeit dafür liegt bei ${share}.`,
    ratedPiece: (piece: string, share: string) => `Die Wahrscheinlichkeit für ${piece} liegt bei ${share}.`,
    insteadBroken: 'Stattdessen schreibt es Bytes, die keinen lesbaren Text ergeben.',
    insteadEnds: 'Stattdessen beendet es den Text.',
    insteadSays: (text: string) => `Stattdessen sagt es ${text}.`,
    nothing: (goal: string) => `Kein einzelner Teil des Prompts ist wichtig für ${goal}.`,
    bothSupport: (a: string, b: string, goal: string) => `${a} und ${b} sprechen etwa gleich stark für ${goal}.`,
    bothOppose: (a: string, b: string, goal: string) => `${a} und ${b} sprechen etwa gleich stark gegen ${goal}.`,
    towardsAndAway: (top: string, other: string, goal: string) => `${top} spricht für ${goal}, ${other} dagegen.`,
    awayAndTowards: (top: string, other: string, goal: string) => `${top} spricht gegen ${goal}, ${other} dafür.`,
    reason: (top: string, goal: string) => `${top} ist der Hauptgrund für ${goal}.`,
    against: (top: string, goal: string) =>
      `${top} spricht am stärksten gegen ${goal}; kein Teil des Prompts spricht deutlich dafür.`,
    effect: ({ section, change, goal, times, isLess, nats }: Effect) =>
      times === null
        ? `${CAUSES[change]} man ${section}, bleibt ${goal} fast gleich wahrscheinlich (${nats} Nats).`
        : `${CAUSES[change]} man ${section}, wird ${goal} ${times} ${isLess ? 'unwahrscheinlicher' : 'wahrscheinlicher'} (${nats} Nats).`,
  },
  deletion: {
    checking: 'Die stärksten Abschnitte werden durch Löschen geprüft',
    splitByWord: 'Nach Wörtern teilen',
    dimInstead: 'Abschnitte stattdessen dämpfen',
    agreesOne: 'Löscht man den stärksten Abschnitt, widerspricht das seinem Vorzeichen nicht.',
    agrees: (count: string) =>
      `Löscht man die ${count} stärksten Abschnitte einzeln, widerspricht das keinem ihrer Vorzeichen.`,
    contradicts: ({ section, isSupport, change, nats, times, isLess }: Contradicted) =>
      `${section} spricht ${isSupport ? 'für' : 'gegen'} das Ziel, wenn man den Abschnitt ${DONE[change]} (${nats} Nats); löscht man ihn, wird das Ziel aber ${times} ${isLess ? 'unwahrscheinlicher' : 'wahrscheinlicher'}.`,
  },
  own: {
    says: (words: string, share: string) => `Das Modell selbst sagt ${words} (${share}).`,
    writesBytes: (share: string) => `Das Modell selbst schreibt Bytes, die keinen lesbaren Text ergeben (${share}).`,
    ends: (share: string) => `Das Modell selbst beendet den Text hier (${share}).`,
    bytes: 'Bytes, die keinen lesbaren Text ergeben',
    isTarget: (share: string) => `Das Ziel ist seine eigene Wahl (${share}).`,
    ratesTarget: (share: string) => `Dem Ziel gibt es eine Wahrscheinlichkeit von ${share}.`,
    stepByStep:
      'Es nimmt bei jedem Schritt das wahrscheinlichste Token; was es sagt, kann daher insgesamt unwahrscheinlicher sein als das Ziel.',
    explainInstead: 'Stattdessen erklären, was es sagt',
    alternatives: 'Wahrscheinlichste Token an jeder Stelle',
    position: '{token} {share}; am wahrscheinlichsten: {others}',
    part: '(Teil eines Zeichens)',
    partOf: (whole: string) => `Teil von ${whole}`,
  },
  heat: {
    prompt: 'Prompt nach Einfluss',
    picture: 'Bild nach Einfluss',
    table: 'Heatmap als Tabelle',
    sectionKeys: (name: string) => `${name}. Die Pfeiltasten führen von Abschnitt zu Abschnitt.`,
    tileKeys: (name: string) => `${name}. Die Pfeiltasten führen von Kachel zu Kachel.`,
    readout: 'Zeigen Sie auf ein Wort, oder benutzen Sie die Pfeiltasten.',
    opposes: 'dagegen',
    supports: 'dafür',
    unit: (least: string) => `Nats; unter ${least} keine Farbe`,
    unitTurned: (least: string) =>
      `Nats; unter ${least} keine Farbe; Vorzeichen umgekehrt, weil der Faktor über 1 liegt`,
  },
  targets: { lead: 'Einfluss auf', label: 'Zielwort', whole: 'Ganzes Ziel' },
  bars: {
    title: 'Stärkste Abschnitte{unit}',
    unit: ', in Nats',
    label: 'Stärkste Abschnitte als Balken',
    table: 'Balken als Tabelle',
    failed: 'Das Diagramm konnte nicht geladen werden. Die Tabelle enthält die Zahlen.',
    more: (count: string, most: string) => `${count} weitere bis ${most}`,
  },
  matrix: {
    title: 'Nach Zielwort{unit}',
    unit: (full: string) => `, in Nats; volle Farbe bei ±${full}`,
    caption: 'Wert jedes Abschnitts für jedes Zielwort, in Nats',
    section: 'Abschnitt',
    previous: 'Vorherige Token des Ziels',
    order: 'Reihenfolge der Zeilen',
    orders: { strength: 'Stärkste zuerst', text: 'Wie im Prompt' },
    strongest: 'Nur die stärksten zeigen',
    all: (count: number) => `Alle ${countText(count, { one: 'Zeile', other: 'Zeilen' })} zeigen`,
  },
  table: {
    section: 'Abschnitt',
    place: 'Stelle',
    scores: { none: 'Wert, Nats', absolute: 'Größe des Werts, Nats', square: 'Quadrat des Werts, Nats²' },
    scaled: { none: 'Wert, 0 bis 1', absolute: 'Größe des Werts, 0 bis 1', square: 'Quadrat des Werts, 0 bis 1' },
  },
  variations: {
    whatIf: 'Was wäre, wenn …',
    whatIfSection: (section: string) => `Was wäre, wenn sich die Aufmerksamkeit für ${section} ändert?`,
    contrast: 'Mit anderem Ziel vergleichen',
    faithfulness: 'Diese Erklärung prüfen',
    compare: 'Vergleichen mit …',
    failed: 'Dieser Teil konnte nicht geladen werden. Laden Sie die Seite neu, um es noch einmal zu versuchen.',
    loading: 'Wird geladen',
  },
};
