import type { SECTIONS } from './words.en.ts';

/** See `SECTIONS`. A phrase is the same as subject and as object, so that each sentence can take it: `das 2. „in“`. */
const SECTIONS_DE: typeof SECTIONS = {
  pictureAlt: (name: string) => `Im Prompt: ${name}`,
  nats: (score: string) => `${score} Nats`,
  estimate: (score: string, margin: string) => `etwa ${score} ± ${margin}`,
  noScore: 'kein Wert',
  weak: (count: string, limit: string) => `${count} weitere innerhalb von ±${limit}`,
  times: { about: (times: string) => `etwa ${times}-mal`, many: 'mehr als eine Million Mal' },
  percent: {
    share: (share: string) => `${share} %`,
    least: (share: string) => `weniger als ${share} %`,
    most: (share: string) => `über ${share} %`,
  },
  target: 'das Ziel',
  picture: 'das Bild',
  tile: (row: number, column: number) => `Zeile ${row}, Spalte ${column}`,
  name: {
    nth: (name: string, nth: number) => `${name} (${nth}.)`,
    piece: (name: string, piece: number) => `${name}, Teil ${piece}`,
  },
  phrase: {
    text: (name: string) => `„${name}“`,
    nth: (name: string, nth: number) => `das ${nth}. „${name}“`,
    piece: (phrase: string, piece: number) => `${phrase} (Teil ${piece})`,
    tile: (row: number, column: number) => `die Kachel in Zeile ${row}, Spalte ${column}`,
  },
  place: {
    tile: (width: string, height: string, left: string, top: string) =>
      `${width} × ${height} des Bildes, ${left} vom linken Rand, ${top} vom oberen Rand`,
    one: (at: number) => `Zeichen ${at}`,
    many: (first: number, last: number) => `Zeichen ${first} bis ${last}`,
    oneOfTarget: (at: number) => `im Ziel, Zeichen ${at}`,
    manyOfTarget: (first: number, last: number) => `im Ziel, Zeichen ${first} bis ${last}`,
  },
  factors: { none: 'ignoriert', less: 'gedämpft', same: 'unverändert', more: 'verstärkt' },
};

/** The German texts of this folder, by part. */
export const german = { 'explain/sections': SECTIONS_DE };
