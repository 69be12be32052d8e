import type { UnreadPart } from '../../contract/qa.ts';

/** What a part of a file is that is not read. */
export type UnreadKind = UnreadPart['kind'];

/** Messages of pdf.js that name a font that it replaces: its text is read all the same. */
const HARMLESS = /attempting to fallback to a default font/;

/** Messages of pdf.js after which a part of the page is missing. @source pdfjs-dist 5.6.205, `pdf.worker.mjs` */
const LOSSES: readonly (readonly [message: RegExp, kind: UnreadKind])[] = [
  [/loadFont - |ensureStateFont|Font ".*" is not available|Error during font loading/, 'font'],
  [/ignoring textContent|_parsedAnnotations|createGlobals|ignoring annotation data/, 'annotation'],
  [/getTextContent - ignoring|getContentStream - ignoring|Skipping command/, 'damage'],
  [/Unterminated (?:hex )?string|Unknown command/, 'damage'],
  [/in flate stream|Invalid stream: |Filter ".*" is not supported|Bad filter name/, 'damage'],
];

/** What a message of pdf.js says is missing from the text; null for one after which nothing is. */
export function lossOf(message: string): UnreadKind | null {
  if (HARMLESS.test(message)) return null;
  return LOSSES.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}
