import { setFlagsFromString } from 'node:v8';

/**
 * V8 compiles a function of the network's runtime a second time, optimised, once it has run this long. Most tests run few
 * passes: to optimise for them costs half of a page's start, and two thirds of what an engine in Node does. Long ones still
 * reach it.
 */
export const LATE_OPTIMISATION = '--wasm-tiering-budget=500000000';

/** The same for WebAssembly that this process compiles from now on, in its threads too. */
export function optimiseLate(): void {
  setFlagsFromString(LATE_OPTIMISATION);
}
