import type { similarityWords } from './words.en.ts';

const SIMILARITY_DE: ReturnType<typeof similarityWords> = {
  title: 'Wie ähnlich sind sich Texte?',
  text: 'Nach jeder seiner {layers} hat das Modell einen {hiddenState} für jedes {token}. Durch {pooling} wird daraus eine Liste von Zahlen, und der {cosine} sagt, wie ähnlich sich zwei Listen sind.',
  label: (number) => `Text ${number}`,
  add: 'Text hinzufügen',
  remove: (number) => `Text ${number} entfernen`,
  needed: 'Geben Sie mindestens zwei Texte ein.',
  examples: 'Beispiele',
  sets: { topics: 'Zwei Themen', negation: 'Mit „not“', order: 'Wortfolge', bank: 'Zweimal „bank“' },
  pooling: 'Pooling',
  poolings: {
    mean: 'Mittel',
    weighted_mean: 'Gewichtetes Mittel',
    max: 'Maximum',
    last_token: 'Letztes Token',
    abs_max: 'Größter Betrag',
  },
  chart: 'Ähnlichkeit jedes Paars nach Schicht',
  axis: 'Schicht',
  pair: 'Paar',
  layer: (number) => `Schicht ${number}`,
  embeddings: 'Schicht 0 sind die Worteinbettungen',
  table:
    'Kosinus-Ähnlichkeit in jeder Schicht. Zeigen Sie auf eine Zeile oder springen Sie mit der Tabulatortaste hin, um ihre Linie zu sehen.',
  pairOf: (a, b) => `${a} und ${b}`,
  chartFailed: 'Das Diagramm konnte nicht geladen werden. Die Tabelle enthält die Zahlen.',
  sameBoth: (pair, from, to) =>
    `Die Texte ${pair} sind sich in Schicht 0 (${from}) und in der letzten Schicht (${to}) am ähnlichsten.`,
  other: (first, from, last, to) =>
    `In Schicht 0 sind sich die Texte ${first} am ähnlichsten (${from}), in der letzten Schicht die Texte ${last} (${to}).`,
  moved: (pair, from, to) =>
    `Am meisten bewegen sich die Texte ${pair}: von ${from.value} in Schicht ${from.layer} auf ${to.value} in Schicht ${to.layer}.`,
  spread: (low, high, lastLow, lastHigh) =>
    `Die Ähnlichkeiten liegen in Schicht 0 zwischen ${low} und ${high}, in der letzten Schicht zwischen ${lastLow} und ${lastHigh}. Vergleichen Sie sie miteinander: Eine hohe Zahl allein sagt wenig.`,
  one: (from, to) => `Die beiden Texte: ${from} in Schicht 0, ${to} in der letzten Schicht.`,
};

/** The German texts of this folder, by part. */
export const german = { similarity: SIMILARITY_DE };
