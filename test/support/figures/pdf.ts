import { inflateSync } from 'node:zlib';

/** A PDF file, taken apart. */
export interface ReadPdf {
  /** Bodies of objects by number; streams are unpacked, their bytes as Latin-1. */
  readonly objects: ReadonlyMap<number, { readonly dictionary: string; readonly stream: string | null }>;
  readonly trailer: string;
}

/**
 * Reads files of our own writer, by their table of objects.
 *
 * @throws {Error} when an object does not begin where the table says
 */
export function readPdf(bytes: Uint8Array): ReadPdf {
  const text = Buffer.from(bytes).toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const table = /^xref\n0 (\d+)\n/.exec(text.slice(start));
  if (!table) throw new Error(`expected a table of objects at ${start}`);
  const rows = [...text.slice(start).matchAll(/(\d{10}) \d{5} n \n/g)].map(([, offset]) => Number(offset));
  if (rows.length !== Number(table[1]) - 1) throw new Error(`expected ${table[1]} rows, got ${rows.length}`);
  const objects = new Map(rows.map((offset, index) => [index + 1, objectAt(bytes, text, offset, index + 1)]));
  return { objects, trailer: /trailer\n(.*)\n/.exec(text.slice(start))?.[1] ?? '' };
}

function objectAt(bytes: Uint8Array, text: string, offset: number, id: number) {
  const head = `${id} 0 obj\n`;
  if (!text.startsWith(head, offset)) throw new Error(`expected object ${id} at ${offset}`);
  const from = offset + head.length;
  const dictionary = text.slice(from, text.indexOf('\n', from));
  const length = / \/Length (\d+) >>$/.exec(dictionary)?.[1];
  if (length === undefined) return { dictionary, stream: null };
  const at = from + dictionary.length + '\nstream\n'.length;
  const packed = bytes.subarray(at, at + Number(length));
  return { dictionary, stream: inflateSync(packed).toString('latin1') };
}

/** The operators of the file's only page. */
export function contentOf({ objects }: ReadPdf): string {
  const page = [...objects.values()].find(({ dictionary }) => dictionary.includes('/Type /Page '));
  const id = Number(/\/Contents (\d+) 0 R/.exec(page?.dictionary ?? '')?.[1]);
  return objects.get(id)?.stream ?? '';
}
