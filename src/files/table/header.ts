/** Rows of a table with the names of its columns. */
export interface HeadedRows {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows above the names, such as a title. */
  readonly above: readonly (readonly string[])[];
}

/** Rows that say how many values a row has. */
const SEEN = 50;

/**
 * The header of a table: below titles and the like, which fill the first cells of a wide table alone; of two rows where the first
 * names groups of columns, as merged cells do.
 *
 * @param data  rows that are not blank
 */
export function headed(data: readonly (readonly string[])[]): HeadedRows {
  const usual = median(data.slice(0, SEEN).map(filledIn));
  const first = data.findIndex((row, at) => !isTitle(row, usual) || isGrouping(row, data[at + 1]));
  const start = first < data.length - 1 ? Math.max(0, first) : 0;
  const [above, own] = [data.slice(0, start), data.slice(start)];
  const [header = [], second = []] = own;
  const rows = own.slice(1);
  if (rows.length < 2 || !isGrouping(header, second)) return { names: header, rows, above };
  return { names: joinedNames(header, second), rows: rows.slice(1), above };
}

function isFilled(value: string): boolean {
  return value.trim() !== '';
}

function filledIn(row: readonly string[]): number {
  return row.filter(isFilled).length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Whether a row fills no more than the first half of the columns. */
function isTitle(row: readonly string[], usual: number): boolean {
  return filledIn(row) <= usual / 2 && row.slice(0, filledIn(row)).every(isFilled);
}

/** Whether a row names groups of the columns that the next one names: with empty cells between, and the same names in each group. */
function isGrouping(row: readonly string[], next: readonly string[] = []): boolean {
  const hasGap = row.slice(row.findIndex(isFilled), row.findLastIndex(isFilled)).some((value) => !isFilled(value));
  const areNames = next.every((value) => isFilled(value) && !/\d/.test(value));
  return hasGap && areNames && new Set(next).size < next.length;
}

/** Each name behind that of its group, which goes on to the right. */
function joinedNames(groups: readonly string[], names: readonly string[]): string[] {
  let group = '';
  return names.map((name, at) => {
    group = groups[at]?.trim() || group;
    return `${group} ${name.trim()}`.trim();
  });
}

/** Adds numbers to repeated names. */
export function unique(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = counts.get(name) ?? 0;
    let own = name;
    do own = ++count === 1 ? name : `${name} (${count})`;
    while (counts.has(own));
    counts.set(own, 1).set(name, count);
    return own;
  });
}
