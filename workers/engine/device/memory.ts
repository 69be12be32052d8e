import { FailureError } from '../../../src/contract/failure.ts';

/**
 * How memory that cannot be had is reported: by C++'s allocator, by ONNX Runtime's (on WebAssembly and WebGPU), by the
 * browser for a buffer and for a GPU buffer.
 */
const MESSAGES =
  /bad_alloc|out of memory|failed to allocate|allocation failed|could not allocate|cannot allocate|not enough memory/i;

/** Whether a pass failed for lack of memory. A trap is none, whatever it says: the instance cannot go on. */
export function isOutOfMemory(error: unknown): boolean {
  if (error instanceof FailureError) return error.failure.code === 'OUT_OF_MEMORY';
  return error instanceof Error && !(error instanceof WebAssembly.RuntimeError) && MESSAGES.test(error.message);
}

/** The failure for it. */
export function outOfMemory(cause: unknown): FailureError {
  if (cause instanceof FailureError) return cause;
  return new FailureError('OUT_OF_MEMORY', cause instanceof Error ? cause.message : String(cause));
}
