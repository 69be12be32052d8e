/** A part of a shown answer: text, or values of which only the first are shown until the user asks for all. */
export type JsonPiece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'fold';
      /** Its place among the pieces. */
      readonly at: number;
      /** Values that are not shown. */
      readonly count: number;
      readonly all: () => string;
    };

/** Vectors up to this length are shown whole. */
const SHOWN_NUMBERS = 8;
/** Longer lists show this many values. */
const FIRST_NUMBERS = 3;
/** Other lists are cut after this many lines. */
const SHOWN_ITEMS = 100;
/** Values of up to this length go on one line. */
const LINE_CHARACTERS = 96;

/** A value as indented JSON in which long vectors are folded, so that an answer of thousands of numbers can be read. */
export function foldedJson(value: unknown): JsonPiece[] {
  const pieces: JsonPiece[] = [];
  write(value, '', pieces);
  return merged(pieces);
}

/** A value as indented JSON, whole, with small things on one line. */
export function prettyJson(value: unknown): string {
  return foldedJson(value)
    .map((piece) => (piece.kind === 'text' ? piece.text : piece.all()))
    .join('');
}

function write(value: unknown, indent: string, out: JsonPiece[]): void {
  const line = lineOf(value);
  if (line !== null) out.push(text(line));
  else if (isVector(value)) writeVector(value, out);
  else if (Array.isArray(value)) writeList(value, indent, out);
  else writeObject(value, indent, out);
}

function writeVector(values: readonly number[], out: JsonPiece[]): void {
  const first = values.slice(0, FIRST_NUMBERS).join(', ');
  const all = () => values.slice(FIRST_NUMBERS).join(', ');
  out.push(text(`[${first}, `), { kind: 'fold', at: 0, count: values.length - FIRST_NUMBERS, all }, text(']'));
}

function writeList(values: readonly unknown[], indent: string, out: JsonPiece[]): void {
  const inner = `${indent}  `;
  out.push(text('['));
  for (const [at, value] of values.slice(0, SHOWN_ITEMS).entries()) {
    out.push(text(`${at === 0 ? '' : ','}\n${inner}`));
    write(value, inner, out);
  }
  const rest = values.slice(SHOWN_ITEMS);
  const all = () => rest.map((value) => JSON.stringify(value)).join(`,\n${inner}`);
  if (rest.length > 0) out.push(text(`,\n${inner}`), { kind: 'fold', at: 0, count: rest.length, all });
  out.push(text(`\n${indent}]`));
}

function writeObject(value: unknown, indent: string, out: JsonPiece[]): void {
  const inner = `${indent}  `;
  out.push(text('{'));
  for (const [at, [key, field]] of Object.entries(value ?? {}).entries()) {
    out.push(text(`${at === 0 ? '' : ','}\n${inner}${JSON.stringify(key)}: `));
    write(field, inner, out);
  }
  out.push(text(`\n${indent}}`));
}

/** Small and flat values on one line; null for larger ones. */
function lineOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isVector(value)) return value.length > SHOWN_NUMBERS ? null : `[${value.join(', ')}]`;
  const fields = Object.entries(value);
  if (fields.length > 2 * SHOWN_NUMBERS || fields.some(([, field]) => isNested(field))) return null;
  const parts = fields.map(([key, field]) => (Array.isArray(value) ? '' : `${JSON.stringify(key)}: `) + lineOf(field));
  const joined = parts.join(', ');
  if (joined.length > LINE_CHARACTERS) return null;
  if (Array.isArray(value)) return `[${joined}]`;
  return parts.length === 0 ? '{}' : `{ ${joined} }`;
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'number');
}

function text(content: string): JsonPiece {
  return { kind: 'text', text: content };
}

/** One element on the page for each run of text, not for each token of it. */
function merged(pieces: readonly JsonPiece[]): JsonPiece[] {
  const out: JsonPiece[] = [];
  let open = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') open += piece.text;
    else {
      out.push(text(open), { ...piece, at: out.length });
      open = '';
    }
  }
  return [...out, text(open)].filter((piece) => piece.kind === 'fold' || piece.text !== '');
}
