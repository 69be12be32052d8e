/** A cell of a table. */
export type Cell = string | number | boolean;

/** Characters that make spreadsheets compute a cell. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Rows as CSV, without a line break at the end. An apostrophe precedes text that a spreadsheet would compute.
 *
 * @source RFC 4180; OWASP, CSV Injection
 */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => row.map(quoted).join(',')).join('\r\n');
}

function quoted(value: Cell): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
