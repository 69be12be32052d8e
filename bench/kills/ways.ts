/** Ways to end a worker, or to make it useless. */
export const WAYS = ['error', 'terminate', 'close', 'stuck', 'memory', 'device'] as const;
export type Way = (typeof WAYS)[number];

/** Tells a worker how and when to end: `afterMs` after it gets its next job, or when it would answer that job. */
export interface ToCrashHook {
  readonly type: 'die';
  readonly way: Way;
  readonly afterMs: number;
}

/** Sent just before the worker ends, or when the page has to terminate it; `atMs` is since the epoch. */
export interface FromCrashHook {
  readonly type: 'dying';
  readonly atMs: number;
}

/** One kill and what came of the request that ran. */
export interface Kill {
  readonly way: Way;
  readonly victim: Victim;
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly isRight: boolean;
  /** Whether the request before this one, the first after the last kill, was answered right. */
  readonly isNextRight: boolean;
  readonly hasRetryAfter: boolean;
  /** From the kill until another worker was started; null where none was needed, because the request was over. */
  readonly detectedMs: number | null;
  readonly totalMs: number;
}

export type Victim = 'inference' | 'documents';
