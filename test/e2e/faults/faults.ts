/** In every name that the switchboard leaves in a build; the built product does not contain it. */
export const MARK = 'lightwell.test';

/**
 * What the switchboard can make fail, by seam of the platform. The page, its workers and the harness share this list; a
 * fault's place in it is its number on the board.
 */
export const FAULTS = [
  'worker start: throws',
  'worker start: script is missing',
  'thread start: throws',
  'message to worker: throws',
  'message to worker: unreadable',
  'message from worker: throws',
  'message from worker: throws, as do all later ones of this worker',
  'message from worker: unreadable',
  'message to worker: worker ends',
  'message from worker: worker ends',
  'fetch: rejects',
  'fetch: status 503',
  'fetch: body breaks off',
  'fetch: HTML instead',
  'WebAssembly: does not compile',
  'WebAssembly memory: none',
  'WebAssembly memory: does not grow',
  'allocation in WebAssembly: none',
  'allocation of an array: none',
  'session creation: throws',
  'run: throws',
  'picture: not decoded',
  'canvas: no context',
  'GPU adapter: rejects',
  'storage: read throws',
  'storage: write throws',
  'socket: does not open',
  'socket: send throws',
  'socket: lost at a frame',
  'port to service worker: send throws',
] as const;

/** One way in which one seam fails. */
export type Fault = (typeof FAULTS)[number];

/** `once`: the n-th use of a seam fails, later ones do not. `from then on`: so do all later ones. */
export type Lasting = 'once' | 'from then on';

/** What a page holds when nothing runs; what is more than after an untouched run has leaked. */
export interface Held {
  readonly workers: number;
  /** Sessions of ONNX Runtime in the inference worker. */
  readonly sessions: number;
  readonly sockets: number;
  /** Web Locks of this origin. */
  readonly locks: number;
  /** Of the inference worker's WebAssembly memory. */
  readonly megabytes: number;
}

/** A request to the service. */
export interface Asked {
  readonly path: string;
  readonly body: string;
  /** Media type of the answer. */
  readonly accept: string;
}

/** How a request ended. */
export type Ended =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  /** `fetch` rejected, which it does for an abort only. */
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'hung' };

/** What the harness asks of a page, in the page. */
export interface FaultsPage {
  /** Makes the `at`-th use of a seam fail from now on; null lets all pass. */
  arm(fault: Fault | null, at: number, lasting: Lasting): void;
  /** Where each seam was used since then, use by use, in the order of `FAULTS`. */
  sites(): number[][];
  /** Whether what was armed has come to pass. */
  hasFired(): boolean;
  held(): Promise<Held>;
  /** Starts a service in place of the last one, with nothing loaded. @throws what making it throws */
  open(): Promise<void>;
  /** The service's OpenAPI document. */
  describe(hangsMs: number): Promise<Ended>;
  ask(asked: Asked, hangsMs: number): Promise<Ended>;
  /** The same through the service worker. */
  askServiceWorker(asked: Asked, hangsMs: number): Promise<Ended>;
  /** Ends the service. */
  close(): void;
}

/** What is armed before a page's first script, by an init script. */
export interface ArmedFirst {
  readonly fault: Fault;
  readonly at: number;
  readonly lasting: Lasting;
}

declare global {
  // Only `var` adds to the global object's type.
  var faults: FaultsPage;
  var armedFirst: ArmedFirst | undefined;
}
