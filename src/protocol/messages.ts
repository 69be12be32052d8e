import type { Failure } from '../contract/failure.ts';
import type { JobKind, Jobs } from './jobs.ts';
import type { JobProgress } from './progress.ts';

/** Names one run; never reused while a page lives. */
export type JobId = number;

/** One `Type` message for each kind of job; its payload, the job's `Part`, is tied to its kind. */
type JobMessage<Type extends string, Part extends 'input' | 'output', Kind extends JobKind> = {
  [K in Kind]: { readonly type: Type; readonly id: JobId; readonly kind: K } & Readonly<Pick<Jobs[K], Part>>;
}[Kind];

/** Asks for a job of this kind. */
export type RunMessage<Kind extends JobKind = JobKind> = JobMessage<'run', 'input', Kind> & {
  /** A nice run gives way, between batches, to all others. */
  readonly nice: boolean;
  /** Estimated work, in positions of a forward pass: between batches a run gives way to a cheaper one. */
  readonly cost: number;
  /** Whether the caller wants progress; otherwise none is sent. */
  readonly listens: boolean;
};

/** Page to worker. */
export type ToWorker = RunMessage | { readonly type: 'cancel'; readonly id: JobId };

/** What came of a job of this kind. */
export type DoneMessage<Kind extends JobKind = JobKind> = JobMessage<'done', 'output', Kind>;

/** What becomes of a job. Exactly one `done`, `failed` or `cancelled` answers each `run`. */
export type JobAnswer =
  | { readonly type: 'progress'; readonly id: JobId; readonly progress: JobProgress }
  | DoneMessage
  | { readonly type: 'failed'; readonly id: JobId; readonly failure: Failure }
  | { readonly type: 'cancelled'; readonly id: JobId };

/** What a worker says of itself. */
export type LifeSign =
  /** It holds the Web Lock of this name for as long as it lives. */
  | { readonly type: 'alive'; readonly lock: string }
  /** It works, and expects to be silent for no longer than so many ms: while a pass runs it can say nothing. */
  | { readonly type: 'beat'; readonly expectedMs: number };

/** Worker to page. */
export type FromWorker = JobAnswer | LifeSign;

/** The least of a `Worker` or `MessagePort` that the worker line needs, so that tests can hand in a channel. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}
