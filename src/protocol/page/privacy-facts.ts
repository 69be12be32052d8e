/** The kind of worker that sends requests, or the page. */
export type RequestSender = 'page' | 'inference' | 'documents' | 'pdf' | 'analysis' | 'downloads';

/**
 * The network requests of the page or of a worker. A script sees only its own requests, so each worker sends its list on a
 * channel when a page sends a message there.
 */
export interface RequestList {
  /** Of the worker; one that is started later has another. */
  readonly id: string;
  readonly by: RequestSender;
  readonly requests: readonly RequestFacts[];
  /** Addresses that the content security policy has blocked. */
  readonly refused: readonly string[];
}

/** A request as the browser lists it, which leaves out what was sent. */
export interface RequestFacts {
  readonly url: string;
  /** Bytes over the network, headers included; 0 for what was on the device. */
  readonly networkBytes: number;
  /** Bytes of the body as the script read it. */
  readonly bytes: number;
  /** `kept`: by the service worker, from the stored files. */
  readonly from: 'network' | 'cache' | 'kept';
}

/** Name of the channel. A page sends a text on it, each worker answers with its `RequestList`. */
export const REQUESTS_CHANNEL = 'lightwell.requests';

/** Length of the list; the browsers' default is shorter. */
const LISTED_REQUESTS = 10_000;

type Listed = Pick<PerformanceResourceTiming, 'name' | 'transferSize' | 'decodedBodySize' | 'workerStart'>;

/** The facts of an entry of the browser's list. */
export function requestFacts({ name, transferSize, decodedBodySize, workerStart }: Listed): RequestFacts {
  const isLocal = transferSize === 0;
  const from = !isLocal ? 'network' : workerStart > 0 ? 'kept' : 'cache';
  return { url: name, networkBytes: transferSize, bytes: decodedBodySize, from };
}

/** The parts of a worker, or a window, that list requests. */
export interface RequestScope {
  readonly performance: Pick<Performance, 'getEntriesByType' | 'setResourceTimingBufferSize'>;
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (event: Pick<SecurityPolicyViolationEvent, 'blockedURI'>) => void,
  ): void;
}

/** Starts to list all requests of a worker or a window. */
export function listRequests(scope: RequestScope, by: RequestSender): () => RequestList {
  const refused: string[] = [];
  const id = `${by} ${Math.random()}`;
  scope.performance.setResourceTimingBufferSize(LISTED_REQUESTS);
  scope.addEventListener('securitypolicyviolation', ({ blockedURI }) => refused.push(blockedURI));
  return () => {
    const entries = ['navigation', 'resource'].flatMap((type) => scope.performance.getEntriesByType(type));
    return { id, by, requests: (entries as PerformanceResourceTiming[]).map(requestFacts), refused };
  };
}

/** Something on this origin that is not ours: what put it there can read the token, the prompts and the results. */
export interface OriginOccupant {
  readonly kind: 'service worker' | 'storage' | 'database' | 'cache';
  /** Address of the script, or name of the entry. */
  readonly name: string;
}

/** Something that the browser stores for the page's origin. */
export interface StoredItem {
  readonly kind: 'text' | 'text of this tab' | 'cache' | 'database' | 'service worker' | 'models';
  readonly name: string;
  /** Null where the browser does not report it. */
  readonly bytes: number | null;
  /** Of a cache, or of models. */
  readonly files: number | null;
  /** Whether it is of this app; an origin may be shared. */
  readonly isOwn: boolean;
}

/** Everything that is stored, and the quota. */
export interface OriginStorage {
  readonly items: readonly StoredItem[];
  /** Bytes of the whole origin, as the browser estimates them; null where it does not. */
  readonly usedBytes: number | null;
  readonly allowedBytes: number | null;
  /** Open tabs of this app, with this one. */
  readonly tabs: number;
}
