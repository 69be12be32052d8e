import type { UnreadFilePart } from '../contract/qa.ts';
import { withoutInvisible } from '../contract/wire/invisible-text.ts';
import { type Block, checkLength, type FileContent, UnreadableFile } from './document.ts';
import { encodingOf } from './encodings/encoding-of.ts';

/** Control characters of texts: tab, ends of lines and pages, and escape, which begins the colours of a terminal. */
const TEXT_CONTROLS = new Set([9, 10, 11, 12, 13, 27]);

const [ESCAPE, BACKSPACE, PADDING] = ['\x1B', '\b', '\0\x1A'];

/** Colours of a terminal, a letter struck over by the next one, and what pads the end of a file. @source ECMA-48, 8.3.117 */
const NOT_SHOWN = new RegExp(`${ESCAPE}\\[[\\d;]*m|[^\n]${BACKSPACE}|(?<=[^${PADDING}])[${PADDING}]+$`, 'gu');

/** Whether a text has a control character that no text has. */
function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 32 && !TEXT_CONTROLS.has(unit)) return true;
  }
  return false;
}

/** Where no encoding is recognised: that of Western Windows, which most old text files have. */
const USUAL = 'windows-1252';

/**
 * A text file in UTF-8, UTF-16 or an older encoding that is recognised by its letters. A damaged file in UTF-8, such as one that was cut
 * within a character, has more whole characters beyond ASCII than broken ones. Line ends become `\n`.
 *
 * @returns with the characters that may be others than were meant, and invisible text that was left out
 * @throws {UnreadableFile} `damaged` for bytes that are not text
 */
export function decodeText(bytes: Uint8Array<ArrayBuffer>): DecodedText {
  const { text: written, doubtful, ...recognised } = decoded(bytes);
  const { text, count: hidden } = withoutInvisible(written.replaceAll(NOT_SHOWN, ''));
  if (hasControls(text)) throw new UnreadableFile('damaged', 'bytes that are not text');
  const unread = [
    { kind: 'character' as const, count: doubtful, ...recognised },
    { kind: 'hidden_text' as const, count: hidden },
  ];
  return { text: text.replaceAll(/\r\n?/g, '\n'), unread: unread.filter(({ count }) => count > 0) };
}

interface DecodedText {
  readonly text: string;
  readonly unread: readonly UnreadFilePart[];
}

function decoded(bytes: Uint8Array<ArrayBuffer>) {
  const as = (encoding: string) => {
    const text = new TextDecoder(encoding).decode(bytes);
    return { text, ...countsOf(text) };
  };
  const marks = [bytes[0], bytes[1]].join();
  const unicode = as(marks === '255,254' ? 'utf-16le' : marks === '254,255' ? 'utf-16be' : 'utf-8');
  const isUnicode = unicode.broken <= unicode.whole && !unicode.text.includes('\0'); // those of UTF-16 without a mark
  if (isUnicode) return { text: unicode.text, doubtful: unicode.broken };
  const encoding = encodingOf(bytes);
  const older = as(encoding ?? USUAL);
  return { text: older.text, doubtful: older.whole + older.broken, ...(encoding ? { encoding } : {}) };
}
/** Characters beyond ASCII, and those that decoders put in place of bytes that are no character. */
function countsOf(text: string): { readonly whole: number; readonly broken: number } {
  let [whole, broken] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) broken++;
    else if (unit > 0x7f && !(unit >= 0xdc00 && unit < 0xe000)) whole++; // a pair of surrogates is one
  }
  return { whole, broken };
}

/**
 * A text as paragraphs, with unchanged lines.
 *
 * @throws {UnreadableFile} `damaged` for bytes that are not text, `too_long`
 */
export function readPlainText(bytes: Uint8Array<ArrayBuffer>): FileContent {
  const { text, unread } = decodeText(bytes);
  checkLength(text);
  return { text, layout: { type: 'blocks', blocks: paragraphsOf(text) }, unread };
}

/** Text between blank lines. */
function paragraphsOf(text: string): Block[] {
  const blocks: Block[] = [];
  let isOpen = false;
  let start = 0; // of the line
  for (const line of text.split('\n')) {
    const length = line.trimEnd().length;
    const last = blocks.at(-1);
    if (length > 0 && isOpen && last) blocks[blocks.length - 1] = { ...last, length: start + length - last.start };
    if (length > 0 && !isOpen) {
      const indent = length - line.trim().length;
      blocks.push({ kind: 'paragraph', start: start + indent, length: length - indent });
    }
    isOpen = length > 0;
    start += line.length + 1;
  }
  return blocks;
}
