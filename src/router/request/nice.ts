import { FailureError } from '../../contract/failure.ts';

/**
 * The query parameter `nice`. Clients write `true`, `false` or nothing; some languages print `True`. Anything else is
 * refused, because a typing error must not turn a nice request into a normal one.
 *
 * @throws {FailureError} PAYLOAD_ERROR for another value
 * @source interface.md, Shared request elements; contract facts §1.1; what counts as a boolean is decided here
 */
export function isNice(request: Request): boolean {
  const nice = new URL(request.url).searchParams.get('nice');
  const lower = nice?.toLowerCase() ?? 'false';
  if (lower === 'true' || lower === 'false') return lower === 'true';
  throw new FailureError('PAYLOAD_ERROR', `nice: expected true or false, got ${JSON.stringify(nice)}`);
}
