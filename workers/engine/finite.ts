import { FailureError } from '../../src/contract/failure.ts';
import type { Network, NetworkAnswer, NetworkRun } from './network.ts';

/**
 * A network whose answers hold finite numbers alone. JSON has no other: a response would carry `null` where the contract
 * says number.
 *
 * @returns the network; its `run` throws a `FailureError` that names the output: INVALID_REQUEST under attention controls,
 *   which can drive scores out of the range of float16, else INTERNAL
 */
export function finiteOnly(network: Network): Network {
  return {
    ...network,
    async run(run) {
      const answer = await network.run(run);
      const name = notFinite(answer);
      if (name === undefined) return answer;
      answer.kvCache?.release();
      throw failureOf(run, name);
    },
  };
}

function notFinite({ outputs = {}, kvCache: _, attention, ...blocks }: NetworkAnswer): string | undefined {
  const named = Object.entries(outputs).map(([name, { values }]) => [name, values] as const);
  const weights = Object.entries(attention ?? {});
  return [...Object.entries(blocks), ...weights, ...named].find(([, values]) => !areFinite(values))?.[0];
}

/** A loop, because a call for each number of a large vocabulary takes as long as a step of a small network. */
function areFinite(values: Float32Array): boolean {
  for (let index = 0; index < values.length; index++) if (!Number.isFinite(values[index])) return false;
  return true;
}

function failureOf({ perturbation }: NetworkRun, name: string): FailureError {
  if (perturbation?.factors.some((factor) => factor !== 1))
    return new FailureError(
      'INVALID_REQUEST',
      `control factors: expected some that the model can compute with, got a result (${name}) that is no finite number`,
    );
  return new FailureError('INTERNAL', `the model computed a result (${name}) that is no finite number`);
}
