import { ProblemError } from '../problem.ts';

/** How a hub is asked. */
export interface HubRequestOptions {
  readonly token: string | null;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Asks a hub, and tells what its refusals mean.
 *
 * @returns  an answer with a status of success
 * @throws {ProblemError} `unreachable`, `token`, `terms`, `absent`, `busy` or `other`, naming the address
 * @throws {DOMException} AbortError
 * @source The hub's statuses: 401 for a missing or wrong token and for models that are not there, 403 for terms that are not accepted
 */
export async function askHub(url: string, { token, signal, headers = {} }: HubRequestOptions): Promise<Response> {
  const response = await reach(url, { signal, headers: { ...headers, ...authorisation(token) } });
  if (response.ok) return response;
  await response.body?.cancel();
  throw refusal(response, withoutQuery(url), token);
}

/** The header of a request with a token. */
export function authorisation(token: string | null): Readonly<Record<string, string>> {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, cache: 'no-store', credentials: 'omit' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new ProblemError('unreachable', `${withoutQuery(url)} could not be fetched: ${cause}`);
  }
}

function refusal({ status, statusText, headers }: Response, url: string, token: string | null): ProblemError {
  const said = headers.get('X-Error-Message');
  const answered = `${url} answered ${status} ${statusText}`.trimEnd() + (said === null ? '' : `: ${said}`);
  if (status === 401)
    return new ProblemError('token', token === null ? answered : `${answered}; the token was not accepted`);
  if (status === 403) return new ProblemError('terms', answered);
  if (status === 404) return new ProblemError('absent', answered);
  if (status === 429 || status >= 500) return new BusyError(answered, waitOf(headers));
  return new ProblemError('other', answered);
}

/** A hub that may answer later. */
export class BusyError extends ProblemError {
  /** Milliseconds that the hub asks to wait; null where it does not say. */
  readonly waitMs: number | null;

  constructor(detail: string, waitMs: number | null) {
    super('busy', detail);
    this.waitMs = waitMs;
  }
}

/** @source RFC 9110, section 10.2.3: seconds; a date is left to the usual wait */
function waitOf(headers: Headers): number | null {
  const seconds = Number(headers.get('Retry-After') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

/** Addresses behind a redirect carry a signature, which is nobody's business. */
export function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
