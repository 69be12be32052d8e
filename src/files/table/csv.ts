import Papa from 'papaparse';
import { decodeText } from '../plain-text.ts';
import { UnreadableFile } from '../unreadable-file.ts';

/** Rows with a header, such as a CSV file holds. */
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
 * A table of values parted by commas, semicolons, tabs or bars, as its first rows show; its first row names the columns.
 *
 * @throws {UnreadableFile} `damaged` for bytes that are no text, `empty` for a table without rows below its names
 * @source RFC 4180, read with leniency by papaparse
 */
export function readCsv(bytes: Uint8Array<ArrayBuffer>): NamedRows {
  const text = decodeText(bytes).replace(/^\uFEFF/, '');
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy', delimitersToGuess: [',', ';', '\t', '|'] });
  const [header = [], ...rows] = data;
  if (rows.length === 0) throw new UnreadableFile('empty', 'no rows below the names of columns');
  const width = Math.max(header.length, ...rows.slice(0, 1000).map(({ length }) => length));
  const names = unique(
    Array.from({ length: width }, (_, place) => (header[place] ?? '').trim() || `Column ${place + 1}`),
  );
  return { names, rows };
}

/** Two columns of one name get numbers. */
function unique(names: readonly string[]): string[] {
  return names.map((name, place) => {
    const before = names.slice(0, place).filter((each) => each === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}

/**
 * Rows as a CSV file. A text that a spreadsheet would compute has an apostrophe in front.
 *
 * @source RFC 4180, by papaparse
 */
export function csvText(names: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return `${Papa.unparse({ fields: [...names], data: rows.map((row) => [...row]) }, { escapeFormulae: /^[=+\-@\t\r]/ })}\r\n`;
}
