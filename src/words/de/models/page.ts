import type { Translation } from '../../translation.ts';

/** See `MODELS`. */
export const MODELS_DE: Translation['models/page'] = {
  title: 'Modelle',
  claim: 'Trainingsdaten, Qualität und Grenzen jedes Modells. Die Modellkarten sind auf Englisch.',
  list: 'Modelle',
  descriptions: {
    'lightwell-base':
      'Kleines Sprachmodell, das zu Lightwell gehört. Es liest Dialoge zu einfachen Aufgaben, kurze Texte und Geschichten auf Englisch sowie Bilder einfacher Formen; gemacht für Erklärungen und Embeddings, nicht als Wissensquelle.',
    'lightwell-embed':
      'Kleines Embedding-Modell, das zu Lightwell gehört: 5120 Dimensionen, von denen die ersten 128 für sich allein genügen; zum Vergleichen von Texten (symmetrisch) und zum Finden von Dokumenten zu einer Anfrage.',
    'lightwell-reader':
      'Kleines Lesemodell, das zu Lightwell gehört. Es zeigt auf die Antwort auf eine Frage in einem Text, mit einem Wert, der sagt, wie wahrscheinlich sie dort steht.',
  },
  readsText: (tokens: string) => `liest Text, bis zu ${tokens} Token`,
  readsPictures: (tokens: string) => `liest Text und Bilder, bis zu ${tokens} Token`,
  writing: {
    title: 'Ausprobieren',
    prompt: 'Text',
    write: 'Text fortsetzen',
    ends: {
      itself: 'Hier beendet das Modell seinen Text.',
      limit: (tokens: number) =>
        `Nach ${tokens} Token angehalten. Jedes ist das wahrscheinlichste, deshalb kann sich der Text wiederholen.`,
    },
  },
  unknown: (name: string) => `Es gibt kein Modell mit dem Namen „${name}“.`,
  loading: (name: string) => `Die Karte von ${name} wird geladen`,
  failed: (why: string) => `Die Karte konnte nicht geladen werden: ${why}`,
  tryAgain: 'Noch einmal versuchen',
};
