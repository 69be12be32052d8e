import { countText, type Plural } from '../../../words/language.ts';
import type { compareWords, contrastWords, faithfulnessWords, recordWords, whatIfWords } from './words.en.ts';

const SECTIONS: Plural = { one: 'Abschnitt', other: 'Abschnitte' };

const COMPARE_DE: ReturnType<typeof compareWords> = {
  label: 'Vergleich',
  title: 'Zwei Fragen vergleichen',
  close: 'Vergleich schließen',
  about: 'A ist das Ergebnis oben und bleibt, wie es ist. Ändern Sie Prompt, Ziel oder Aufmerksamkeit von B.',
  question: {
    a: 'Frage A',
    b: 'Frage B',
    target: 'Ziel',
    strength: 'Stärke der Aufmerksamkeit',
    model: 'Modell',
    textOfB: { prompt: 'Prompt von B', target: 'Ziel von B' },
    strengthOfB: 'Stärke der Aufmerksamkeit von B',
    strengthIs: (strength) => `Stärke der Aufmerksamkeit von B: ${strength}`,
    modelOfB: 'Modell von B',
    onlyModel: (model) => `Modell: ${model}, das einzige hier, das erklärt.`,
    pictureStays: 'Das Bild von A bleibt.',
    done: 'B ist erklärt.',
    changed: 'B hat sich seit seinem Ergebnis geändert.',
    explain: 'B erklären',
    cancel: 'Abbrechen',
    share: 'Erklärung von B',
  },
  side: {
    result: (name) => `Ergebnis ${name}`,
    picture: (name) => `Bild von ${name} nach Einfluss`,
    prompt: (name) => `Prompt von ${name} nach Einfluss`,
  },
  reasons: {
    partial: 'B ist noch nicht fertig.',
    unchanged: 'Bei einer Stärke der Aufmerksamkeit von 1 sind alle Werte null.',
  },
  incomparable: (reasons) => `A und B haben keine Differenz. ${reasons.join(' ')}`,
  difference: {
    label: 'Differenz',
    title: 'Differenz, A − B',
    noMatch: 'Kein Abschnitt von A hat dieselben Wörter wie einer von B; es gibt also keine Differenz zu zeigen.',
    small: (nats) => `Einander entsprechende Abschnitte weichen um weniger als ${nats} Nats voneinander ab.`,
    largest: (section, a, b, difference) =>
      `Die größte Differenz hat ${section}: ${a} in A, ${b} in B (${difference}).`,
    unmatched: (a, b) => `Ohne Entsprechung: ${countText(a, SECTIONS)} von A, ${countText(b, SECTIONS)} von B.`,
    about: 'Abschnitte entsprechen einander, wenn sie dieselben Wörter in derselben Reihenfolge haben.',
    pictureScale: 'Nats, Bilder von A und B',
    promptScale: 'Nats, Prompts von A und B',
    low: 'spricht in A weniger dafür',
    high: 'spricht in A mehr dafür',
    picture: 'Differenz auf dem Bild von A',
    prompt: 'Differenz auf dem Prompt von A',
    readout: 'Zeigen Sie auf ein Wort in A oder B, um seine Entsprechung zu sehen.',
    none: 'keine Entsprechung',
    unit: (difference) => `A − B ${difference} Nats`,
    table: 'Vergleich als Tabelle',
    section: 'Abschnitt',
    a: 'A, Nats',
    b: 'B, Nats',
  },
  unlike: {
    target: (a, b) => `Die Werte von A gelten für ${a}, die von B für ${b}.`,
    factor: (a, b) => `Die Stärke der Aufmerksamkeit ist verschieden: ${a} in A, ${b} in B.`,
    scaling: 'Die Aufmerksamkeit wird auf verschiedene Weise geändert.',
    model: (a, b) => `Die Modelle sind verschieden: ${a} und ${b}.`,
  },
};

const CONTRAST_DE: ReturnType<typeof contrastWords> = {
  label: 'Eine andere Antwort',
  foil: 'Warum nicht',
  placeholder: 'eine andere Antwort?',
  suggested: 'Auch wahrscheinlich:',
  asksFor: (label) =>
    `${label} fragt nach einer Antwort dieser Art. Vergleichen Sie mit einer anderen Antwort, um zu sehen, was zwischen beiden entscheidet.`,
  run: 'Vergleichen',
  running: 'Wird verglichen',
  otherModel: (version) =>
    `Jetzt antwortet ${version} und nicht das Modell dieses Ergebnisses. Erklären Sie neu, um beide zu vergleichen.`,
  forTarget: (section, target, foil, nats) =>
    `${section} spricht am meisten für ${target} statt ${foil} (${nats} Nats).`,
  forFoil: (section, target, foil, nats) => `${section} spricht am meisten für ${foil} statt ${target} (${nats} Nats).`,
  alike: (target, foil) => `Kein Teil des Prompts spricht deutlich mehr für ${target} als für ${foil}.`,
  same: (target) => `${target} ist das, was das Modell sagt.`,
  alone: (foil) => `Nur ${foil} erklären`,
  prompt: 'Prompt danach, was für das Ziel statt für den anderen Text spricht',
  picture: 'Bild danach, was für das Ziel statt für den anderen Text spricht',
  ends: (target, foil) => `Positiv: für ${target}. Negativ: für ${foil}.`,
  table: 'Stärkste Unterschiede, Nats',
  section: 'Abschnitt',
  difference: 'Unterschied',
};

const FAITHFULNESS_DE: ReturnType<typeof faithfulnessWords> = {
  label: 'Prüfung dieser Erklärung',
  title: 'Stimmt diese Erklärung mit dem Modell überein?',
  about:
    'Die Abschnitte mit den höchsten Bewertungen werden weggenommen, und das Modell wird wieder gefragt: Stimmt die Erklärung, wird das Ziel viel unwahrscheinlicher. Andere Reihenfolgen derselben Abschnitte stehen daneben.',
  cost: (sections) => `Braucht Hunderte kurzer Aufrufe für ${sections} Abschnitte. Alles andere geht vor.`,
  requests: (requests, host, tokens, cost) =>
    `Sendet bis zu ${requests} Anfragen mit ${tokens} Token an ${host}${cost === null ? '' : `, die bis zu ${cost} kosten`}.`,
  run: 'Prüfung starten',
  running: 'Wird geprüft',
  cancel: 'Abbrechen',
  few: 'Der Prompt braucht mindestens vier Abschnitte und einen anderen Faktor als 1.',
  otherModel: 'Jetzt antwortet ein anderes Modell als das dieses Ergebnisses. Erklären Sie neu, um es zu prüfen.',
  better: (own, other) =>
    `Ohne seine stärksten Abschnitte verliert das Ziel ${own} Nats, ohne zufällige ${other}. Die Erklärung findet, worauf es ankommt.`,
  worse: (own, other) =>
    `Ohne seine stärksten Abschnitte verliert das Ziel ${own} Nats, ohne zufällige ${other}. Die Erklärung ist nicht besser als der Zufall.`,
  figure: 'Maß',
  orders: {
    explanation: 'Erklärung',
    deletion: 'Löschen',
    random: 'Zufall',
    'last first': 'Letzte zuerst',
    'longest first': 'Längste zuerst',
  },
  rows: {
    comprehensivenessByControls: 'Verlust ohne die ersten Abschnitte, unterdrückt (Nats, hoch ist gut)',
    sufficiencyByControls: 'Verlust mit nur den ersten Abschnitten, andere unterdrückt (Nats, niedrig ist gut)',
    comprehensivenessByDeletion: 'Verlust ohne die ersten Abschnitte, gelöscht (Nats, hoch ist gut)',
    sufficiencyByDeletion: 'Verlust mit nur den ersten Abschnitten, andere gelöscht (Nats, niedrig ist gut)',
    kendall: 'Übereinstimmung mit dem Löschen jedes Abschnitts (Kendall τ)',
    spearman: 'Übereinstimmung mit dem Löschen jedes Abschnitts (Spearman ρ)',
    datamodelling: 'Übereinstimmung der Summen mit dem Unterdrücken zufälliger Mengen (Spearman ρ)',
    datamodellingByDeletion: 'Übereinstimmung der Summen mit dem Löschen zufälliger Mengen (Spearman ρ)',
  },
  interval: (value, low, high) => `${value} (${low} bis ${high})`,
  none: '–',
  foot: (sections, calls) =>
    `Verluste sind Mittel über 5, 10, 20, 35 und 50 % von ${sections} Abschnitten, aus ${calls} Aufrufen. In Klammern: 95-%-Intervalle.`,
};

const RECORD_DE: ReturnType<typeof recordWords> = {
  label: 'Prüfung eines Protokolls',
  title: (file) => `Protokoll „${file}“`,
  running: 'Das Protokoll wird nachgerechnet',
  holds: (nats, scores) =>
    `Das Protokoll stimmt: Hier nachgerechnet weichen ${scores} Werte um höchstens ${nats} Nats ab.`,
  differs: (nats, scores) =>
    `Das Protokoll stimmt nicht: Hier nachgerechnet weichen ${scores} Werte um bis zu ${nats} Nats ab.`,
  otherDevice: 'So ein kleiner Unterschied kann von einer anderen Art Gerät kommen, die Zahlen anders rundet.',
  otherSections: 'Das Protokoll stimmt nicht: Hier nachgerechnet hat der Prompt andere Abschnitte.',
  otherModel: (recorded, recomputed) => `Aufgezeichnet mit ${recorded}, nachgerechnet mit ${recomputed}.`,
  sameFiles: 'Die Dateien des Modells sind die aufgezeichneten.',
  otherFiles: 'Die Dateien des Modells sind nicht die aufgezeichneten.',
  unknownFiles: 'Ob die Dateien des Modells dieselben sind, ist nicht bekannt.',
  unreadable: (reason) => `Dieses Protokoll ist nicht lesbar: ${reason}.`,
  close: 'Schließen',
};

const WHAT_IF_DE: ReturnType<typeof whatIfWords> = {
  label: 'Was wäre, wenn',
  title: 'Was wäre, wenn das Modell Teilen des Prompts mehr oder weniger Aufmerksamkeit schenkte?',
  chooseWords:
    'Wählen Sie Wörter, und bewegen Sie dann ihre Regler: 0 ignoriert einen Teil, 1 lässt ihn, wie er ist, 4 verstärkt ihn am meisten.',
  chooseTiles:
    'Wählen Sie Kacheln oder Wörter, und bewegen Sie dann ihre Regler: 0 ignoriert einen Teil, 1 lässt ihn, wie er ist, 4 verstärkt ihn am meisten.',
  prompt:
    'Prompt. Die Pfeiltasten führen von Abschnitt zu Abschnitt, die Eingabetaste ändert die Aufmerksamkeit für einen.',
  slider: (section) => `Aufmerksamkeit für ${section}`,
  reset: 'Zurücksetzen',
  resetOne: (section) => `${section} zurücksetzen`,
  resetAll: (count) => `Alle ${count} zurücksetzen`,
  none: 'Noch ist nichts geändert.',
  computing: 'Wird berechnet …',
  unchanged: 'Unverändert',
  withChanges: 'Mit Ihren Änderungen',
  says: 'Das Modell selbst sagt',
  probability: (target) => `Wahrscheinlichkeit für ${target}`,
  nextTokens: 'Wahrscheinlichste nächste Token',
  nothing: 'nichts: Es beendet den Text',
  target: ({ name, times, isLess, from, to, nats }) => {
    const probability = from === null ? `weiterhin ${to}` : `${to} statt ${from}`;
    return times === null
      ? `Mit Ihren Änderungen bleibt ${name} fast gleich wahrscheinlich: ${probability} (${nats} Nats).`
      : `Mit Ihren Änderungen wird ${name} ${times} ${isLess ? 'unwahrscheinlicher' : 'wahrscheinlicher'}: ${probability} (${nats} Nats).`;
  },
  stillSays: (words) => `Das Modell sagt weiterhin ${words}.`,
  stillEnds: 'Das Modell beendet weiterhin den Text.',
  nowEnds: (before) => `Das Modell beendet jetzt den Text, statt ${before} zu sagen.`,
  nowSays: (words, before) => `Das Modell sagt jetzt ${words} statt ${before}.`,
  saysNow: (words) => `Das Modell sagt jetzt ${words}, statt den Text zu beenden.`,
  request: {
    title: 'Die Änderungen als Anfrage',
    about:
      'Jede Änderung ist ein Control des Prompts: ein Faktor auf die Aufmerksamkeit für eine Spanne von Codepunkten oder für ein Rechteck des Bildes. Die Aufmerksamkeit wird wie im Ergebnis geändert.',
    controls: 'Controls',
    copyControls: 'Controls kopieren',
    copyRequest: 'Anfrage kopieren',
    open: 'Als Anfrage auf der API-Seite öffnen',
  },
};

/** The German texts of this folder, by part. */
export const german = {
  'explain/compare': COMPARE_DE,
  'explain/contrast': CONTRAST_DE,
  'explain/faithfulness': FAITHFULNESS_DE,
  'explain/record': RECORD_DE,
  'explain/what-if': WHAT_IF_DE,
};
