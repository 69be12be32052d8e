import { isRecord } from '../../../../src/contract/records.ts';
import { shown } from '../../../../src/contract/shown.ts';
import { lengths, otherThan, textPart } from './automaton.ts';
import type { Node } from './characters.ts';
import { FORMAT_PATTERNS } from './formats.ts';
import { call, type GrammarBuilder, type Part, type Rule } from './grammar.ts';
import { BOUNDS, type Bounds, numberPart } from './numbers.ts';
import { patternTexts } from './pattern.ts';
import { below, invalidSchema, type SchemaFields, type SchemaPlace } from './place.ts';

/** What the parts of a schema share. */
export interface Context {
  /** The whole schema, and its path in the request. */
  readonly root: unknown;
  readonly path: string;
  readonly grammar: GrammarBuilder;
  /** The rules of schemas that were met. */
  readonly rules: Map<object, { readonly rule: Rule; readonly path: string }>;
  /** The rules of texts and numbers, by their keywords. */
  readonly shared: Map<string, Rule>;
  part(schema: unknown, place: SchemaPlace, context: Context): Part;
}

/** The keywords of each type of JSON. */
export const TYPE_KEYWORDS = {
  object: ['properties', 'required', 'additionalProperties', 'propertyNames'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: BOUNDS,
  integer: BOUNDS,
  boolean: [],
  null: [],
} as const;

/** A value of `type`. */
export type Type = keyof typeof TYPE_KEYWORDS;

/** All types. */
export const TYPES = Object.keys(TYPE_KEYWORDS) as readonly Type[];

type TypePart = (schema: SchemaFields, place: SchemaPlace, context: Context) => Part;

/** What a schema allows of each type. */
export const typedParts: Readonly<Record<Type, TypePart>> = {
  null: (_schema, _place, { grammar }) => grammar.words(['null']),
  boolean: (_schema, _place, { grammar }) => grammar.words(['true', 'false']),
  number: (schema, place, context) => boundedNumber(schema, 'number', place, context),
  integer: (schema, place, context) => boundedNumber(schema, 'integer', place, context),
  string: stringPart,
  array: arrayPart,
  object: objectPart,
};

/** Numbers without bounds: 15 digits, so that a float64 tells them apart, and no exponent beyond its range. */
const UNBOUNDED = {
  integer: '^-?(0|[1-9]\\d{0,14})$',
  number: '^-?(0|[1-9]\\d{0,14})(\\.\\d{1,15})?([eE][+-]?\\d{1,2})?$',
} as const;

function boundedNumber(schema: SchemaFields, type: 'number' | 'integer', place: SchemaPlace, context: Context): Part {
  const bounds: Bounds = Object.fromEntries(
    BOUNDS.filter((bound) => bound in schema).map((bound) => {
      const value = schema[bound];
      if (typeof value !== 'number') throw invalidSchema(below(place, bound).path, 'a number', shown(value));
      return [bound, value];
    }),
  );
  return shared(JSON.stringify([type, bounds]), context, () =>
    Object.keys(bounds).length > 0
      ? numberPart(bounds, type === 'integer', place.path, context.grammar)
      : textPart([patternTexts(UNBOUNDED[type], place.path, context.grammar)], context.grammar),
  );
}

function stringPart(schema: SchemaFields, place: SchemaPlace, context: Context): Part {
  const [least, most] = limits(schema, 'minLength', 'maxLength', place);
  const key = JSON.stringify([least, `${most}`, schema['pattern'], schema['format']]);
  return shared(key, context, () =>
    quoted([lengths(least, most, context.grammar), ...patternsOf(schema, place, context)], context),
  );
}

function patternsOf({ pattern, format }: SchemaFields, place: SchemaPlace, { grammar }: Context): readonly Node[] {
  const known = Object.entries(FORMAT_PATTERNS).find(([name]) => name === format)?.[1];
  if (format !== undefined && known === undefined) {
    const expected = `one of ${Object.keys(FORMAT_PATTERNS).join(', ')}`;
    throw invalidSchema(below(place, 'format').path, expected, shown(format));
  }
  const { path } = below(place, 'pattern');
  if (pattern !== undefined && typeof pattern !== 'string')
    throw invalidSchema(path, 'a regular expression', shown(pattern));
  return [pattern, known].filter((source) => source !== undefined).map((source) => patternTexts(source, path, grammar));
}

/** A text of JSON that all automata read. */
function quoted(automata: readonly Node[], { grammar }: Context): Part {
  const { sequence, words } = grammar;
  return sequence(words(['"']), textPart(automata, grammar), words(['"']));
}

/** A part that is built once for the same keywords. */
function shared(key: string, { shared: known, grammar }: Context, build: () => Part): Part {
  const rule = known.get(key) ?? grammar.rule(build());
  known.set(key, rule);
  return call(rule);
}

/** Of a longer limit of characters or items this much is used. */
const MAX_COUNT = 10_000;

/** @returns the least and the most; Infinity: no limit */
function limits(schema: SchemaFields, lower: string, upper: string, place: SchemaPlace) {
  const countOf = (keyword: string, missing: number) => {
    const value = schema[keyword] ?? missing;
    if (typeof value === 'number' && value >= 0 && (Number.isInteger(value) || value === missing)) return value;
    throw invalidSchema(below(place, keyword).path, 'a whole number ≥ 0', shown(value));
  };
  const [least, most] = [countOf(lower, 0), countOf(upper, Infinity)];
  if (least > Math.min(most, MAX_COUNT))
    throw invalidSchema(below(place, lower).path, `at most ${Math.min(most, MAX_COUNT)}`, `${least}`);
  return [least, most === Infinity ? most : Math.min(most, MAX_COUNT)] as const;
}

/** After a comma or a colon a model may write a space. */
function separator(mark: ',' | ':', { words }: GrammarBuilder): Part {
  return words([mark, `${mark} `]);
}

function arrayPart(schema: SchemaFields, place: SchemaPlace, context: Context): Part {
  const { state, words, sequence } = context.grammar;
  const { items = true, prefixItems = [] } = schema;
  if (!Array.isArray(prefixItems))
    throw invalidSchema(below(place, 'prefixItems').path, 'a list of schemas', shown(prefixItems));
  const [least, wanted] = limits(schema, 'minItems', 'maxItems', place);
  const most = items === false ? Math.min(wanted, prefixItems.length) : wanted;
  if (least > most) throw invalidSchema(below(place, 'minItems').path, `at most ${most}`, `${least}`);
  const item = (index: number) =>
    index < prefixItems.length
      ? context.part(prefixItems[index], below(place, 'prefixItems', index), context)
      : context.part(items, below(place, 'items'), context);
  const after = (index: number) => (index === 0 ? item(0) : sequence(separator(',', context.grammar), item(index)));
  return (from, to) => {
    let at = state();
    words(['['])(from, at);
    const states = most === Infinity ? Math.max(least, prefixItems.length, 1) : most;
    for (let index = 0; index < states; index++) {
      if (index >= least) words([']'])(at, to);
      const next = state();
      after(index)(at, next);
      at = next;
    }
    if (most === Infinity) after(states)(at, at);
    words([']'])(at, to);
  };
}

function objectPart(schema: SchemaFields, place: SchemaPlace, context: Context): Part {
  const { state, words, sequence } = context.grammar;
  const { entries, further } = propertiesOf(schema, place, context);
  const comma = separator(',', context.grammar);
  return (from, to) => {
    let first: ReturnType<typeof state> | null = state(); // no property was written; null: one must have been
    let later = state();
    words(['{'])(from, first);
    for (const { entry, isRequired } of entries) {
      const next = state();
      if (first) entry(first, next);
      sequence(comma, entry)(later, next);
      if (isRequired) first = null;
      else later.free.push(next);
      later = next;
    }
    if (further) {
      if (first) further(first, later);
      sequence(comma, further)(later, later);
    }
    if (first) words(['}'])(first, to);
    words(['}'])(later, to);
  };
}

/** Characters of a name beside which others are allowed. */
const MAX_NAME = 200;

/** The properties in their order, and what is allowed beside them; null: nothing. */
function propertiesOf(schema: SchemaFields, place: SchemaPlace, context: Context) {
  const { properties = {}, required = [] } = schema;
  if (!isRecord(properties)) throw invalidSchema(below(place, 'properties').path, 'an object', shown(properties));
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string'))
    throw invalidSchema(below(place, 'required').path, 'a list of names', shown(required));
  if ('propertyNames' in schema && shown(schema['propertyNames']) !== '{"type":"string"}')
    throw invalidSchema(below(place, 'propertyNames').path, '{"type":"string"}', shown(schema['propertyNames']));
  const needed = new Set(required);
  const names = [...new Set([...Object.keys(properties), ...needed])];
  const { additionalProperties = names.length === 0 } = schema;
  const entries = names.map((name) => {
    const isOwn = Object.hasOwn(properties, name);
    const value = isOwn
      ? context.part(properties[name], below(place, 'properties', name), context)
      : context.part(schema['additionalProperties'] ?? true, below(place, 'additionalProperties'), context);
    const key = context.grammar.words([JSON.stringify(name)]);
    return { entry: entryPart(key, value, context), isRequired: needed.has(name) };
  });
  if (additionalProperties === false) return { entries, further: null };
  const long = names.find((name) => name.length > MAX_NAME);
  if (long !== undefined)
    throw invalidSchema(below(place, 'properties').path, `names of at most ${MAX_NAME} characters`, shown(long));
  const value = context.part(additionalProperties, below(place, 'additionalProperties'), context);
  return { entries, further: entryPart(quoted([otherThan(names, context.grammar)], context), value, context) };
}

function entryPart(key: Part, value: Part, { grammar }: Context): Part {
  return call(grammar.rule(grammar.sequence(key, separator(':', grammar), value)));
}
