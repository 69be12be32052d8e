import { messageOf } from '../../../../src/contract/failure.ts';
import { isRecord } from '../../../../src/contract/records.ts';
import { shown } from '../../../../src/contract/shown.ts';
import { call, createGrammar, either, type Part, type Rule } from './grammar.ts';
import { areExclusive } from './one-of.ts';
import { below, invalidSchema, type SchemaFields, type SchemaPlace } from './place.ts';
import { type Context, TYPE_KEYWORDS, TYPES, type Type, typedParts } from './typed-parts.ts';

/** Schemas within schemas. */
const MAX_DEPTH = 64;

/** Keywords that allow no fewer texts. */
const ANNOTATIONS = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  'discriminator', // of OpenAPI, beside oneOf
  '$schema',
  '$id',
  '$defs',
  'definitions',
];

/** Keywords that say all that is allowed. */
const WHOLE = ['$ref', 'anyOf', 'oneOf', 'allOf', 'const', 'enum'];

const SERVED = new Set<string>([...ANNOTATIONS, ...WHOLE, 'type', ...Object.values(TYPE_KEYWORDS).flat()]);

/**
 * The grammar of the JSON texts that a schema allows. Every text of the grammar is valid; not every valid text is one of the grammar:
 * properties come in the order of the schema, further ones only where `additionalProperties` says so, white space is a space after
 * `,` or `:`, and each character is written in one way.
 *
 * @param path  of the schema in the request
 * @throws {FailureError} INVALID_REQUEST that names the keyword which is not served, and its place
 * @source JSON Schema 2020-12
 */
export function schemaGrammar(schema: unknown, path: string): Rule {
  const grammar = createGrammar(path);
  const context: Context = { root: schema, path, grammar, rules: new Map(), part: schemaPart, shared: new Map() };
  const rule = grammar.rule(schemaPart(schema, { path, depth: 0, open: [] }, context));
  const live = grammar.prune();
  const dead = [...context.rules.values()].findLast(({ rule: { start } }) => !live.has(start));
  if (dead) throw invalidSchema(dead.path, 'a schema that a finite text can meet', 'one that none meets');
  return rule;
}

function schemaPart(given: unknown, place: SchemaPlace, context: Context): Part {
  const schema = given === true ? ANYTHING : given;
  if (!isRecord(schema)) throw invalidSchema(place.path, 'a schema that is an object or true', shown(schema));
  if (place.open.includes(schema)) throw invalidSchema(place.path, 'a schema', 'a reference to itself');
  const known = context.rules.get(schema);
  if (known) return call(known.rule);
  if (place.depth > MAX_DEPTH)
    throw invalidSchema(context.path, `at most ${MAX_DEPTH} schemas within each other`, 'more');
  const rule = context.grammar.rule();
  context.rules.set(schema, { rule, path: place.path });
  bodyOf(schema, place, context)(rule.start, rule.end);
  return call(rule);
}

/** Stands for the schema `true`. */
const ANYTHING: SchemaFields = {};

function bodyOf(schema: SchemaFields, place: SchemaPlace, context: Context): Part {
  for (const [keyword, value] of Object.entries(schema))
    if (!SERVED.has(keyword))
      throw invalidSchema(below(place, keyword).path, 'no such keyword, because it is not served', shown(value));
  const whole = WHOLE.find((keyword) => keyword in schema);
  if (whole === undefined) return typedPart(schema, place, context);
  const isValue = whole === 'const' || whole === 'enum';
  for (const keyword of Object.keys(schema))
    if (keyword !== whole && !ANNOTATIONS.includes(keyword) && !(isValue && keyword === 'type'))
      throw invalidSchema(below(place, keyword).path, `no such keyword beside ${whole}`, shown(schema[keyword]));
  const inner = { ...below(place, whole), open: [...place.open, schema] };
  if (whole === '$ref') return schemaPart(referred(schema['$ref'], inner, context), inner, context);
  const list = whole === 'const' ? [schema[whole]] : schema[whole];
  if (!Array.isArray(list) || list.length === 0)
    throw invalidSchema(inner.path, 'a list that is not empty', shown(schema[whole]));
  if (isValue) return valuePart(list, schema, inner.path, context);
  if (whole === 'allOf' && list.length > 1) throw invalidSchema(inner.path, 'one schema', `${list.length}`);
  const named = (each: unknown) => (isRecord(each) && '$ref' in each ? referred(each['$ref'], inner, context) : each);
  if (whole === 'oneOf' && list.length > 1 && !areExclusive(list.map(named)))
    throw invalidSchema(inner.path, 'schemas of other types, or with other values of a required property', 'others');
  return either(
    list.map((each, index) => schemaPart(each, { ...below(place, whole, index), open: inner.open }, context)),
  );
}

/** What a reference into the schema names. @source RFC 6901 */
function referred(reference: unknown, { path }: SchemaPlace, { root }: Context): unknown {
  const [, pointer] = /^#((?:\/.*)?)$/s.exec(typeof reference === 'string' ? reference : '') ?? [];
  if (pointer === undefined) throw invalidSchema(path, 'a reference such as "#/$defs/name"', shown(reference));
  let target = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const parent: unknown = target;
    target = typeof parent === 'object' && parent && Object.hasOwn(parent, key) ? Reflect.get(parent, key) : undefined;
  }
  if (target === undefined) throw invalidSchema(path, 'a reference to a part of the schema', shown(reference));
  return target;
}

/** Part of a URI; text that is not encoded rightly stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** One of some values, written without white space. */
function valuePart(values: readonly unknown[], schema: SchemaFields, path: string, { grammar }: Context): Part {
  const types = typesOf(schema, path);
  const allowed = types ? values.filter((value) => isOfTypes(value, types)) : values;
  if (allowed.length === 0) throw invalidSchema(path, `a value of the type ${types?.join(' or ')}`, shown(values));
  return grammar.words(allowed.map((value) => jsonOf(value, path)));
}

/** @throws {FailureError} INVALID_REQUEST for a value that is nested too deeply */
function jsonOf(value: unknown, path: string): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw invalidSchema(path, 'values that can be written', messageOf(error));
  }
}

function isOfTypes(value: unknown, types: readonly Type[]): boolean {
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return types.some((each) => each === type);
}

/** `type` as a list; undefined: not given. */
function typesOf({ type }: SchemaFields, path: string): readonly Type[] | undefined {
  if (type === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  const types = TYPES.filter((each) => names.includes(each));
  if (types.length === 0 || types.length < new Set(names).size)
    throw invalidSchema(`${path}.type`, `one or several of ${TYPES.join(', ')}`, shown(type));
  return types;
}

/** Without `type` the types whose keywords are given; without those every type. */
function typedPart(schema: SchemaFields, place: SchemaPlace, context: Context): Part {
  const implied = TYPES.filter((type) => TYPE_KEYWORDS[type].some((keyword: string) => keyword in schema));
  const types = typesOf(schema, place.path) ?? (implied.length > 0 ? implied : TYPES);
  const distinct = types.filter((type) => type !== 'integer' || !types.includes('number'));
  return either(distinct.map((type) => typedParts[type](schema, place, context)));
}
