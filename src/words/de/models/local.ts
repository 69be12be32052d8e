import type { Translation } from '../../translation.ts';

/** See `LOCAL_MODELS`. */
export const LOCAL_MODELS_DE: Translation['models/local'] = {
  tiers: {
    steered: 'Läuft mit Erklärungen und Steuerung.',
    as_exported: 'Läuft ohne Erklärungen und Steuerung.',
    refused: 'Kann nicht verwendet werden.',
  },
  why: (reason: string) => `Grund: ${reason}`,
  noCard: 'Der Ordner dieses Modells hat keine README.md.',
};
