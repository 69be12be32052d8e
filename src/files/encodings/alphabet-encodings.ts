/** Russian and Bulgarian, Ukrainian, Belarusian, Serbian, Macedonian. */
const CYRILLIC = [
  'абвгдежзийклмнопрстуфхцчшщъыьэюяё',
  'абвгдежзийклмнопрстуфхцчшщьюяєіїґ',
  'абвгдежзйклмнопрстуфхцчшыьэюяёіў',
  'абвгдежзиклмнопрстуфхцчшђјљњћџ',
  'абвгдежзиклмнопрстуфхцчшѓѕјљњќџ',
];
const GREEK = 'αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώ';

/** Czech, Slovak, Polish, Hungarian, Romanian, Croatian and Slovene, German. */
const CENTRAL = ['áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'ąćęłńóśźż', 'áéíóöőúüű', 'ăâîșțşţ', 'čćđšž', 'äöüß'];

/** German, French, Spanish, Portuguese, Italian, Danish and Norwegian, Swedish and Finnish, Dutch, Icelandic, Catalan. */
const WESTERN =
  'äöüß àâæçéèêëîïôœùûüÿ áéíñóúü áâãàçéêíóôõúü àèéìîòù æøåéèêóòôü åäöéüà ëïéöüèáóíê áðéíóúýþæö çàéèíïóòúü'.split(' ');

/** Lower-case letters beyond ASCII of the languages of each encoding. */
const ALPHABETS: readonly (readonly [encoding: string, alphabets: readonly string[]])[] = [
  ['windows-1252', WESTERN],
  ['windows-1254', ['çğıöşüâîû']],
  ['windows-1257', ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž']],
  ['windows-1250', CENTRAL],
  ['iso-8859-2', CENTRAL],
  ['windows-1251', CYRILLIC],
  ['koi8-u', CYRILLIC],
  ['iso-8859-5', CYRILLIC],
  ['windows-1253', [GREEK]],
  ['iso-8859-7', [GREEK]],
  ['windows-1255', ['אבגדהוזחטיךכלםמןנסעףפץצקרשת']],
  ['windows-1256', ['ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ']],
];

/** Fewest letters that tell an encoding, and fewest that only this one explains. */
const [MIN_LETTERS, MARGIN] = [3, 3];

/** Share of letters of other languages, as in names. */
const FOREIGN = 0.02;

/** How the bytes read in one encoding. */
interface Reading {
  readonly encoding: string;
  readonly text: string;
  /** Characters beyond ASCII that belong to words of the language, and those that do not. */
  readonly good: number;
  readonly bad: number;
}

/** The encoding of a script with an alphabet that bytes are in; null if none or more than one explains them. */
export function alphabetEncoding(bytes: Uint8Array<ArrayBuffer>): string | null {
  const readings = ALPHABETS.flatMap(([encoding, alphabets]) => {
    const text = decoded(bytes, encoding);
    const all = text === null ? [] : alphabets.map((alphabet) => readingOf(encoding, text, alphabet));
    return all.toSorted((a, b) => a.bad - b.bad).slice(0, 1);
  }).toSorted((a, b) => a.bad - b.bad || b.good - a.good);
  const [best] = readings;
  if (!best || best.good < MIN_LETTERS || best.bad > Math.max(1, FOREIGN * best.good)) return null;
  return readings.some((other) => isRival(other, best)) ? null : best.encoding;
}

/** Whether another reading is as good, with other letters in more than a few places. */
function isRival(other: Reading, best: Reading): boolean {
  if (other.text === best.text || other.bad >= best.bad + MARGIN || other.good < best.good / 2) return false;
  const isWorse = other.bad > best.bad || other.good < best.good;
  return !isWorse || differences(other.text, best.text) > MARGIN;
}

/** Places in which two readings differ; both have a character for each byte. */
function differences(one: string, other: string): number {
  return Array.from(one).filter((character, at) => character !== other[at]).length;
}

/** Null where bytes are no character, or a control character that no text has. */
function decoded(bytes: Uint8Array<ArrayBuffer>, encoding: string): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return /[\u0080-\u009F]/.test(text) ? null : text;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const WORDS = /[\p{L}\p{M}\p{N}'’²³]+/gu;

/** Signs between words, and those of them that may be within one. */
const SIGNS = /[\p{P}\p{Zs}\p{Sc}\p{M}\p{Cf}§©®°±´½¼¾×™№²³¹ªºµ˙¨÷]/u;
const WITHIN_WORD = /(?<=\p{L})[^\0-\u007F\p{L}\p{M}\p{Cf}’\u00A0·–—…\u05BE\u0640](?=\p{L})/gu;

/** Letters that only end words. */
const FINAL = /[ךםןףץςةى](?=\p{L})/gu;

function readingOf(encoding: string, text: string, alphabet: string): Reading {
  let [good, bad] = [0, [...text.matchAll(WITHIN_WORD), ...text.matchAll(FINAL)].length];
  for (const [word] of text.matchAll(WORDS)) {
    const counts = lettersOf(word, alphabet);
    good += counts.good;
    bad += counts.bad;
  }
  for (const character of text) if (character > '\u007F' && !/\p{L}/u.test(character) && !SIGNS.test(character)) bad++;
  return { encoding, text, good, bad: isCyrillic(alphabet) && !hasVowels(text) ? bad + good : bad };
}

/**
 * Letters of a word beyond ASCII. A word has one script, and is in lower case but for its first letter, or in capitals. Those say little of
 * Cyrillic, whose encodings have capitals in place of each other's small letters.
 */
function lettersOf(word: string, alphabet: string): { readonly good: number; readonly bad: number } {
  const letters = word.match(/\p{L}/gu) ?? [];
  const own = letters.filter((letter) => letter > '\u007F');
  const isLatin = alphabet < '\u0370';
  const rest = letters.slice(1).join('');
  const isSmall = rest === rest.toLowerCase();
  const isCapital = letters.length > 1 && !isSmall && rest === rest.toUpperCase() && word.toUpperCase() === word;
  if ((!isLatin && own.length < letters.length) || !(isSmall || isCapital)) return { good: 0, bad: own.length };
  const known = own.filter((letter) => alphabet.includes(letter.toLowerCase())).length;
  return { good: isCapital && isCyrillic(alphabet) ? 0 : known, bad: own.length - known };
}

function isCyrillic(alphabet: string): boolean {
  return CYRILLIC.includes(alphabet);
}

/** Share of vowels in Cyrillic texts is about 0.42; Hebrew read as Cyrillic has half of that. */
const VOWELS = 0.3;

function hasVowels(text: string): boolean {
  const letters = text.match(/\p{Script=Cyrillic}/gu) ?? [];
  return letters.filter((letter) => /[аеиоуыэюяіїєё]/iu.test(letter)).length >= VOWELS * letters.length;
}
