import type { Model } from '../../../src/models/model.ts';

/** What a worker with some number of threads is to open, the first time, and to run. */
export interface Asked {
  readonly model: Model;
  /** `fewest`: one; else as many as a page takes. */
  readonly threads: 'fewest' | 'most';
  /** Passes of each length. */
  readonly passes: number;
}

/** Tokens of the passes that are timed: a step of a text, a prompt, the batch of an explanation. */
export const SHAPES = [
  { batch: 1, tokens: 1 },
  { batch: 1, tokens: 40 },
  { batch: 8, tokens: 40 },
] as const;

/** What a worker has measured. */
export interface Timed {
  readonly threads: number;
  /** Start of ONNX Runtime, opening and first pass; once for a worker. */
  readonly openMs: number;
  /** The shortest pass of each of `SHAPES`. */
  readonly ms: readonly number[];
  /** Results of a prompt, to compare numbers of threads by. */
  readonly values: Float32Array;
}
