import type { ReadDocument } from './document.ts';

/** Lines of this length were broken at the width of a page, and not where a sentence ends. */
const BROKEN_AT = 50;

/**
 * The text of a document to be read sentence by sentence: paragraphs of a text file that were broken at some width are one
 * line, else each line would be a sentence. It is as long as the text, so places in it are places in the text.
 */
export function joinedLines({ kind, text, layout }: ReadDocument): string {
  if (kind !== 'text' || layout.type !== 'blocks') return text;
  let joined = '';
  for (const { start, length } of layout.blocks) {
    const lines = text.slice(start, start + length).split('\n');
    const isBroken = lines.length > 1 && lines.slice(0, -1).every((line) => line.trimEnd().length >= BROKEN_AT);
    joined += text.slice(joined.length, start) + lines.join(isBroken ? ' ' : '\n');
  }
  return joined + text.slice(joined.length);
}
