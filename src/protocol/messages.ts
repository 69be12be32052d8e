import type { Failure } from '../contract/failure.ts';
import type { JobKind, Jobs } from './jobs.ts';
import type { JobProgress } from './progress.ts';

/** Names one run; never reused while a page lives. */
export type JobId = number;

/** One `run` message for each kind of job; its payload is tied to its kind. */
export type RunMessage = {
  [K in JobKind]: {
    readonly type: 'run';
    readonly id: JobId;
    readonly kind: K;
    readonly input: Jobs[K]['input'];
    /** A nice run waits, between batches, while others run. */
    readonly nice: boolean;
    /** Whether the caller wants progress; otherwise none is sent. */
    readonly listens: boolean;
  };
}[JobKind];

/** Page to worker. */
export type ToWorker = RunMessage | { readonly type: 'cancel'; readonly id: JobId };

/** One `done` message for each kind of job. */
export type DoneMessage = {
  [K in JobKind]: {
    readonly type: 'done';
    readonly id: JobId;
    readonly kind: K;
    readonly output: Jobs[K]['output'];
  };
}[JobKind];

/** Worker to page. Exactly one `done`, `failed` or `cancelled` answers each `run`. */
export type FromWorker =
  | { readonly type: 'progress'; readonly id: JobId; readonly progress: JobProgress }
  | DoneMessage
  | { readonly type: 'failed'; readonly id: JobId; readonly failure: Failure }
  | { readonly type: 'cancelled'; readonly id: JobId };

/** The least of a `Worker` or `MessagePort` that the worker line needs, so that tests can hand in a channel. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}
