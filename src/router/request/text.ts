import { FailureError } from '../../contract/failure.ts';

/**
 * A text that a tokeniser can read.
 *
 * @param path  of the text in the request
 * @throws {FailureError} INVALID_REQUEST for lone surrogates
 */
export function wellFormed(text: string, path: string): string {
  if (text.isWellFormed()) return text; // native; on a long document the search below would block the page
  const lone = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.exec(text);
  throw invalid(path, 'well-formed Unicode', `a lone surrogate at UTF-16 offset ${lone?.index}`);
}

/**
 * A text that gives a model something to predict or to answer.
 *
 * @throws {FailureError} INVALID_REQUEST for an empty text, or one that is not well-formed
 */
export function nonEmptyText(text: string, path: string): string {
  if (text === '') throw invalid(path, 'at least one token', 'an empty string');
  return wellFormed(text, path);
}

/** A request that fits its schema and still cannot be carried out. */
export function invalid(path: string, expected: string, got: string): FailureError {
  return new FailureError('INVALID_REQUEST', `${path}: expected ${expected}, got ${got}`);
}
