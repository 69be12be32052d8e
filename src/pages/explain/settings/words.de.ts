import type { moreSettingsWords } from './words.en.ts';

const MORE_SETTINGS_DE: ReturnType<typeof moreSettingsWords> = {
  addModel: 'Ein größeres Modell hinzufügen …',
  enterNumber: (example) => `Geben Sie eine Zahl ein, zum Beispiel ${example}.`,
  factor: {
    label: 'Stärke der Aufmerksamkeit, als Zahl',
    help: (most) => `Dieselbe wie am Regler oben, hier bis ${most}.`,
  },
  accuracy: {
    label: 'Genauigkeit',
    help: 'Schnell berechnet die größten Werte genau und schätzt die übrigen: bei einem langen Prompt etwa ein Viertel der Arbeit.',
    exact: 'Genau',
    quick: 'Schnell',
  },
  scaling: {
    help: 'Log-additiv addiert den Logarithmus der Stärke zu den Attention-Werten; multiplikativ multipliziert sie. Auto addiert bei 0 und über 1 und multipliziert dazwischen.',
    auto: 'Auto',
    add: 'Log-additiv',
    multiply: 'Multiplikativ',
  },
  overlap: {
    help: 'Ein Token, das zur Hälfte zu einem Teil gehört, wird zur Hälfte gedämpft oder ganz.',
    partial: 'Anteilig',
    complete: 'Ganz',
  },
  similarity: {
    help: (usual) =>
      `So ähnliche Token werden zusammen mit einem Teil gedämpft: 1 ist dasselbe Token, ${usual} ist üblich bei Bildern. Leer: aus.`,
    off: 'aus',
  },
  target: {
    help: 'Wort für Wort zeigt auch, welcher Teil des Prompts zu welchem Wort des Ziels führt.',
    token: 'Wort für Wort',
    complete: 'Als Ganzes',
  },
  numbers: {
    label: 'Werte in Tabellen',
    help: 'Die Tabellen unter Heatmap und Balken. Farben und Worte behalten das Vorzeichen.',
    none: 'Mit Vorzeichen',
    absolute: 'Nur die Größe',
    square: 'Quadriert',
  },
  scale: {
    label: 'Skala dieser Werte',
    help: 'Von 0 bis 1: Der kleinste Wert wird 0, der größte 1.',
    nats: 'Unverändert',
    unit: 'Von 0 bis 1',
  },
};

/** The German texts of this folder, by part. */
export const german = { 'explain/more-settings': MORE_SETTINGS_DE };
