import { FailureError } from '../../contract/failure.ts';
import type { ExplainRequest } from '../../contract/explain.ts';
import type { ExplainJob } from '../../protocol/target-jobs.ts';
import { invalid } from './text.ts';

/**
 * The query parameter `budget`, Lightwell's own: which share of the cost of exact scores an explanation may spend, or `auto`.
 * Left out: 1, the contract's meaning.
 *
 * @throws {FailureError} PAYLOAD_ERROR for another value; INVALID_REQUEST beside fields of which estimates would say nothing
 */
export function budgetOf(query: URLSearchParams, body: ExplainRequest): ExplainJob['budget'] {
  const text = query.get('budget');
  if (text === null) return 1;
  const budget = text === 'auto' ? text : Number(text);
  if (budget !== 'auto' && !(text.trim() !== '' && budget > 0 && budget <= 1))
    throw new FailureError(
      'PAYLOAD_ERROR',
      `budget: expected "auto" or a number above 0 and at most 1, got ${JSON.stringify(text)}`,
    );
  if (budget === 1) return 1;
  if (typeof body.foil === 'string') throw invalid('foil', 'none together with a budget below 1', 'a text');
  if (body.normalize || body.postprocessing !== 'none')
    throw invalid('budget', 'a request without "normalize" and "postprocessing"', 'one with them');
  return budget;
}
