import type { ReadDocument } from '../../files/document.ts';
import type { FileProblem } from '../../files/unreadable-file.ts';

/** How far a file has been read. */
export type Reading =
  /** `share` is known of a file that is read page by page. */
  | { readonly kind: 'reading'; readonly share: number | null }
  | { readonly kind: 'ready'; readonly document: ReadDocument }
  | { readonly kind: 'unreadable'; readonly problem: FileProblem };

/** A file in the list. */
export interface Listed {
  /** Never used again. */
  readonly id: number;
  readonly file: File;
  readonly reading: Reading;
}

/** A file that can be asked about. */
export interface ReadyDocument {
  readonly id: number;
  readonly file: File;
  readonly document: ReadDocument;
}

/** The documents that are read, in the order of the list. */
export function readyIn(list: readonly Listed[]): ReadyDocument[] {
  return list.flatMap(({ id, file, reading }) =>
    reading.kind === 'ready' ? [{ id, file, document: reading.document }] : [],
  );
}

/** Whether there is a document to ask, or will be once it is read. */
export function canAsk(list: readonly Listed[]): boolean {
  return list.some(({ reading }) => reading.kind !== 'unreadable');
}
