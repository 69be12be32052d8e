import type { TargetChange } from '../../en/explain/what-if.ts';
import type { Translation } from '../../translation.ts';

/** See `WHAT_IF`. */
export const WHAT_IF_DE: Translation['explain/what-if'] = {
  label: 'Was wäre, wenn',
  title: 'Was wäre, wenn das Modell Teilen des Prompts mehr oder weniger Aufmerksamkeit schenkte?',
  chooseWords:
    'Wählen Sie Wörter, und bewegen Sie dann ihre Regler: 0 ignoriert einen Teil, 1 lässt ihn, wie er ist, 4 verstärkt ihn am meisten.',
  chooseTiles:
    'Wählen Sie Kacheln oder Wörter, und bewegen Sie dann ihre Regler: 0 ignoriert einen Teil, 1 lässt ihn, wie er ist, 4 verstärkt ihn am meisten.',
  prompt:
    'Prompt. Die Pfeiltasten führen von Abschnitt zu Abschnitt, die Eingabetaste ändert die Aufmerksamkeit für einen.',
  slider: (section: string) => `Aufmerksamkeit für ${section}`,
  reset: 'Zurücksetzen',
  resetOne: (section: string) => `${section} zurücksetzen`,
  resetAll: (count: string) => `Alle ${count} zurücksetzen`,
  none: 'Noch ist nichts geändert.',
  computing: 'Wird berechnet …',
  unchanged: 'Unverändert',
  withChanges: 'Mit Ihren Änderungen',
  says: 'Das Modell selbst sagt',
  probability: (target: string) => `Wahrscheinlichkeit für ${target}`,
  nextTokens: 'Wahrscheinlichste nächste Token',
  nothing: 'nichts: Es beendet den Text',
  otherModel: (version: string) =>
    `Jetzt antwortet ${version} und nicht das Modell dieses Ergebnisses. Erklären Sie neu, um beide zu vergleichen.`,
  tryAgain: 'Noch einmal versuchen',
  target: ({ name, times, isLess, from, to, nats }: TargetChange) => {
    const probability = from === null ? `weiterhin ${to}` : `${to} statt ${from}`;
    return times === null
      ? `Mit Ihren Änderungen bleibt ${name} fast gleich wahrscheinlich: ${probability} (${nats} Nats).`
      : `Mit Ihren Änderungen wird ${name} ${times} ${isLess ? 'unwahrscheinlicher' : 'wahrscheinlicher'}: ${probability} (${nats} Nats).`;
  },
  stillSays: (words: string) => `Das Modell sagt weiterhin ${words}.`,
  stillEnds: 'Das Modell beendet weiterhin den Text.',
  nowEnds: (before: string) => `Das Modell beendet jetzt den Text, statt ${before} zu sagen.`,
  nowSays: (words: string, before: string) => `Das Modell sagt jetzt ${words} statt ${before}.`,
  saysNow: (words: string) => `Das Modell sagt jetzt ${words}, statt den Text zu beenden.`,
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
