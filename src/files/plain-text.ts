import { type Block, checkLength, type FileContent, UnreadableFile } from './document.ts';

/** Control characters of texts: tab, ends of lines and pages, and escape, which begins the colours of a terminal. */
const TEXT_CONTROLS = new Set([9, 10, 11, 12, 13, 27]);

/** Whether a text has a control character that no text has. */
function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 32 && !TEXT_CONTROLS.has(unit)) return true;
  }
  return false;
}

/**
 * A text file in UTF-8 or UTF-16, or else in Windows' Western encoding, which old text files have. Line ends become `\n`.
 *
 * @throws {UnreadableFile} `damaged` for bytes that are not text
 */
export function decodeText(bytes: Uint8Array<ArrayBuffer>): string {
  const text = decoded(bytes).replaceAll(/\r\n?/g, '\n');
  if (hasControls(text)) throw new UnreadableFile('damaged', 'bytes that are not text');
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

/**
 * A text as paragraphs, with unchanged lines.
 *
 * @throws {UnreadableFile} `damaged` for bytes that are not text, `too_long`
 */
export function readPlainText(bytes: Uint8Array<ArrayBuffer>): FileContent {
  const text = decodeText(bytes);
  checkLength(text);
  return { text, layout: { type: 'blocks', blocks: paragraphsOf(text) }, unread: [] };
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
