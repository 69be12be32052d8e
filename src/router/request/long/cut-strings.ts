import { inPieces, type BodyPieces } from '../../../contract/wire/long-body.ts';
import type { Pause } from '../../pause.ts';

/** Strings of at least so many characters are cut out; what is left over is short, or is refused. */
const LONG_STRING = 2 ** 16;

/** Characters of a string that stand for it in messages, which show no more. */
const HEAD = 60;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

/** A JSON text whose long strings were cut out. */
export interface CutText {
  /** With a short string in the place of each long one. */
  readonly text: string;
  /** By the short string in its place, the pieces of what stood between the quotes, escapes and all. */
  readonly cut: ReadonlyMap<string, BodyPieces>;
}

/** What is left of a JSON text so far. */
export interface Left {
  readonly characters: number;
  /** Commas between values. */
  readonly commas: number;
}

/**
 * Cuts the long strings out of a JSON text, piece by piece, so that the rest can be parsed at once. The strings in their
 * places begin as they do and go on at random: no text of a request can pass for one. What is no JSON comes out as
 * something that is no JSON either.
 *
 * @param check  told after each piece what is left; throws to end the work
 */
export async function cutStrings(pieces: BodyPieces, pause: Pause, check: (left: Left) => void): Promise<CutText> {
  const rest: string[] = [];
  const cut = new Map<string, BodyPieces>();
  let characters = 0;
  let commas = 0;
  /** The string that is being read, without its quotes; null between strings. */
  let string: string[] | null = null;
  let backslashes = 0; // at the end of the piece before, inside a string

  const keep = (text: string) => {
    rest.push(text);
    characters += text.length;
  };
  const endString = (parts: readonly string[]) => {
    if (lengthOf(parts) < LONG_STRING) return keep(`${parts.join('')}"`);
    const placeholder = placeholderOf(parts);
    cut.set(placeholder, parts);
    keep(`${placeholder}"`);
  };

  for (const piece of pieces.flatMap(inPieces)) {
    let at = 0;
    while (at < piece.length)
      if (string === null) {
        const { end, found } = betweenStrings(piece, at);
        commas += found;
        keep(piece.slice(at, end));
        if (end > at && piece.charCodeAt(end - 1) === QUOTE) [string, backslashes] = [[], 0];
        at = end;
      } else {
        const quote = closingQuote(piece, at, backslashes);
        const end = quote === -1 ? piece.length : quote;
        string.push(piece.slice(at, end));
        backslashes = quote === -1 ? backslashesBefore(piece, { from: at, to: end }, backslashes) : 0;
        at = end + 1;
        if (quote === -1) continue;
        endString(string);
        string = null;
      }
    check({ characters, commas });
    await pause();
  }
  if (string !== null && lengthOf(string) < LONG_STRING) keep(string.join('')); // cut off, which the parser will say
  return { text: rest.join(''), cut };
}

/** Up to the next string, its quote included, or the end of the piece. */
function betweenStrings(piece: string, from: number): { readonly end: number; readonly found: number } {
  let found = 0;
  for (let at = from; at < piece.length; at++) {
    const code = piece.charCodeAt(at);
    if (code === QUOTE) return { end: at + 1, found };
    if (code === COMMA) found++;
  }
  return { end: piece.length, found };
}

/**
 * Where the string ends; -1: not in this piece.
 *
 * @param before  backslashes at the end of the piece before
 */
function closingQuote(piece: string, from: number, before: number): number {
  for (let quote = piece.indexOf('"', from); quote !== -1; quote = piece.indexOf('"', quote + 1))
    if (backslashesBefore(piece, { from, to: quote }, before) % 2 === 0) return quote;
  return -1;
}

/** Backslashes in a row at the end of a stretch, whose string goes on from a piece that ended with `before` of them. */
function backslashesBefore(piece: string, { from, to }: { from: number; to: number }, before: number): number {
  let at = to;
  while (at > from && piece.charCodeAt(at - 1) === BACKSLASH) at--;
  return to - at + (at === from ? before : 0);
}

function placeholderOf([first = '']: readonly string[]): string {
  const head = first.slice(0, HEAD);
  return `${head.includes('\\') ? '' : head} ${crypto.randomUUID()}`;
}

function lengthOf(parts: readonly string[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
