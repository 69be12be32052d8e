import type { Translation } from '../../translation.ts';

/** See `CONTRAST`. */
export const CONTRAST_DE: Translation['explain/contrast'] = {
  label: 'Ein anderes Ziel',
  title: 'Warum dieses Ziel und nicht ein anderes?',
  about:
    'Die Farben zeigen, welche Teile des Prompts eher für das Ziel sprechen als für den anderen Text: die Bewertung des Ziels minus die des anderen.',
  foil: 'Anderes Ziel',
  placeholder: 'Etwa eine andere Antwort',
  run: 'Vergleichen',
  running: 'Wird verglichen',
  missing: 'Geben Sie ein anderes Ziel ein.',
  otherModel: (version: string) =>
    `Jetzt antwortet ${version} und nicht das Modell dieses Ergebnisses. Erklären Sie neu, um beide zu vergleichen.`,
  forTarget: (section: string, target: string, foil: string, nats: string) =>
    `${section} spricht am meisten für ${target} statt ${foil} (${nats} Nats).`,
  forFoil: (section: string, target: string, foil: string, nats: string) =>
    `${section} spricht am meisten für ${foil} statt ${target} (${nats} Nats).`,
  alike: (target: string, foil: string) => `Kein Teil des Prompts spricht deutlich mehr für ${target} als für ${foil}.`,
  prompt: 'Prompt danach, was für das Ziel statt für das andere spricht',
  picture: 'Bild danach, was für das Ziel statt für das andere spricht',
  ends: (target: string, foil: string) => `Positiv: für ${target}. Negativ: für ${foil}.`,
  table: 'Stärkste Unterschiede, Nats',
  section: 'Abschnitt',
  difference: 'Unterschied',
};
