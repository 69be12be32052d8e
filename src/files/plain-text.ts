import { type Block, type FileContent, UnreadableFile } from './document.ts';

/** Characters that no text has: a file with them is not a text. */
// oxlint-disable-next-line no-control-regex -- it searches for control characters
const CONTROLS = /[\0-\x08\x0E-\x1A\x1C-\x1F]/;

/**
 * A text file in UTF-8 or UTF-16, or else in Windows' Western encoding, which old text files have. Line ends become `\n`.
 *
 * @throws {UnreadableFile} `damaged` for bytes that are not text
 */
export function decodeText(bytes: Uint8Array<ArrayBuffer>): string {
  const text = decoded(bytes).replaceAll(/\r\n?/g, '\n');
  if (CONTROLS.test(text)) throw new UnreadableFile('damaged', 'bytes that are no text');
  return text;
}

function decoded(bytes: Uint8Array<ArrayBuffer>): string {
  const marks = [bytes[0], bytes[1]].join();
  if (marks === '255,254') return new TextDecoder('utf-16le').decode(bytes);
  if (marks === '254,255') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** A text as paragraphs, with unchanged lines. */
export function readPlainText(bytes: Uint8Array<ArrayBuffer>): FileContent {
  const text = decodeText(bytes);
  return { text, layout: { type: 'blocks', blocks: paragraphsOf(text) }, unread: [] };
}

/** Text between blank lines. */
function paragraphsOf(text: string): Block[] {
  return Array.from(text.matchAll(/\S(?:.|\n(?![^\S\n]*(?:\n|$)))*/g), ({ index, 0: paragraph }) => ({
    kind: 'paragraph' as const,
    start: index,
    length: paragraph.trimEnd().length,
  }));
}
