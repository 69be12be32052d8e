import type { Translation } from '../../translation.ts';

/** See `RECORD`. */
export const RECORD_DE: Translation['explain/record'] = {
  label: 'Prüfung eines Protokolls',
  title: (file: string) => `Protokoll ‚${file}‘`,
  running: 'Das Protokoll wird nachgerechnet',
  holds: (nats: string, scores: string) =>
    `Das Protokoll stimmt: Hier nachgerechnet weichen ${scores} Werte um höchstens ${nats} Nats ab.`,
  differs: (nats: string, scores: string) =>
    `Das Protokoll stimmt nicht: Hier nachgerechnet weichen ${scores} Werte um bis zu ${nats} Nats ab.`,
  otherDevice: 'So ein kleiner Unterschied kann von einer anderen Art Gerät kommen, die Zahlen anders rundet.',
  otherSections: 'Das Protokoll stimmt nicht: Hier nachgerechnet hat der Prompt andere Abschnitte.',
  otherModel: (recorded: string, recomputed: string) =>
    `Aufgezeichnet mit ${recorded}, nachgerechnet mit ${recomputed}.`,
  sameFiles: 'Die Dateien des Modells sind die aufgezeichneten.',
  otherFiles: 'Die Dateien des Modells sind nicht die aufgezeichneten.',
  unknownFiles: 'Ob die Dateien des Modells dieselben sind, ist nicht bekannt.',
  unreadable: (reason: string) => `Dieses Protokoll ist nicht lesbar: ${reason}.`,
  close: 'Schließen',
};
