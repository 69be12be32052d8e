import fc from 'fast-check';

const small = fc.integer({ min: -1, max: 6 });
const bound = fc.oneof(
  fc.integer({ min: -1200, max: 1200 }),
  fc.double({ min: -30, max: 30, noNaN: true }),
  fc.constantFrom(0.1, 1e-7, -0.5, 1e15, 1e21),
);
const pattern = fc.oneof(
  fc.constantFrom(
    '^a+b?$',
    'x',
    '^[^"\\\\]{1,3}$',
    '^(é|😀|\\n)*$',
    '^\\d{2}(:\\d{2})?$',
    '(a|b$)',
    '^\\s?\\w\\S$',
    '(',
    '^(?=a)',
  ),
  fc.string({ maxLength: 6 }),
  fc.stringMatching(/^[ab(|)*?^$.[\]\d-]{1,8}$/),
);
/** Ajv compares no values with such names: it calls them as methods. */
const value = fc.jsonValue({ maxDepth: 2 }).filter((each) => !/valueOf|toString|__proto__/.test(JSON.stringify(each)));
/** Ajv never takes `__proto__` for a property. */
const name = fc
  .oneof(fc.constantFrom('a', 'b', 'ab', '"', '', 'constructor'), fc.string({ maxLength: 4 }))
  .filter((each) => each !== '__proto__');

/**
 * A JSON Schema of any make: mostly of keywords that are served, with values that they may have, and some of others.
 */
export const randomSchema = fc.letrec<{ schema: unknown; object: object }>((tie) => {
  const schema = tie('schema');
  const optional = { requiredKeys: [] };
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true, maxDepth: 4 },
      fc.record({ type: fc.constantFrom('null', 'boolean', 'string', 'number', 'integer', 'array', 'object', 'text') }),
      fc.record(
        {
          type: fc.constant('string'),
          minLength: small,
          maxLength: small,
          pattern,
          format: fc.constantFrom('date', 'uuid', 'email', 'x'),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constantFrom('number', 'integer'),
          minimum: bound,
          maximum: bound,
          exclusiveMinimum: bound,
          exclusiveMaximum: bound,
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        { enum: fc.array(value, { maxLength: 4 }), type: fc.constantFrom('string', 'number') },
        { requiredKeys: ['enum'] },
      ),
      fc.record({ const: value }),
      fc.constantFrom<unknown>(
        true,
        false,
        {},
        { $ref: '#' },
        { $ref: '#/$defs/x' },
        { uniqueItems: true },
        { not: {} },
        null,
        [],
      ),
      tie('object'),
      fc.record(
        {
          type: fc.constant('array'),
          items: schema,
          prefixItems: fc.array(schema, { maxLength: 2 }),
          minItems: small,
          maxItems: small,
        },
        { requiredKeys: ['type', 'items', 'maxItems'] },
      ),
      fc.record({ anyOf: fc.array(schema, { maxLength: 3 }) }),
      fc.record({ allOf: fc.array(schema, { maxLength: 2 }), title: fc.string() }, { requiredKeys: ['allOf'] }),
    ),
    object: fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(name, schema, { maxKeys: 3 }),
        required: fc.array(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), schema),
        $defs: fc.record({ x: schema }, optional),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
  };
}).schema;
