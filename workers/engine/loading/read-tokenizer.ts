import { FailureError } from '../../../src/contract/failure.ts';
import { createTokenizer, type Tokenizer } from './tokenizer.ts';

/**
 * The tokenizer of a folder that anybody made.
 *
 * @param json    `tokenizer.json`, parsed
 * @param config  `tokenizer_config.json`, parsed
 * @throws {FailureError} MODEL_UNAVAILABLE naming file and field
 */
export function readTokenizer(json: object, config: object): Tokenizer {
  const { model } = { ...json } as { readonly model?: unknown };
  if (typeof model !== 'object' || model === null) throw wrong('model', 'an object', model);
  const { vocab } = { ...model } as { readonly vocab?: unknown };
  if (typeof vocab !== 'object' || vocab === null) throw wrong('model.vocab', 'a vocabulary', vocab);
  try {
    return createTokenizer(json, config);
  } catch (error) {
    // The library says what it stumbled over and nothing else; whatever it throws, the file is the cause.
    const cause = error instanceof Error ? error.message : String(error);
    throw new FailureError('MODEL_UNAVAILABLE', `tokenizer.json cannot be read as a tokenizer: ${cause}`);
  }
}

function wrong(field: string, expected: string, got: unknown): FailureError {
  return new FailureError(
    'MODEL_UNAVAILABLE',
    `tokenizer.json: ${field}: expected ${expected}, got ${JSON.stringify(got)?.slice(0, 60) ?? 'nothing'}`,
  );
}
