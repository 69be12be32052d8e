import { countText, type Plural } from '../../numbers.ts';
import type { Translation } from '../../translation.ts';

const SECTIONS: Plural = { one: 'Abschnitt', other: 'Abschnitte' };

/** See `COMPARE`. */
export const COMPARE_DE: Translation['explain/compare'] = {
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
    promptOfB: 'Prompt von B',
    targetOfB: 'Ziel von B',
    strengthOfB: 'Stärke der Aufmerksamkeit von B',
    strengthIs: (strength: string) => `Stärke der Aufmerksamkeit von B: ${strength}`,
    modelOfB: 'Modell von B',
    onlyModel: (model: string) => `Modell: ${model}, das einzige hier, das erklärt.`,
    pictureStays: 'Das Bild von A bleibt.',
    missing: {
      prompt: 'Geben Sie einen Prompt ein.',
      target: 'Geben Sie ein Ziel ein.',
      delimiter: 'Geben Sie ein Trennzeichen ein.',
    },
    done: 'B ist erklärt.',
    changed: 'B hat sich seit seinem Ergebnis geändert.',
    explain: 'B erklären',
    cancel: 'Abbrechen',
    share: 'Erklärung von B',
  },
  side: {
    result: (name: string) => `Ergebnis ${name}`,
    picture: (name: string) => `Bild von ${name} nach Einfluss`,
    prompt: (name: string) => `Prompt von ${name} nach Einfluss`,
  },
  reasons: {
    partial: 'B ist noch nicht fertig.',
    unchanged: 'Bei einer Stärke der Aufmerksamkeit von 1 sind alle Werte null.',
    normalized: 'Normierte Werte liegen in jedem Ergebnis zwischen 0 und 1 und haben keine gemeinsame Einheit.',
    postprocessing: 'Beträge und Quadrate sagen nicht, ob ein Abschnitt für oder gegen das Ziel spricht.',
  },
  incomparable: (reasons: readonly string[]) => `A und B haben keine Differenz. ${reasons.join(' ')}`,
  difference: {
    label: 'Differenz',
    title: 'Differenz, A − B',
    noMatch: 'Kein Abschnitt von A hat dieselben Wörter wie einer von B; es gibt also keine Differenz zu zeigen.',
    small: (nats: string) => `Einander entsprechende Abschnitte weichen um weniger als ${nats} Nats voneinander ab.`,
    largest: (section: string, a: string, b: string, difference: string) =>
      `Die größte Differenz hat ${section}: ${a} in A, ${b} in B (${difference}).`,
    unmatched: (a: number, b: number) =>
      `Ohne Entsprechung: ${countText(a, SECTIONS)} von A, ${countText(b, SECTIONS)} von B.`,
    about: 'Abschnitte entsprechen einander, wenn sie dieselben Wörter in derselben Reihenfolge haben.',
    pictureScale: 'Nats, Bilder von A und B',
    promptScale: 'Nats, Prompts von A und B',
    low: 'spricht in A weniger dafür',
    high: 'spricht in A mehr dafür',
    picture: 'Differenz auf dem Bild von A',
    prompt: 'Differenz auf dem Prompt von A',
    readout: 'Zeigen Sie auf ein Wort in A oder B, um seine Entsprechung zu sehen.',
    none: 'keine Entsprechung',
    unit: (difference: string) => `A − B ${difference} Nats`,
    table: 'Vergleich als Tabelle',
    section: 'Abschnitt',
    a: 'A, Nats',
    b: 'B, Nats',
  },
  unlike: {
    picture: 'Die Bilder sind verschieden: Ihre Kacheln haben keine Entsprechung.',
    target: (a: string, b: string) => `Die Werte von A gelten für ${a}, die von B für ${b}.`,
    factor: (a: string, b: string) => `Die Stärke der Aufmerksamkeit ist verschieden: ${a} in A, ${b} in B.`,
    scaling: 'Die Aufmerksamkeit wird auf verschiedene Weise geändert.',
    granularity: 'Die Prompts sind verschieden geteilt.',
    similarity: 'Ähnliche Token werden auf verschiedene Weise gedämpft.',
    model: (a: string, b: string) => `Die Modelle sind verschieden: ${a} und ${b}.`,
    unknownModel: 'unbekannt',
  },
};
