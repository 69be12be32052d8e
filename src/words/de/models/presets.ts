import type { Translation } from '../../translation.ts';

/** See `PRESETS`. */
export const PRESETS_DE: Translation['models/presets'] = {
  summary: 'Modelle für den Anfang',
  about:
    'Modelle des Hubs, nach dem, was sie tun. „Sollte laufen“ ist von einem Netz derselben Familie mit zufälligen Gewichten abgeleitet. Schlagen Sie eines nach, um zu erfahren, was es heute ist.',
  tasks: {
    write: 'Schreiben und Erklärungen',
    embed: 'Embeddings',
    read: 'Antworten aus einem Text',
    see: 'Bilder',
  },
  name: 'Modell',
  licence: 'Lizenz',
  size: 'Größe nach Gewichtstyp',
  memory: 'Speicher',
  use: 'Sollte laufen',
  untried: 'Von diesem Projekt nie geöffnet',
  asked: 'wird beim Hub erfragt',
  ask: (name: string) => `${name} nachschlagen`,
  aboutSize: (size: string) => `etwa ${size}`,
};
