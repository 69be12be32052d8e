import Papa from 'papaparse';
import { decodeText } from '../plain-text.ts';
import { UnreadableFile } from '../document.ts';

/** Rows with a header, such as those of a CSV file. */
export interface NamedRows {
  /** Unique, in the order of the file. */
  readonly names: readonly string[];
  /** `[rows][names]` */
  readonly rows: readonly (readonly string[])[];
}

/** Whether a file is read as a table, by its name. */
export function isTable({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  return /\.(csv|tsv)$/i.test(name) || type === 'text/csv';
}

/**
 * A table of values separated by commas, semicolons, tabs or bars, as its first rows show; its first row names the columns.
 *
 * @throws {UnreadableFile} `damaged` for bytes that are not text, `empty` for a table without rows below its names
 * @source RFC 4180, read with leniency by papaparse
 */
export function readCsv(bytes: Uint8Array<ArrayBuffer>): NamedRows {
  const text = decodeText(bytes).replace(/^\uFEFF/, '');
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy', delimitersToGuess: [',', ';', '\t', '|'] });
  const [header = [], ...rows] = data;
  if (rows.length === 0) throw new UnreadableFile('empty', 'no rows below the names of columns');
  const width = Math.max(header.length, ...rows.slice(0, 1000).map(({ length }) => length));
  const names = Array.from({ length: width }, (_, at) => (header[at] ?? '').trim() || `Column ${at + 1}`);
  return { names: unique(names), rows };
}

/** Adds numbers to repeated names. */
function unique(names: readonly string[]): string[] {
  return names.map((name, at) => {
    const before = names.slice(0, at).filter((other) => other === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}
