import { gridPlace, marginIn, type Section } from './influence.ts';
import type { Outcome } from './outcome.ts';
import { budgetOf, requestOf } from './question.ts';

/** A cell of a table. */
export type Cell = string | number | boolean;

/**
 * A row for each section and a column for each target word, RFC 4180; spans in code points, rectangles in shares of the
 * picture's sides, scores in nats as the contract has them. Without a picture there are no columns for rectangles. Behind
 * the scores each row has the fields of the request, so that rows of several files can be put together. Where
 * scores are estimates, `margin` says how far that of the whole target may be off; 0 is exact.
 */
export function csvOf(outcome: Outcome, model: string): string {
  const { influence } = outcome;
  const hasPicture = influence.picture.length > 0;
  const place = ['section', 'start', 'length', ...(hasPicture ? ['left', 'top', 'width', 'height'] : [])];
  const fields = requestFields(outcome, model);
  const hasEstimates = influence.sections.some(({ margins }) => margins);
  const head = [
    'part',
    ...place,
    'whole target',
    ...influence.targets,
    ...(hasEstimates ? ['margin'] : []),
    ...Object.keys(fields),
  ];
  const rows = [...influence.sections, ...influence.target].map((section) => [
    section.part,
    ...placeOf(section, hasPicture),
    section.total * influence.turn,
    ...section.scores.map((score) => (score === null ? '' : score * influence.turn)),
    ...(hasEstimates ? [marginIn(section, 'whole') ?? 0] : []),
    ...Object.values(fields),
  ]);
  return csvText([head, ...rows]);
}

/** Rows as CSV, RFC 4180. A text that a spreadsheet would take for a formula has an apostrophe in front. */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => row.map(quoted).join(',')).join('\r\n');
}

/** What was asked, and of which model, but for the prompt: names of the contract, and values that fit into a cell. */
export function requestFields({ question, modelVersion }: Outcome, model: string): Record<string, Cell> {
  const { prompt: _, ...fields } = requestOf(question, model);
  const cells = Object.entries(fields).map(([name, value]): [string, Cell] => [name, cellOf(value)]);
  const budget = budgetOf(question);
  return {
    unit: 'nats',
    ...Object.fromEntries(cells),
    ...(budget && { budget }),
    model_version: modelVersion ?? '',
    is_partial: modelVersion === null,
  };
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value) ?? '';
}

function placeOf(section: Section, hasPicture: boolean): Cell[] {
  if (section.part !== 'picture') {
    const { text, start, length } = section;
    return [text, start, length, ...(hasPicture ? ['', '', '', ''] : [])];
  }
  const { left, top, width, height } = section.rect;
  const place = gridPlace(section);
  const name = place ? `row ${place.row}, column ${place.column}` : 'the picture'; // English, as the names of columns are
  return [name, '', '', left, top, width, height];
}

/** What makes spreadsheets compute a cell. */
const FORMULA = /^[=+\-@\t\r]/;

function quoted(value: Cell): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Request and answer as they crossed the contract, so that the request can be repeated. */
export function jsonOf({ question, modelVersion, explanations }: Outcome, model: string): string {
  const response = { model_version: modelVersion, explanations };
  const budget = budgetOf(question);
  const facts = { unit: 'nats', is_partial: modelVersion === null, ...(budget && { budget }) };
  return JSON.stringify({ ...facts, request: requestOf(question, model), response }, null, 2);
}
