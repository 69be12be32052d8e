import { FailureError } from '../../../../src/contract/failure.ts';
import { shown } from '../../../../src/contract/shown.ts';

/** A schema, or a part of one. */
export type SchemaFields = Readonly<Record<string, unknown>>;

/** Where a schema stands. */
export interface SchemaPlace {
  /** In the request. */
  readonly path: string;
  readonly depth: number;
  /** Schemas that this one is a part of with no list or object between them. */
  readonly open: readonly object[];
}

/** The place of a value in a schema. @param keys  a keyword, then names or indices */
export function below({ path, depth }: SchemaPlace, ...keys: readonly (string | number)[]): SchemaPlace {
  const written = keys.map((key) => {
    if (typeof key === 'number') return `[${key}]`;
    return /^[\w$]+$/.test(key) ? `.${key}` : `[${shown(key)}]`;
  });
  return { path: path + written.join(''), depth: depth + 1, open: [] };
}

/** The failure of a schema. @param place  of the field or keyword in the request */
export function invalidSchema(place: string, expected: string, got: string): FailureError {
  return new FailureError('INVALID_REQUEST', `${place}: expected ${expected}, got ${got}`);
}
