import type { sectionsWords } from './words.en.ts';

/** See `sectionsWords`. A phrase is the same as subject and as object, so that each sentence can take it: `das 2. „in“`. */
const SECTIONS_DE: ReturnType<typeof sectionsWords> = {
  pictureAlt: (name) => `Im Prompt: ${name}`,
  nats: (score) => `${score} Nats`,
  estimate: (score, margin) => `etwa ${score} ± ${margin}`,
  noScore: 'kein Wert',
  weak: (count, limit) => `${count} weitere innerhalb von ±${limit}`,
  times: { about: (times) => `etwa ${times}-mal`, many: 'mehr als eine Million Mal' },
  percent: {
    share: (share) => `${share} %`,
    least: (share) => `weniger als ${share} %`,
    most: (share) => `über ${share} %`,
  },
  target: 'das Ziel',
  picture: 'das Bild',
  tile: (row, column) => `Zeile ${row}, Spalte ${column}`,
  name: {
    nth: (name, nth) => `${name} (${nth}.)`,
    piece: (name, piece) => `${name}, Teil ${piece}`,
  },
  phrase: {
    text: (name) => `„${name}“`,
    nth: (name, nth) => `das ${nth}. „${name}“`,
    piece: (phrase, piece) => `${phrase} (Teil ${piece})`,
    tile: (row, column) => `die Kachel in Zeile ${row}, Spalte ${column}`,
  },
  place: {
    tile: (width, height, left, top) =>
      `${width} × ${height} des Bildes, ${left} vom linken Rand, ${top} vom oberen Rand`,
    one: (at) => `Zeichen ${at}`,
    many: (first, last) => `Zeichen ${first} bis ${last}`,
    oneOfTarget: (at) => `im Ziel, Zeichen ${at}`,
    manyOfTarget: (first, last) => `im Ziel, Zeichen ${first} bis ${last}`,
  },
  factors: { deleted: 'gelöscht', none: 'ignoriert', less: 'gedämpft', same: 'unverändert', more: 'verstärkt' },
};

/** The German texts of this folder, by part. */
export const german = { 'explain/sections': SECTIONS_DE };
