import { FailureError } from '../../../src/contract/failure.ts';
import { MAX_FACTOR } from '../../../src/contract/wire/max-factor.ts';

/**
 * Factors as they are, each the product of all controls on its position.
 *
 * @param path  of the prompt or field that they come from
 * @throws {FailureError} INVALID_REQUEST where a product is beyond what one factor may be
 */
export function withinLimit<Factors extends Iterable<number>>(factors: Factors, path: string): Factors {
  for (const factor of factors)
    if (!(factor <= MAX_FACTOR))
      throw new FailureError(
        'INVALID_REQUEST',
        `${path}: expected controls whose factors on one token multiply to at most ${MAX_FACTOR}, got ${factor}`,
      );
  return factors;
}
