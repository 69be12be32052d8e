import type { Failure, Result } from '../../src/contract/failure.ts';
import type { ExplainJob, Jobs } from '../../src/protocol/jobs.ts';
import type { DoneMessage, FromWorker, RunMessage, ToWorker } from '../../src/protocol/messages.ts';

/**
 * Compiled, never run: each line under `@ts-expect-error` must not compile, and the compiler reports one that does.
 */
declare const embed: Jobs['embed']['input'];
declare const explain: ExplainJob;

const run = { type: 'run', id: 1, nice: false, cost: 1, listens: false } as const;

export const accepted: readonly ToWorker[] = [
  { ...run, kind: 'embed', input: embed },
  { ...run, kind: 'explain', input: explain },
  { type: 'cancel', id: 1 },
];

// @ts-expect-error: the payload of one kind under the name of another
export const mixed: RunMessage = { ...run, kind: 'explain', input: embed };
// @ts-expect-error: a kind that no row of Jobs names
export const unknown: RunMessage = { ...run, kind: 'qa', input: explain };
// @ts-expect-error: an answer without the id of its run
export const nameless: FromWorker = { type: 'cancelled' };
// @ts-expect-error: the output of one kind under the name of another
export const swapped: DoneMessage = { type: 'done', id: 1, kind: 'embed', output: { explanations: [] } };
// @ts-expect-error: a failure whose code has no status
export const codeless: Failure = { code: 'OUT_OF_LUCK', message: '' };

// @ts-expect-error: a prompt as the wire has it, which nobody has checked
export const unchecked: Jobs['embed']['input'] = { ...embed, prompt: 'An apple a day' };

const { control_factor: _, ...rest } = explain;
// @ts-expect-error: a job without a field of its request
export const incomplete: ExplainJob = rest;
// @ts-expect-error: a field of a job by another name than the contract's
export const renamed: ExplainJob = { ...explain, controlFactor: 0.1 };

/** A result is read only after it was looked at. */
export function valueOf(result: Result<number>): number {
  // @ts-expect-error: a failed result has no value
  const value: number = result.value;
  return value;
}
