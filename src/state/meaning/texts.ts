import type { NamedRows } from '../../files/table/csv.ts';

/** Texts, and what else is known of each. */
export interface TextTable {
  readonly texts: readonly string[];
  /** Values by the name of their column, `[texts]` each; none for texts that came without. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** What a text is, in a text that holds several. */
export type Split = 'line' | 'paragraph';

/** The most texts that a collection takes: what the map draws smoothly. */
export const MOST_TEXTS = 20_000;

/** The texts of a text: its lines, or what stands between empty lines; none is blank. */
export function textsIn(text: string, split: Split): string[] {
  const parts = text.split(split === 'line' ? /\r?\n/ : /(?:\r?\n[^\S\n]*){2,}/);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** A table of texts alone. */
export function tableOf(texts: readonly string[]): TextTable {
  return { texts, columns: {} };
}

/** The texts of files; of several, each beside the name of its file. */
export function tableOfFiles(
  files: readonly { readonly name: string; readonly text: string }[],
  split: Split,
): TextTable {
  const parts = files.flatMap(({ name, text }) => textsIn(text, split).map((part) => ({ name, part })));
  const texts = parts.map(({ part }) => part);
  return files.length > 1 ? { texts, columns: { file: parts.map(({ name }) => name) } } : tableOf(texts);
}

/** The texts of a column, blank ones left out; the other columns stay beside them. */
export function tableOfColumn({ names, rows }: NamedRows, name: string): TextTable {
  const place = names.indexOf(name);
  const kept = rows.filter((row) => (row[place] ?? '').trim() !== '');
  const others = names.filter((each) => each !== name && each !== '');
  return {
    texts: kept.map((row) => (row[place] ?? '').trim()),
    columns: Object.fromEntries(others.map((each) => [each, kept.map((row) => row[names.indexOf(each)] ?? '')])),
  };
}

/** The column that most likely holds the texts: the one with the longest values. */
export function likelyColumn({ names, rows }: NamedRows): string {
  const sample = rows.slice(0, 200);
  const lengths = names.map((_, place) => sample.reduce((sum, row) => sum + (row[place] ?? '').length, 0));
  return names[lengths.indexOf(Math.max(...lengths))] ?? '';
}

/** The first texts of a table; the table itself where it has no more. */
export function firstOf(table: TextTable, count: number): TextTable {
  const { texts, columns } = table;
  if (texts.length <= count) return table;
  const cut = Object.entries(columns).map(([name, values]) => [name, values.slice(0, count)]);
  return { texts: texts.slice(0, count), columns: Object.fromEntries(cut) };
}
