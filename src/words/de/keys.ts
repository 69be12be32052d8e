import type { Translation } from '../translation.ts';

/** See `KEYS`. */
export const KEYS_DE: Translation['keys'] = {
  title: 'Tastatur',
  close: 'Schließen',
  everywhere: 'Auf jeder Seite',
  onPage: (page: string) => `Auf dieser Seite: ${page}`,
  or: 'oder',
  names: {
    mod: 'Strg',
    enter: 'Eingabe',
    escape: 'Esc',
    arrows: 'Pfeiltasten',
    tab: 'Tab',
    home: 'Pos 1',
    end: 'Ende',
    question: '?',
  },
  map: 'Diese Übersicht öffnen oder schließen',
  next: 'Nächstes Element; mit der Umschalttaste das vorige',
  choose: 'Das Element mit dem Fokus benutzen',
  leave: 'Schließen, was offen ist',
  run: 'Erklären',
  walk: 'Durch die Wörter eines Ergebnisses oder die Zeilen einer Tabelle gehen',
  ends: 'Erstes und letztes Wort, erste und letzte Zeile',
  pick: 'Ein Wort auf der ganzen Seite hervorheben',
  release: 'Es wieder loslassen',
  send: 'Die Anfrage senden',
  save: 'Das Feld speichern',
  discard: 'Den gespeicherten Wert zurückholen',
};
