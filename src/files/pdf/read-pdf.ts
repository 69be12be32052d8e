import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ReadDocument, ReadOptions } from '../document.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import { linesOf, type Line } from './lines.ts';
import { bodyLines } from './margins.ts';
import { openPdf, untilAborted } from './pdf-library.ts';
import { flowOf } from './text-flow.ts';

/** Pages that are read at most. */
export const MOST_PAGES = 3_000;

/**
 * The text of a PDF, and where each stretch of it stands on its pages.
 *
 * @param bytes  are moved to a worker, so the array is empty afterwards
 * @throws {UnreadableFile} `encrypted`, `damaged` or `too_long`
 * @throws the reason of the signal
 */
export async function readPdf(
  bytes: Uint8Array<ArrayBuffer>,
  { signal, onProgress }: ReadOptions,
): Promise<Pick<ReadDocument, 'text' | 'layout'>> {
  const { pdf, close } = await openPdf(bytes, signal);
  try {
    const { numPages } = pdf;
    if (numPages > MOST_PAGES) throw new UnreadableFile('too_long', `${numPages} pages`);
    const pages: Line[][] = [];
    for (let number = 1; number <= numPages; number++) {
      pages.push(await untilAborted(pageLines(pdf, number), signal));
      onProgress?.(number, numPages);
      signal?.throwIfAborted();
    }
    const { text, pieces, pages: spans } = flowOf(bodyLines(pages));
    return { text, layout: { type: 'pages', pages: spans, pieces } };
  } finally {
    await close();
  }
}

/** A page that cannot be parsed is a damaged file: an answer might stand on it. */
async function pageLines(pdf: PDFDocumentProxy, number: number): Promise<Line[]> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return linesOf(items);
  } catch (cause) {
    throw new UnreadableFile('damaged', `page ${number}`, { cause });
  }
}
