import { STATUS, type Failure, type Result } from '../../contract/failure.ts';
import type { ErrorBody } from '../../contract/request.ts';
import { CHALLENGE } from '../../contract/wire/token.ts';
import { jsonText } from './json-text.ts';

/** Failures after which the same request may succeed, and when to try. */
const RETRY_AFTER_SECONDS: Partial<Record<Failure['code'], number>> = { QUEUE_FULL: 2, DEVICE_LOST: 1 };

/** A result as an HTTP answer; the only place that picks a status. */
export async function respond(result: Result<unknown>): Promise<Response> {
  if (!result.ok) return respondFailure(result.failure);
  return new Response(await jsonText(result.value), { headers: { 'Content-Type': 'application/json' } });
}

/** A failure as an HTTP answer. @source contract facts §1.8 */
export function respondFailure(failure: Failure): Response {
  const { code } = failure;
  const retryAfter = RETRY_AFTER_SECONDS[code];
  const headers = {
    ...(code === 'UNAUTHORIZED' && CHALLENGE),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  };
  return Response.json(bodyOf(failure), { status: STATUS[code], headers });
}

/** A failure as the error body of the contract. */
export function bodyOf({ code, message }: Failure): ErrorBody {
  return { error: message, code };
}
