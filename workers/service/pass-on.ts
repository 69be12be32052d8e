import { PASSED_HEADERS } from '../../src/protocol/frames/line.ts';
import { divided } from '../../src/contract/wire/long-body.ts';
import { Exchange, type DividedRequest, type Tab } from './exchange.ts';

/** An open app accepts between two tasks of its main thread. */
const ACCEPT_MS = 2_000;

/** What is known of the site, and of who asks. */
export interface PassOnOptions {
  /** Path of the folder that the site lies in, ending in a slash; left out: the root. */
  readonly home?: string;
  /** false when the asking page was closed: some browsers do not abort its requests then. */
  readonly isCallerThere?: () => Promise<boolean>;
  readonly acceptMs?: number;
}

/**
 * The answer of the first tab that accepts the request.
 *
 * @returns null when none does; nothing has been done with the request then
 * @throws  `AbortError` when the request is aborted
 */
export async function passOn(
  request: Request,
  tabs: readonly Tab[],
  { home = '/', isCallerThere = async () => true, acceptMs = ACCEPT_MS }: PassOnOptions = {},
): Promise<Response | null> {
  const whole = await requestOf(request, home);
  for (const tab of tabs) {
    request.signal.throwIfAborted();
    const exchange = new Exchange(whole, tab, { signal: request.signal, isThere: isCallerThere });
    if (await exchange.isAccepted(acceptMs)) return exchange.response;
  }
  request.signal.throwIfAborted();
  return null;
}

async function requestOf(request: Request, home: string): Promise<DividedRequest> {
  const { method, url, headers } = request;
  const { pathname, search } = new URL(url);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const { inRequest, parts } = divided(hasBody ? await request.text() : null);
  const frame = {
    type: 'request' as const,
    id: 1, // each request has a line of its own
    method,
    path: `${pathname.slice(home.length - 1)}${search}`,
    headers: Object.fromEntries(PASSED_HEADERS.flatMap((name) => pairOf(name, headers.get(name)))),
    ...inRequest,
  };
  return { frame, parts };
}

function pairOf(name: string, value: string | null): [string, string][] {
  return value === null ? [] : [[name, value]];
}
