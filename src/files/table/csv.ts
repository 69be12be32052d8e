import Papa from 'papaparse';
import type { UnreadFilePart } from '../../contract/qa.ts';
import { decodeText } from '../plain-text.ts';
import { UnreadableFile } from '../document.ts';
import { headed, unique } from './header.ts';

/** Rows with a header, such as those of a CSV file. */
export interface NamedRows {
  /** Unique, in the order of the file. */
  readonly names: readonly string[];
  /** `[rows][names]`; a row may have fewer values. */
  readonly rows: readonly (readonly string[])[];
}

/** Whether a file is read as a table, by its name. */
export function isTable({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  return /\.(csv|tsv)$/i.test(name) || type === 'text/csv';
}

/**
 * A table of values separated by commas, semicolons, tabs or bars; its first row names the columns. A quotation mark that is
 * never closed belongs to its line alone, so that the lines after it are rows. Values beyond the named columns get columns of
 * their own.
 *
 * @returns with the rows and characters that may be read otherwise than they were meant
 * @throws {UnreadableFile} `damaged` for bytes that are not text, `empty` for a table without rows below its names
 * @source RFC 4180, read with leniency by papaparse
 */
export function readCsv(bytes: Uint8Array<ArrayBuffer>): NamedRows & { readonly unread: readonly UnreadFilePart[] } {
  const { text: decoded, unread } = decodeText(bytes);
  const { body, comments } = withoutComments(decoded.replace(/^\uFEFF/, ''));
  const { text: spaced, delimiter } = delimited(body);
  const text = withoutSpaces(spaced, delimiter);
  const { data, unclosed } = parsedRows(text, delimiter);
  const { names: header, rows, above } = headed(data);
  if (rows.length === 0) throw new UnreadableFile('empty', 'no rows below the names of columns');
  const width = rows.reduce((most, { length }) => Math.max(most, length), header.length);
  const names = Array.from({ length: width }, (_, at) => (header[at] ?? '').trim() || `Column ${at + 1}`);
  const long = rows.filter((row) => row.slice(header.length).some((value) => value.trim() !== '')).length;
  const counts = [
    { kind: 'unclosed_quote', count: unclosed },
    { kind: 'uneven_row', count: long },
    { kind: 'metadata', count: above.length + comments },
  ] as const;
  return { names: unique(names), rows, unread: [...unread, ...counts.filter(({ count }) => count > 0)] };
}

const DELIMITERS = [',', ';', '\t', '|'];

/**
 * A table without the lines above it that begin with `#`, as programs write them, and their number. A header may begin so too: it has
 * as many delimiters as the first line that does not, and no number above names without one.
 */
function withoutComments(text: string): { readonly body: string; readonly comments: number } {
  const lines = text.split('\n', SEEN);
  const first = lines.find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: first.split(delimiter).length }));
  const { delimiter, count } = counted.reduce((most, each) => (each.count > most.count ? each : most));
  const isNumbered = /\d/.test(first);
  const isHeader = (line: string) => {
    const own = line.split(delimiter).length;
    return own > count || (own === count && (isNumbered || count === 1 || !/\d/.test(line)));
  };
  const start = lines.findIndex((line) => !line.startsWith('#') || isHeader(line));
  if (start <= 0) return { body: text, comments: 0 };
  return { body: text.slice(lines.slice(0, start).join('\n').length + 1), comments: start };
}

/** A table without the spaces before its quotation marks, if names have them: papaparse knows only marks that follow a delimiter. */
function withoutSpaces(text: string, delimiter: string): string {
  const [header = ''] = text.split('\n', 1);
  return header.includes(`${delimiter} "`) ? text.replaceAll(`${delimiter} "`, `${delimiter}"`) : text;
}

/** Lines that say what a table is. */
const SEEN = 50;

/** Separates no values: a character that no text has. */
const NO_DELIMITER = '\u001F';

/**
 * The delimiter of a table, and its text without a line `sep=;`, by which Excel is told. A header with one kind of delimiter has
 * that, one without has a single column; among several, papaparse decides by the rows.
 */
function delimited(text: string): { readonly text: string; readonly delimiter: string } {
  const told = /^"?sep=(.)"?\n/i.exec(text);
  if (told) return { text: text.slice(told[0].length), delimiter: told[1] ?? ',' };
  const [header = ''] = /^\s*(?:"(?:[^"]|"")*"|[^"\n])*/.exec(text) ?? [];
  const unquoted = header.replaceAll(/"(?:[^"]|"")*"/g, '');
  const [only, ...others] = DELIMITERS.filter((each) => unquoted.includes(each));
  if (others.length === 0) return { text, delimiter: only ?? delimiterBelow(text) };
  return { text, delimiter: Papa.parse(text, { preview: 100, delimitersToGuess: DELIMITERS }).meta.delimiter };
}

/** Fewest rows of a table below a title, fewest values in each, and the share of the rows that have as many. */
const [MIN_ROWS, MIN_VALUES, MIN_SHARE] = [3, 3, 0.75];

/** The delimiter that rows below a title have as often; commas, which sentences have too, only below an empty line. */
function delimiterBelow(text: string): string {
  const below = text.slice(text.indexOf('\n') + 1);
  const isTable = (delimiter: string) => {
    const { data } = Papa.parse<string[]>(below, { delimiter, preview: SEEN, skipEmptyLines: true });
    const usual = data.map(({ length }) => length).toSorted((a, b) => a - b)[Math.floor(data.length / 2)] ?? 0;
    const share = data.filter(({ length }) => length === usual).length / data.length;
    return data.length >= MIN_ROWS && usual >= MIN_VALUES && share >= MIN_SHARE;
  };
  const possible = DELIMITERS.filter((delimiter) => delimiter !== ',' || /^\s*\n/.test(below));
  return possible.find(isTable) ?? NO_DELIMITER;
}

/** Lines with an unbalanced quotation mark that are read apart; in what comes after, quotation marks are ordinary characters. */
const MAX_UNCLOSED = 10;

/** Rows without blank ones, and the number of quotation marks that are not closed as they should be. */
function parsedRows(text: string, delimiter: string): { readonly data: string[][]; readonly unclosed: number } {
  let data: string[][] = [];
  let unclosed = 0;
  for (let rest = text; rest !== '';) {
    const quoteChar = unclosed < MAX_UNCLOSED ? '"' : NO_DELIMITER;
    const result = Papa.parse<string[]>(rest, { delimiter, quoteChar });
    const broken = brokenRow(rest, delimiter, result);
    data = data.concat(result.data.slice(0, broken?.row));
    if (!broken) break;
    unclosed++;
    const line = rest.slice(broken.start, broken.end);
    const [values = []] = Papa.parse<string[]>(line, { delimiter, quoteChar: NO_DELIMITER }).data;
    data.push(broken.before.concat(values));
    rest = rest.slice(broken.end + 1);
  }
  return { data: data.filter((row) => row.some((value) => value.trim() !== '')), unclosed };
}

/** Values of a row with quotation marks inside that are looked at: for each, the row is read up to it. */
const MAX_TRIES = 10;

/** The first row with a quoted value that goes on to other lines and ends wrongly, or not at all: the values before it, and its line from there. */
function brokenRow(text: string, delimiter: string, { data, errors }: Papa.ParseResult<string[]>) {
  let ends: readonly number[] | undefined;
  let seen = -1; // a value may have many errors
  let [tried, tries] = [-1, 0];
  for (const { type, row = 0, index = 0 } of errors) {
    if (type !== 'Quotes' || index === seen || !data[row]?.some((value) => value.includes('\n'))) continue;
    seen = index;
    ends ??= rowEnds(text, delimiter);
    if (row !== tried) [tried, tries] = [row, 0];
    const start = index - 1; // `index` is that behind the quotation mark
    const [before = []] = Papa.parse<string[]>(text.slice(ends[row - 1] ?? 0, start), { delimiter }).data;
    const isOneLine = !data[row]?.[Math.max(0, before.length - 1)]?.includes('\n');
    if (isOneLine && ++tries < MAX_TRIES) continue;
    const end = text.indexOf('\n', start);
    return { row, before: before.slice(0, -1), start, end: end < 0 ? text.length : end };
  }
  return null;
}

/** Where each row ends, with its line end. */
function rowEnds(text: string, delimiter: string): number[] {
  const ends: number[] = [];
  Papa.parse(text, { delimiter, step: ({ meta }) => void ends.push(meta.cursor) });
  return ends;
}

/** Tables below one another, with the columns of all and a column `file`; one table alone is as it is. */
export function joinedTables(tables: readonly (NamedRows & { readonly name: string })[]): NamedRows {
  const [only, ...others] = tables;
  if (only && others.length === 0) return { names: only.names, rows: only.rows };
  const columns = [...new Set(tables.flatMap(({ names }) => names))];
  const rows = tables.flatMap(({ name, names, rows: own }) => {
    const places = columns.map((column) => names.indexOf(column));
    return own.map((row) => [...places.map((place) => row[place] ?? ''), name]);
  });
  return { names: unique([...columns, 'file']), rows };
}
