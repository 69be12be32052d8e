import type { Failure } from '../contract/failure.ts';
import type { CompletePart, ExplainPart, JobKind, Jobs } from './jobs.ts';
import type { Progress } from '../contract/progress.ts';
import type { QaFound } from '../contract/qa.ts';

/** Unique within a page. */
export type TaskId = number;

/** Input, output and progress of each task of a worker, by kind. */
export type TaskTable<T> = {
  readonly [K in keyof T]: { readonly input: unknown; readonly output: unknown; readonly progress: unknown };
};

/** The tasks of the inference and documents workers. */
export type JobTasks = { readonly [K in JobKind]: Jobs[K] & { readonly progress: JobProgress } };

/** How urgent a run is. */
export interface Rank {
  /** Between batches a nice run waits for all others. */
  readonly nice: boolean;
  /** Estimated work, in positions of a forward pass: between batches a run waits for cheaper ones. */
  readonly cost: number;
}

/** Starts a task. */
export type RunMessage<T extends TaskTable<T> = JobTasks> = {
  readonly [K in keyof T]: RunOf<K, T[K]['input']>;
}[keyof T];

interface RunOf<Kind, Input> extends Rank {
  readonly type: 'run';
  readonly id: TaskId;
  readonly kind: Kind;
  readonly input: Input;
  readonly listens: boolean;
}

/** Page to worker. */
export type ToWorker<T extends TaskTable<T> = JobTasks> =
  | RunMessage<T>
  | { readonly type: 'cancel'; readonly id: TaskId };

/** The result of a task. */
export type DoneMessage<T extends TaskTable<T> = JobTasks> = {
  readonly [K in keyof T]: {
    readonly type: 'done';
    readonly id: TaskId;
    readonly kind: K;
    readonly output: T[K]['output'];
  };
}[keyof T];

/** Exactly one of these answers each `run`. */
export type FinalMessage<T extends TaskTable<T> = JobTasks, Problem = Failure> =
  | DoneMessage<T>
  | { readonly type: 'failed'; readonly id: TaskId; readonly failure: Problem }
  | { readonly type: 'cancelled'; readonly id: TaskId };

/** The worker holds the Web Lock of this name while it runs. */
export interface AliveMessage {
  readonly type: 'alive';
  readonly lock: string;
}

/** Worker to page. */
export type FromWorker<T extends TaskTable<T> = JobTasks, Problem = Failure> =
  | FinalMessage<T, Problem>
  | { readonly type: 'progress'; readonly id: TaskId; readonly progress: T[keyof T]['progress'] }
  | AliveMessage
  /** The worker is to be ended, and its tasks are to run in a new one: its memory has grown, and does not shrink. */
  | { readonly type: 'replace' }
  /** The worker is busy, and expects to send nothing for at most this time: during a pass it cannot. */
  | { readonly type: 'beat'; readonly expectedMs: number; readonly limit?: StepLimit | undefined };

/** What becomes of a job whose worker sends nothing any more: it runs a step that follows a file of anybody, and may never end. */
export interface StepLimit {
  readonly failure: Failure;
  /** After this time, ms; left out: after that of any other step. */
  readonly ms?: number;
}

/** The part of a `Worker` or `MessagePort` that tasks need. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/** Buffers that are moved with a message instead of copied; the sender must not read them afterwards. */
export function transferablesOf(message: DoneMessage): Transferable[] {
  const buffers = new Set(arraysOf(message).map(({ buffer }) => buffer));
  return [...buffers].filter((buffer) => buffer instanceof ArrayBuffer);
}

function arraysOf(message: DoneMessage): readonly (Float32Array | Float64Array)[] {
  switch (message.kind) {
    case 'embed':
      return message.output.layers.flatMap(({ vectors }) => vectors);
    case 'semanticEmbed':
      return message.output.vectors;
    case 'explain':
      return [message.output.influence];
    case 'steeringConcept':
      return [message.output.vector];
    case 'evaluate':
      return [message.output.logProbabilities];
    default:
      return [];
  }
}

/** Progress of a job: bytes while downloading, parts of the work while running. */
export interface JobProgress extends Readonly<Pick<Progress, 'phase' | 'done' | 'total'>> {
  readonly explained?: ExplainPart;
  /** Document indices are those of the job, spans UTF-16 units. */
  readonly answered?: readonly QaFound[];
  readonly completed?: readonly CompletePart[];
}

/** Work that waits. */
export interface Waiting extends Rank {
  /** The smaller, the longer it waits. */
  readonly since: number;
  readonly isOverdue: boolean;
}

/** For sorting, the most urgent first: overdue work by its age, then the cheapest, of equal cost the oldest; nice work last. */
export function compareUrgency(a: Waiting, b: Waiting): number {
  if (a.isOverdue || b.isOverdue) return Number(b.isOverdue) - Number(a.isOverdue) || a.since - b.since;
  return Number(a.nice) - Number(b.nice) || a.cost - b.cost || a.since - b.since;
}
