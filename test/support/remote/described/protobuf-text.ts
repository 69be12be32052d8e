/** What a field of a message holds: a scalar, one of an enum's names, or a message. */
export type FieldKind = 'string' | 'int32' | 'int64' | 'bool' | readonly string[] | MessageKind;

/** Fields of a message by name. */
export interface MessageKind {
  readonly fields: Readonly<Record<string, { readonly kind: FieldKind; readonly repeated?: boolean }>>;
}

/** A message as it was read: a list where the field is repeated. */
export type Message = { readonly [field: string]: unknown };

/** A text that the format or the message's kind forbids. */
export class TextFormatError extends Error {}

const TOKEN = /(?:\s+|#[^\n]*)*(?:([A-Za-z_]\w*)|([+-]?\d[\w.+-]*)|("(?:[^"\\\n]|\\["\\n])*")|([{}[\]:,;]))/y;

/**
 * Reads a message in protobuf's text format, strictly: an unknown field, a value of another type, and a second value of a
 * field that is not repeated are refused. Left out are what no file of ours may use: extensions, `<>`, octal numbers, floats.
 *
 * @throws {TextFormatError} naming what was expected and what came
 * @source protobuf.dev, "Text Format Language Specification"
 */
export function readTextFormat(text: string, kind: MessageKind): Message {
  const tokens = tokensOf(text);
  let at = 0;
  const next = () => tokens[at] ?? '';
  const take = (wanted?: string): string => {
    const token = next();
    if (wanted !== undefined && token !== wanted) throw new TextFormatError(`expected "${wanted}", got "${token}"`);
    at += 1;
    return token;
  };
  const scalar = (field: string, wanted: FieldKind): unknown => {
    const token = take();
    const value = scalarOf(token, wanted);
    if (value === undefined) throw new TextFormatError(`${field}: expected ${said(wanted)}, got ${token}`);
    return value;
  };
  const one = (field: string, wanted: FieldKind): unknown => {
    if (!isMessage(wanted)) return scalar(field, wanted);
    take('{');
    const value = message(wanted, '}');
    take('}');
    return value;
  };
  const listed = (field: string, wanted: FieldKind): unknown[] => {
    const values: unknown[] = [];
    take('[');
    for (; next() !== ']'; next() !== ']' && take(',')) values.push(one(field, wanted));
    take(']');
    return values;
  };
  function message({ fields }: MessageKind, end: string): Message {
    const found: Record<string, unknown[]> = {};
    while (next() !== end) {
      const field = take();
      const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
      if (!known) throw new TextFormatError(`unknown field "${field}"`);
      if (next() === ':' || !isMessage(known.kind)) take(':');
      if (!known.repeated && found[field]) throw new TextFormatError(`${field}: a second value`);
      const values = known.repeated && next() === '[' ? listed(field, known.kind) : [one(field, known.kind)];
      found[field] = [...(found[field] ?? []), ...values];
      if (next() === ',' || next() === ';') take();
    }
    return Object.fromEntries(
      Object.entries(found).map(([field, values]) => [field, fields[field]?.repeated ? values : values[0]]),
    );
  }
  return message(kind, '');
}

function tokensOf(text: string): readonly string[] {
  const end = text.trimEnd().length;
  const tokens: string[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end;) {
    const from = TOKEN.lastIndex;
    const [, ...groups] = TOKEN.exec(text) ?? [];
    const token = groups.find((group) => group !== undefined);
    if (token === undefined)
      throw new TextFormatError(`expected a token, got ${JSON.stringify(text.slice(from, from + 20))}`);
    tokens.push(token);
  }
  return tokens;
}

function isMessage(kind: FieldKind): kind is MessageKind {
  return typeof kind === 'object' && 'fields' in kind;
}

const RANGES = { int32: 31n, int64: 63n } as const;

function scalarOf(token: string, kind: FieldKind): unknown {
  if (kind === 'string') return token.startsWith('"') ? (JSON.parse(token) as string) : undefined;
  if (kind === 'bool') return token === 'true' || token === 'false' ? token === 'true' : undefined;
  if (Array.isArray(kind)) return kind.includes(token) ? token : undefined;
  if ((kind !== 'int32' && kind !== 'int64') || !/^-?(?:0|[1-9]\d*)$/.test(token)) return undefined;
  const limit = 1n << RANGES[kind];
  return BigInt(token) >= -limit && BigInt(token) < limit ? Number(token) : undefined;
}

function said(kind: FieldKind): string {
  return typeof kind === 'string' ? kind : `one of ${Array.isArray(kind) ? kind.join(', ') : 'its fields'}`;
}
