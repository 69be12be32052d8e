/**
 * What the page, or a worker, has asked the network for. Browsers show a script only its own requests, so each worker tells its
 * list on a channel of the origin when a page asks for it.
 */
export interface RequestList {
  /** Names the worker; another one that is started in its place has another. */
  readonly id: string;
  /** Kind of worker, or `page`. */
  readonly by: string;
  readonly requests: readonly RequestFacts[];
  /** Addresses that the content security policy kept from being asked. */
  readonly refused: readonly string[];
}

/** A request as the browser lists it, which leaves out what was sent. */
export interface RequestFacts {
  readonly url: string;
  /** Bytes that came over the network, headers included; 0 for what was on the device. */
  readonly networkBytes: number;
  /** Bytes of the body as the script read it. */
  readonly bytes: number;
  /** `kept`: by the service worker, from the files that the page keeps. */
  readonly from: 'network' | 'cache' | 'kept';
}

/** Name of the channel. A page sends a text on it, each worker answers with its `RequestList`. */
export const REQUESTS_CHANNEL = 'lightwell.requests';

/** Browsers list so many requests at most, unless they are asked for more. */
export const LISTED_REQUESTS = 10_000;

type Listed = Pick<PerformanceResourceTiming, 'name' | 'transferSize' | 'decodedBodySize' | 'workerStart'>;

/** The facts of an entry of the browser's list. */
export function requestFacts({ name, transferSize, decodedBodySize, workerStart }: Listed): RequestFacts {
  const isLocal = transferSize === 0;
  const from = !isLocal ? 'network' : workerStart > 0 ? 'kept' : 'cache';
  return { url: name, networkBytes: transferSize, bytes: decodedBodySize, from };
}

/** What of a worker, or a window, lists requests. */
export interface Requesting {
  readonly performance: Pick<Performance, 'getEntriesByType' | 'setResourceTimingBufferSize'>;
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (event: Pick<SecurityPolicyViolationEvent, 'blockedURI'>) => void,
  ): void;
}

/** From now on, lists all requests of a worker or a window. */
export function listRequests(scope: Requesting, by: string): () => RequestList {
  const refused: string[] = [];
  const id = `${by} ${Math.random()}`;
  scope.performance.setResourceTimingBufferSize(LISTED_REQUESTS);
  scope.addEventListener('securitypolicyviolation', ({ blockedURI }) => refused.push(blockedURI));
  return () => {
    const entries = ['navigation', 'resource'].flatMap((type) => scope.performance.getEntriesByType(type));
    return { id, by, requests: (entries as PerformanceResourceTiming[]).map(requestFacts), refused };
  };
}
