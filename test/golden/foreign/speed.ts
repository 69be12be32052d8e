import { runOriginal } from '../../support/onnx/original.ts';
import type { Network } from '../../../workers/engine/network.ts';
import type { NetworkPlan } from '../../../workers/engine/rewrite/network-plan.ts';
import { someIds } from '../measured.ts';

/** Passes of each, by turns. */
const ROUNDS = 7;
const TOKENS = 48;

/**
 * Time of a rewritten pass of 48 tokens divided by that of the original, the median of seven each. The rewritten one gives the
 * logits of the last row, as writing asks for; the original has no way to leave out the others.
 */
export async function timesFaster(
  file: Uint8Array,
  output: string,
  network: Network,
  plan: NetworkPlan,
): Promise<number> {
  const ids = someIds(TOKENS, 50);
  const run = { batch: 1, ids, ...(plan.hasHead ? { rows: 1, logits: true } : { outputs: [output] }) };
  const original: number[] = [];
  const rewritten: number[] = [];
  await runOriginal(file, [...ids], output, {
    again: async (pass) => {
      for (let round = 0; round < ROUNDS; round++) {
        original.push(await pass());
        const beganMs = performance.now();
        await network.run(run);
        rewritten.push(performance.now() - beganMs);
      }
    },
  });
  return median(rewritten) / median(original);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
