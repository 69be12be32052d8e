import type { CompleteJob } from '../../../../src/protocol/jobs.ts';
import type { LoadedModel } from '../../../engine/engine.ts';
import { createMatcher, type Positions } from './matcher.ts';
import { invalidSchema } from './place.ts';
import { schemaGrammar } from './schema.ts';
import { allowedTokens, tokenBytes } from './token-bytes.ts';

/** Masks that are kept: inside a text of any length each is needed again. */
const MAX_MASKS = 64;

/**
 * Leaves a completion only the tokens with which its text can become JSON of a schema.
 *
 * @param marks  ids that end a text
 * @throws {FailureError} INVALID_REQUEST for a schema that is not served
 */
export function jsonConstraint(
  { schema, path }: NonNullable<CompleteJob['json']>,
  { tokenizer }: Pick<LoadedModel, 'tokenizer'>,
  marks: ReadonlySet<number>,
) {
  const { start, step, begin } = createMatcher(schemaGrammar(JSON.parse(schema), path), path);
  const tokens = tokenBytes(tokenizer);
  const masks = new Map<Positions, Uint8Array>();
  let positions = start;
  const maskOf = (at: Positions): Uint8Array => {
    const mask = masks.get(at) ?? allowedTokens(tokens, at, step);
    if (masks.size >= MAX_MASKS) masks.clear();
    masks.set(at, mask);
    return mask;
  };
  return {
    /** Excludes tokens from the scores of the next one in place, `[vocabulary]`. @param ids  of the completion so far */
    exclude(scores: Float32Array, ids: readonly number[]): void {
      const last = ids.at(-1);
      const read = last === undefined ? [] : Array.from(tokenizer.bytesOf(last));
      positions = read.reduce((at, byte) => step(at, byte) ?? at, last === undefined ? start : positions);
      begin(positions);
      const mask = maskOf(positions);
      const ends = Array.from(marks, (id) => [id, positions.mayEnd ? (scores[id] ?? -Infinity) : -Infinity] as const);
      for (let id = 0; id < scores.length; id++) if (mask[id] !== 1) scores[id] = -Infinity;
      for (const [id, score] of ends) scores[id] = score;
    },
    /** What the text lacks where no token can be chosen. @throws {FailureError} INVALID_REQUEST unless it is whole */
    checkWhole(): void {
      if (positions.mayEnd) return;
      const expected = 'JSON that the tokens of the model can write, with the other fields of the request';
      throw invalidSchema(path, expected, 'a text that no token continues');
    },
  };
}

/** A constraint on the tokens of completions, one after the other. */
export type JsonConstraint = ReturnType<typeof jsonConstraint>;
