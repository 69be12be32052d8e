import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../../../../src/contract/failure.ts';
import { schemaGrammar } from '../../../../../../workers/operations/complete/json/schema.ts';
import { createMatcher } from '../../../../../../workers/operations/complete/json/matcher.ts';

/** Whether a text is one that a schema's grammar has. */
function isRead(schema: unknown, text: string): boolean {
  const { start, step } = createMatcher(schemaGrammar(schema, 'schema'), 'schema');
  let at: typeof start | null = start;
  for (const byte of new TextEncoder().encode(text)) at &&= step(at, byte);
  return at?.mayEnd === true;
}

/** The message with which a schema is refused. */
function refusalOf(schema: unknown): string {
  try {
    createMatcher(schemaGrammar(schema, 'schema'), 'schema');
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'INVALID_REQUEST') return error.message;
    throw error;
  }
  return 'none';
}

/** An object with a property of one value. */
const tagged = (kind: string, required = ['kind']) => ({
  type: 'object',
  properties: { kind: { const: kind } },
  required,
});

const nested = (depth: number, innermost: unknown = true): unknown => {
  let schema = innermost;
  for (let level = 0; level < depth; level++) schema = { type: 'array', items: schema };
  return schema;
};
const many = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => value(index));

describe('schemaGrammar', () => {
  it.each([
    [
      { type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'null' } }, required: ['b'] },
      ['{"b":null}', '{"a": true, "b": null}'],
      ['{"a":true}', '{"b":null,"a":true}', '{"b": null }', '{"b":null,}'],
    ],
    [{ type: 'object' }, ['{}', '{"a":[1, {"b":null}]}'], ['[]', '{"a"}', '{1:2}']],
    [
      { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: { type: 'boolean' } },
      ['{"a":1}', '{"ab":true}', '{"a":1,"b":true,"":false}', '{"b":true}'],
      ['{"a":true}', '{"b":1}', '{"b":true,"a":1}'],
    ],
    [
      { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 },
      ['[1]', '[1, 2]', '[-10,0]'],
      ['[]', '[1,2,3]', '[01]', '[1.5]'],
    ],
    [{ type: 'array', prefixItems: [{ type: 'null' }] }, ['[]', '[null]', '[null,1,"a"]'], ['[1]']],
    [{ type: 'string' }, ['""', '"é😀"', '"\\n\\u0001\\""'], ['"\n"', '"\\u00e9"', '"a', 'a']],
    [{ type: 'string', maxLength: 1 }, ['""', '"😀"'], ['"ab"']],
    [{ type: 'number' }, ['0', '-1.5e-10', '123456789012345'], ['01', '1e999', '+1', '.5', '1.']],
    [
      { type: 'integer', minimum: 10, maximum: 1005 },
      ['10', '99', '100', '999', '1000', '1005'],
      ['9', '1006', '010', '2000', ''],
    ],
    [
      { type: 'number', minimum: -0.25, exclusiveMaximum: 1.5 },
      ['-0.25', '0', '0.0', '1.499999', '1', '-0.1'],
      ['-0.26', '1.5', '1.50', '-0.250001', '2', '1e0'],
    ],
    [{ type: 'string', pattern: 'b' }, ['"abc"', '"b"'], ['"ac"', '""']],
    [{ type: 'string', pattern: '^a|b$' }, ['"ax"', '"xb"', '"a"'], ['"xa"', '"bx"']],
    [{ type: 'string', pattern: '^(?:a{2,3}|[^\\d\\s]){2}?$' }, ['"aaaa"', '"éx"'], ['"a1"', '"a"']],
    [{ type: 'string', pattern: '^$' }, ['""'], ['"a"']],
    [{ enum: ['a', 'ab', 1, { x: [1] }] }, ['"a"', '"ab"', '1', '{"x":[1]}'], ['"abc"', '{"x": [1]}']],
    [{ anyOf: [{ const: 1 }, { type: 'string', maxLength: 1 }] }, ['1', '"x"'], ['2', '"xy"']],
    [true, ['null', '[[], {}]', '{"a":{}}'], ['nul', '']],
  ])('reads the texts of %j and no others', (schema, read, notRead) => {
    for (const text of read) expect(isRead(schema, text), text).toBe(true);
    for (const text of notRead) expect(isRead(schema, text), text).toBe(false);
  });

  it.each([
    [
      'a keyword that is not served',
      { items: { uniqueItems: true } },
      /^schema\.items\.uniqueItems: expected no such keyword, because it is not served, got true$/,
    ],
    [
      'an unknown keyword of a name with a space',
      { properties: { 'a b': { x: 1 } } },
      /^schema\.properties\["a b"\]\.x: expected no such keyword/,
    ],
    [
      'keywords beside anyOf',
      { anyOf: [{ type: 'null' }], minLength: 2 },
      /^schema\.minLength: expected no such keyword beside anyOf, got 2$/,
    ],
    [
      'schemas of oneOf that a value may meet together',
      { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      /^schema\.oneOf: expected schemas of other types, or with other values of a required property, got others$/,
    ],
    [
      'an optional property that tells schemas of oneOf apart',
      { oneOf: [tagged('a', []), tagged('b', [])] },
      /^schema\.oneOf: /,
    ],
    ['the same value in schemas of oneOf', { oneOf: [tagged('a'), tagged('b'), tagged('a')] }, /^schema\.oneOf: /],
    [
      'names of properties',
      { propertyNames: { maxLength: 3 } },
      /^schema\.propertyNames: expected {"type":"string"}, got/,
    ],
    ['an empty anyOf', { anyOf: [] }, /^schema\.anyOf: expected a list that is not empty/],
    ['an unknown type', { type: 'text' }, /^schema\.type: expected one or several of object, array/],
    ['a type twice', { type: ['null', 'text'] }, /^schema\.type: /],
    ['the schema false', { items: false, minItems: 1 }, /^schema\.minItems: expected at most 0, got 1$/],
    [
      'a property that may not be',
      { properties: { a: false } },
      /^schema\.properties\.a: expected a schema that is an object or true, got false$/,
    ],
    ['no schema', { items: 5 }, /^schema\.items: expected a schema that is an object or true, got 5$/],
    [
      'a reference elsewhere',
      { $ref: 'https://a.example/x' },
      /^schema\.\$ref: expected a reference such as "#\/\$defs\/name"/,
    ],
    [
      'a reference to nothing',
      { $ref: '#/$defs/toString' },
      /^schema\.\$ref: expected a reference to a part of the schema/,
    ],
    ['a reference to itself', { $ref: '#' }, /^schema\.\$ref: expected a schema, got a reference to itself$/],
    [
      'alternatives of itself',
      { anyOf: [{ type: 'null' }, { $ref: '#' }] },
      /^schema\.anyOf\[1\]\.\$ref: expected a schema, got a reference to itself$/,
    ],
    [
      'a schema that needs itself',
      { properties: { a: { $ref: '#' } }, required: ['a'] },
      /a schema that a finite text can meet, got one that none meets$/,
    ],
    [
      'a pattern that no length meets',
      { properties: { a: { type: 'string', pattern: '^a{3}$', maxLength: 2 } }, required: ['a'] },
      /^schema\.properties\.a: expected a schema that a finite text can meet/,
    ],
    [
      'a range without numbers',
      { type: 'integer', minimum: 1.2, maximum: 1.8 },
      /^schema: expected bounds with a number of at most 15 digits/,
    ],
    [
      'a pattern that is none',
      { pattern: '(' },
      /^schema\.pattern: expected a regular expression with the flag u, got .*[Uu]nterminated/,
    ],
    [
      'a look ahead',
      { pattern: '^(?=a)' },
      /^schema\.pattern: expected characters, classes, groups, quantifiers, \^ at the beginning and \$ at the end, got "\(\?=a\)"$/,
    ],
    ['an anchor inside', { pattern: '(^a|b)' }, /got "\^"$/],
    ['a back reference', { pattern: '(a)\\1' }, /got "\\\\1"$/],
    ['a property of Unicode', { pattern: '\\p{L}' }, /got "\\\\p\{L\}"$/],
    ['an unknown format', { format: 'color' }, /^schema\.format: expected one of date, time/],
    [
      'a value of another type',
      { type: 'string', const: 1 },
      /^schema\.const: expected a value of the type string, got \[1\]$/,
    ],
    ['a length that is none', { minLength: -1 }, /^schema\.minLength: expected a whole number ≥ 0, got -1$/],
    ['lengths the wrong way round', { minLength: 3, maxLength: 2 }, /^schema\.minLength: expected at most 2, got 3$/],
    ['a bound that is none', { minimum: '1' }, /^schema\.minimum: expected a number, got "1"$/],
    ['required that is none', { required: 'a' }, /^schema\.required: expected a list of names/],
  ])('refuses %s', (_, schema, message) => {
    expect(refusalOf(schema)).toMatch(message);
  });

  it.each([
    ['deeply nested schemas', nested(1_000), /at most 64 schemas within each other/],
    ['very deeply nested schemas', nested(200_000), /at most 64 schemas within each other/],
    ['a deeply nested value', { const: nested(200_000) }, /schema\.const: /],
    ['a huge enumeration', { enum: many(200_000, (index) => `value ${index}`) }, /at most 50000 states/],
    ['a huge text', { const: 'a'.repeat(10_000_000) }, /at most 50000 states/],
    [
      'many properties',
      { properties: Object.fromEntries(many(100_000, (index) => [`p${index}`, {}])) },
      /at most 50000 states/,
    ],
    ['many required names', { required: many(100_000, (index) => `p${index}`) }, /at most 50000 states/],
    ['many alternatives', { anyOf: many(100_000, () => ({ type: 'null' })) }, /at most 50000 states/],
    ['alternatives without end', { anyOf: many(20_000, (index) => ({ const: index % 7 })) }, /too many steps|states/],
    ['repeated repetitions', { pattern: '^(((a{0,99}){0,99}){0,99}){0,99}$' }, /at most 200000 states/],
    ['repetitions of nothing', { pattern: '^(){1000000000}$' }, /at most 200000 states/],
    ['nested groups', { pattern: `${'('.repeat(50_000)}a${')'.repeat(50_000)}` }, /at most 2000 characters/],
    ['a long minimum', { minLength: 1e9 }, /at most 10000/],
    ['a large product', { pattern: '^(a|b|ab|ba|aab){0,300}$', maxLength: 3000 }, /states/],
    [
      'many long lengths of texts that a pattern forbids',
      {
        properties: Object.fromEntries(
          many(5_000, (index) => [`p${index}`, { minLength: 4_000 + index, pattern: '^$' }]),
        ),
      },
      /at most 50000 states/,
    ],
    ['bounds with many digits', { minimum: 1e308 }, /15 digits/],
    ['tiny bounds', { exclusiveMinimum: 0, maximum: 5e-324 }, /15 digits/],
  ])('bounds %s', (_, schema, message) => {
    expect(refusalOf(schema)).toMatch(message);
  });

  it.each([
    ['an ambiguous pattern', { pattern: '^(a|a)*b$' }],
    ['nested loops', { pattern: '^((a*)*b?)*$', maxLength: 5 }],
    ['exponentially many automaton states', { pattern: '^[ab]*a[ab]{15}$', maxLength: 20 }],
    ['a long maximum', { type: 'string', maxLength: 1e12 }],
    [
      'a class of many characters, repeated',
      {
        pattern: `^[${many(900, (index) => String.fromCodePoint(0x400 + 2 * index)).join('')}]{9999}$`,
        maxLength: 9_999,
      },
    ],
    ['recursion', { type: 'array', items: { $ref: '#' }, maxItems: 2 }],
  ])('serves %s', (_, schema) => {
    expect(refusalOf(schema)).toBe('none');
  });
});
