import type { Translation } from '../../translation.ts';

/** See `ENGINE`. */
export const ENGINE_DE: Translation['models/engine'] = {
  title: 'Entfernte Engine',
  about: 'Große Modelle auf einem Inferenzserver. Aus, bis Sie sie einschalten.',
  none: 'Starten Sie den lokalen Server mit --engine und --engine-models, um eine zu nennen.',
  address: 'Adresse der Engine',
  addressHint: 'Muss die sein, mit der der lokale Server gestartet wurde.',
  addressOffered: (address) => `Der lokale Server wurde mit ${address} gestartet.`,
  addressWrong: 'Geben Sie eine Adresse wie https://engine.example ein.',
  take: (address) => `${address} verwenden`,
  model: (name) => `${name} steht für`,
  onlyHere: 'Kein Modell: läuft hier',
  use: 'Anfragen, die andere Rechner erlauben (hosting ist null)',
  uses: { off: 'Laufen hier', on: 'Dürfen auf der Engine laufen' },
  useHint:
    'Was Sie für diese Modelle eingeben, verlässt dann dieses Gerät. Eine Anfrage, die den Betreiber nennt, läuft immer hier.',
  away: 'Wenn die Engine nicht antwortet',
  awayChoices: { fail: '503 antworten', here: 'Hier rechnen' },
  connect: 'Verbinden und prüfen',
  checking: 'Wird geprüft …',
  verified: (model, reason) => `${model} ist geprüft: ${reason}`,
  refused: (model, reason) => `${model} ist abgelehnt: ${reason}`,
  noModels: 'Wählen Sie zuerst ein Modell der Engine.',
  inUse: {
    short: (host) => `Nutzt auch ${host}`,
    long: (models, address) =>
      `${models}: gerechnet auf ${address}. Was Sie für diese Modelle eingeben, verlässt dieses Gerät. Andere Modelle laufen in dieser Seite. Öffnen Sie, um es zu prüfen.`,
    privacy: (models, address) =>
      `Modelle laufen auf Ihrem Gerät, außer ${models}: Was Sie für diese eingeben, wird an ${address} gesendet.`,
    documents: (host) =>
      `Dateien werden auf Ihrem Gerät gelesen und nicht gespeichert: Sie sind fort, wenn Sie diesen Tab schließen. Modelle auf ${host} erhalten, woraus sie antworten.`,
    meaning: (host) =>
      `Kommentare, Notizen, Antworten, Titel: bis zu 20.000 davon. Modelle auf ${host} erhalten die Texte.`,
    learn: (host) => `Modelle auf ${host} erhalten die Fragen, die sie erklären.`,
    requests: (host) =>
      `Browser nennen Adressen und Größen, nicht, was gesendet wurde. Diese Seite sendet Anfragen nur an diese Adresse; der lokale Server gibt die unter api/engine/ an ${host} weiter.`,
    badge: (place) => `Gerechnet auf ${place}`,
  },
};
