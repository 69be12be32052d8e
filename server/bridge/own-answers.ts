import { openApiDocument } from '../../src/contract/description/openapi.ts';
import { VERSION } from '../../src/contract/description/version.ts';
import { STATUS } from '../../src/contract/failure.ts';
import type { AnswerHead } from '../../src/protocol/frames/frames.ts';

/** An answer that needs no tab. */
export interface OwnAnswer {
  readonly head: AnswerHead;
  readonly body: string;
}

const BODIES: Readonly<Record<string, { readonly type: string; readonly body: () => string }>> = {
  '/version': { type: 'text/plain;charset=UTF-8', body: () => VERSION },
  '/openapi.json': { type: 'application/json', body: () => JSON.stringify(openApiDocument()) },
};

/**
 * The answer to an operation that needs no token. No tab is asked: which one it should be, nothing tells, and a tab of a
 * stranger could describe an interface that sends clients elsewhere.
 *
 * @param url  below `/api` or `/api/v1`, as it was sent
 * @returns undefined for every other operation
 */
export function ownAnswer(method: string, url: string): OwnAnswer | undefined {
  const [path = ''] = url.split('?', 1);
  const operation = path.replace(/^\/api(\/v1)?(?=\/)/, '');
  const found = Object.hasOwn(BODIES, operation) ? BODIES[operation] : undefined;
  if (found === undefined) return undefined;
  if (method === 'GET' || method === 'HEAD')
    return { head: { status: 200, headers: { 'content-type': found.type } }, body: found.body() };
  const error = `${operation}: expected GET, got ${method}`;
  const headers = { 'content-type': 'application/json', allow: 'GET' };
  const body = JSON.stringify({ error, code: 'METHOD_NOT_ALLOWED' });
  return { head: { status: STATUS.METHOD_NOT_ALLOWED, headers }, body };
}
