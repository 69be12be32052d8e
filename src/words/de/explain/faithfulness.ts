import type { Translation } from '../../translation.ts';

/** See `FAITHFULNESS`. */
export const FAITHFULNESS_DE: Translation['explain/faithfulness'] = {
  label: 'Prüfung dieser Erklärung',
  title: 'Stimmt diese Erklärung mit dem Modell überein?',
  about:
    'Die Abschnitte mit den höchsten Bewertungen werden weggenommen, und das Modell wird wieder gefragt: Stimmt die Erklärung, wird das Ziel viel unwahrscheinlicher. Andere Reihenfolgen derselben Abschnitte stehen daneben.',
  cost: (sections: string) => `Braucht Hunderte kurzer Aufrufe für ${sections} Abschnitte. Alles andere geht vor.`,
  run: 'Prüfung starten',
  running: 'Wird geprüft',
  cancel: 'Abbrechen',
  few: 'Der Prompt braucht mindestens vier Abschnitte und einen anderen Faktor als 1.',
  otherModel: 'Jetzt antwortet ein anderes Modell als das dieses Ergebnisses. Erklären Sie neu, um es zu prüfen.',
  better: (own: string, other: string) =>
    `Ohne seine stärksten Abschnitte verliert das Ziel ${own} Nats, ohne zufällige ${other}. Die Erklärung findet, worauf es ankommt.`,
  worse: (own: string, other: string) =>
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
  },
  interval: (value: string, low: string, high: string) => `${value} (${low} bis ${high})`,
  none: '–',
  foot: (sections: string, calls: string) =>
    `Verluste sind Mittel über 5, 10, 20, 35 und 50 % von ${sections} Abschnitten, aus ${calls} Aufrufen. In Klammern: 95-%-Intervalle.`,
};
