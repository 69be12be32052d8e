import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../../../../src/contract/failure.ts';
import { createTokenizer } from '../../../../../../workers/engine/loading/tokenizer.ts';
import { fakeTokenizer } from '../../../../../support/fakes/fake-model.ts';
import { randomText } from '../../../../../support/json/random-text.ts';
import { randomSchema } from '../../../../../support/json/random-schema.ts';
import { SCHEMAS } from '../../../../../support/json/schemas.ts';
import { SMALL_TOKENIZERS } from '../../../../../support/tokenizers/small-tokenizers.ts';

const ajv = addFormats.default(new Ajv2020({ strict: false, ownProperties: true }));
const model = { tokenizer: fakeTokenizer() };

describe('jsonConstraint', () => {
  it.each(Object.entries(SCHEMAS))('leaves tokens of valid JSON: %s', (_, schema) => {
    const isValid = ajv.compile(schema);
    for (let seed = 0; seed < 5; seed++) {
      const text = randomText(schema, model, { seed });
      expect(text).not.toBeNull();
      expect(isValid(JSON.parse(text ?? '')), `${text}: ${JSON.stringify(isValid.errors)}`).toBe(true);
    }
  });

  it.each(['byte level', 'byte level, prefix space', 'byte fallback'])('reads the bytes of a tokenizer: %s', (name) => {
    const tokenizer = createTokenizer(SMALL_TOKENIZERS[name] ?? {}, {});
    const schema = {
      type: 'object',
      properties: { 'the Paris é': { type: 'string', maxLength: 6 }, n: { type: 'integer', minimum: 5, maximum: 120 } },
      required: ['the Paris é', 'n'],
    };
    for (let seed = 0; seed < 20; seed++) {
      const text = randomText(schema, { tokenizer }, { seed });
      expect(ajv.validate(schema, JSON.parse(text ?? '')), text ?? '').toBe(true);
    }
  });

  it.each(['WordPiece, BERT', 'Unigram, NFKC'])('refuses JSON that the tokens cannot write: %s', (name) => {
    const tokenizer = createTokenizer(SMALL_TOKENIZERS[name] ?? {}, {});
    expect(() => randomText({ type: 'object' }, { tokenizer }, { seed: 1 })).toThrow(
      /^schema: expected JSON that the tokens of the model can write/,
    );
  });

  it('never leaves tokens of invalid JSON, whatever the schema', () => {
    fc.assert(
      fc.property(randomSchema, fc.nat(), (schema, seed) => {
        const text = textOrRefusal(schema, seed);
        if (text === null) return;
        const value: unknown = JSON.parse(text);
        const isValid = compiled(schema);
        expect(isValid === null || isValid(value), `${text} by ${JSON.stringify(schema)}`).toBe(true);
      }),
      { numRuns: 300, seed: Number(process.env['FUZZ_SEED'] ?? 1) },
    );
  });
});

/** A random text; null where the schema is refused, or no end is found soon. */
function textOrRefusal(schema: unknown, seed: number): string | null {
  try {
    return randomText(schema, model, { seed, most: 60 });
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'INVALID_REQUEST') return null;
    throw error;
  }
}

/** A validator; null for what is no schema. */
function compiled(schema: unknown) {
  try {
    return ajv.compile(schema as object);
  } catch {
    return null;
  }
}
