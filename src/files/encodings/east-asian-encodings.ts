/** Share of the bytes beyond ASCII that are beside another one: accented letters are alone in their words. */
const PAIRED = 0.75;

/** Share of what is beyond ASCII that is text of the language, and least share of Japanese syllables, Korean ones and usual Chinese characters. */
const [TEXT, KANA, HANGUL, USUAL] = [0.95, 0.2, 0.8, 0.9];

/** Chinese has characters after the rows of GB 2312 in which EUC-KR has its syllables. */
const BEYOND_KOREAN = 0.1;

/** Fewer characters tell no encoding. */
const MIN_CHARACTERS = 4;

/** Share of Chinese characters before a space, which words of other scripts have. */
const SPACED = 0.05;

const SIGNS =
  /[\u0391-\u044F\u00B7\u00D7\u2010-\u2040\u2190-\u22FF\u2460-\u27BF\u2500-\u257F\u3000-\u303F\uFF01-\uFF60]/;
const JAPANESE = /[\u3040-\u30FF]/;
const KOREAN = /[\uAC00-\uD7A3]/;
const HAN = /\p{Script=Han}/u;

/** The East Asian encoding of bytes; null if there is none, or more than one. */
export function eastAsianEncoding(bytes: Uint8Array<ArrayBuffer>): string | null {
  if (!isPaired(bytes)) return null;
  for (const encoding of ['shift_jis', 'euc-jp']) {
    const wide = wideCharacters(bytes, encoding);
    if (shareOf(wide, JAPANESE) > KANA && shareOf(wide, JAPANESE, HAN, SIGNS) > TEXT) return encoding;
  }
  const korean = wideCharacters(bytes, 'euc-kr').filter((character) => !SIGNS.test(character));
  if (korean.length >= MIN_CHARACTERS && shareOf(korean, KOREAN) > HANGUL) return 'euc-kr';
  const chinese = [
    ...(isChinese(bytes, 'gb18030', [0xb0, 0xd7]) && leadsIn(bytes, 0xc9, 0xff) > BEYOND_KOREAN ? ['gb18030'] : []),
    ...(isChinese(bytes, 'big5', [0xa4, 0xc6]) ? ['big5'] : []),
  ];
  return chinese.length === 1 ? (chinese[0] ?? null) : null;
}

function isPaired(bytes: Uint8Array): boolean {
  let [high, paired] = [0, 0];
  bytes.forEach((byte, at) => {
    if (byte < 0x80) return;
    high++;
    if ((bytes[at - 1] ?? 0) > 0x7f || (bytes[at + 1] ?? 0) > 0x7f) paired++;
  });
  return high > 0 && paired >= PAIRED * high;
}

/** Characters beyond ASCII; none where the bytes are not in the encoding. */
function wideCharacters(bytes: Uint8Array<ArrayBuffer>, encoding: string): string[] {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    const wide = Array.from(text).filter((character) => character > '\u007F');
    return wide.length < MIN_CHARACTERS ? [] : wide;
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}

function shareOf(characters: readonly string[], ...kinds: readonly RegExp[]): number {
  const own = characters.filter((character) => kinds.some((kind) => kind.test(character)));
  return own.length / Math.max(1, characters.length);
}

/** @param rows  first bytes of the usual characters: level 1 of GB 2312, or of Big5 */
function isChinese(bytes: Uint8Array<ArrayBuffer>, encoding: string, rows: readonly [number, number]): boolean {
  const wide = wideCharacters(bytes, encoding);
  const spaces = bytes.filter(
    (byte, at) => byte === 0x20 && (bytes[at - 1] ?? 0) > 0x7f && (bytes[at + 1] ?? 0) > 0x7f,
  );
  if (spaces.length > SPACED * wide.length) return false;
  return shareOf(wide, HAN, SIGNS) > TEXT && leadsIn(bytes, ...rows) > USUAL;
}

/** Share of the characters of two bytes that begin with one of a range, without signs. */
function leadsIn(bytes: Uint8Array, from: number, to: number): number {
  let [all, own] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    at++; // the second byte
    if (lead >= 0xa1 && lead <= 0xa3) continue;
    all++;
    if (lead >= from && lead <= to) own++;
  }
  return own / Math.max(1, all);
}
