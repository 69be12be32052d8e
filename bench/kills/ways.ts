/** Ways to end a worker, or to make it useless. */
export const WAYS = ['error', 'terminate', 'close', 'stuck', 'memory', 'device'] as const;
export type Way = (typeof WAYS)[number];

/** What a mortal worker is told, and says before it dies. */
export type ToMortal = { readonly type: 'die'; readonly way: Way };
export type FromMortal = { readonly type: 'dying'; /** Since the epoch. */ readonly atMs: number };

/** One kill and what came of the request that ran. */
export interface Kill {
  readonly way: Way;
  readonly victim: 'inference' | 'documents';
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
