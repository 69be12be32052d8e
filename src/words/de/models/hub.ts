import type { Translation } from '../../translation.ts';

/** See `HUB`. */
export const HUB_DE: Translation['models/hub'] = {
  title: 'Vom Hugging Face Hub',
  about: (hub: string) =>
    `Fragt ${hub} nach dem Modell, das Sie nennen. Der Hub erfährt Ihre Netzadresse und die Namen der Dateien, sonst nichts, was Sie eingeben. In den Einstellungen lässt sich ein Spiegel nennen.`,
  id: 'Modell',
  example: 'owner/name',
  revision: 'Revision',
  subfolder: 'Ordner im Repository',
  dtype: 'Gewichte',
  automatic: 'Automatisch, nach Größe',
  token: 'Zugriffstoken',
  tokenHint: 'Für geschützte Modelle. Es wird an den Hub gesendet und ist weg, sobald diese Seite geschlossen wird.',
  more: 'Revision, Ordner, Zugriffstoken',
  ask: 'Nachsehen',
  asking: (id: string) => `${id} wird angefragt`,
  found: {
    size: 'Größe',
    dtype: 'Gewichte',
    memory: 'Speicher',
    aboutMemory: (size: string) => `etwa ${size}, solange es benutzt wird`,
    licence: 'Lizenz',
    noLicence: 'keine angegeben',
    commit: 'Commit',
    use: 'Nutzung hier',
    why: (reason: string) => `Grund: ${reason}`,
    free: (free: string) => `${free} sind für diese Seite frei.`,
    agree: (size: string, licence: string) => `${size} unter ${licence} laden`,
    agreeWithout: (size: string) => `${size} laden`,
  },
  fetches: {
    label: (name: string) => `${name} wird geladen`,
    running: (done: string, total: string) => `${done} von ${total}`,
    speed: (size: string) => `${size} pro Sekunde`,
    left: (time: string) => `noch ${time}`,
    checking: 'Die Dateien werden mit den Prüfsummen des Hubs verglichen',
    comesWhole: 'Dieser Host sendet keine Teile von Dateien: Eine abgebrochene Datei beginnt von vorn.',
    waiting: 'Das Netz oder der Hub antwortet nicht; es wird noch einmal versucht',
    paused: (done: string, total: string) => `Angehalten bei ${done} von ${total}`,
    elsewhere: 'Ein anderer Tab lädt dieses Modell.',
    files: 'Dateien',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    cancel: 'Abbrechen',
    ofOne: (action: string, name: string) => `${action}: ${name}`,
  },
  problems: {
    address: 'Das ist kein Name eines Modells. Schreiben Sie owner/name.',
    unreachable:
      'Der Hub war nicht zu erreichen. Prüfen Sie die Verbindung oder die Adresse des Hubs in den Einstellungen.',
    token:
      'Der Hub verlangt ein Zugriffstoken, oder es gibt dieses Modell nicht. Legen Sie auf der Seite des Hubs ein Token an und tragen Sie es hier ein.',
    terms:
      'Der Hub gibt Ihnen dieses Modell nicht. Nehmen Sie auf der Seite des Hubs seine Bedingungen an und verwenden Sie ein Token desselben Kontos.',
    absent: 'Der Hub hat kein solches Modell, keine solche Revision oder Datei.',
    busy: 'Der Hub ist überlastet. Versuchen Sie es später noch einmal.',
    wrong: 'Was kam, ist nicht die Datei des Modells; es wurde nicht gespeichert.',
    space: 'Der Platz reicht nicht. Löschen Sie Modelle oder machen Sie auf dem Gerät Platz.',
    other: 'Das ging nicht.',
  },
};
