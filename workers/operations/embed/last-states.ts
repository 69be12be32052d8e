import type { Pooling } from '../../../src/contract/embed.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import type { NamedOutput, Network, NetworkRun } from '../../engine/network.ts';
import { poolingWeights } from '../../kernels/pooling.ts';
import { summedStates } from '../../kernels/sentence-pooling.ts';

/** Outputs with the last states of a network that runs as it was exported: behind the final norm, `[batch, tokens, width]`. */
const LAST_STATES = ['last_hidden_state', 'token_embeddings'];

/**
 * Pools the last states of a network without states of its own layers, `[poolings]` vectors of `[width]`.
 *
 * @param run     without controls, which such a network refuses
 * @param layers  as asked for: the last one, −1, is there
 * @param skip    special ids in front, which are not pooled
 * @throws {FailureError} MISSING_CAPABILITY for another layer, for controls, or for a network that gives no states
 */
export async function pooledLastStates(
  network: Network,
  run: NetworkRun,
  {
    layers,
    poolings,
    skip,
  }: { readonly layers: readonly number[]; readonly poolings: readonly Pooling[]; readonly skip: number },
): Promise<Float32Array[]> {
  const { outputs, keptBecause = '', layers: last } = network.shape;
  const other = layers.findIndex((layer) => layer !== last);
  if (other >= 0)
    throw new FailureError(
      'MISSING_CAPABILITY',
      `layers[${other}]: expected the last layer, -1, of a model that runs as it was exported, got ${layers[other]}: ${keptBecause}`,
    );
  const name = LAST_STATES.find((each) => outputs.includes(each));
  if (name === undefined)
    throw new FailureError(
      'MISSING_CAPABILITY',
      `model: expected one with the output ${LAST_STATES.join(' or ')}, got one with ${outputs.join(', ')}: ${keptBecause}`,
    );
  const states = statesIn((await network.run({ ...run, outputs: [name] })).outputs?.[name]);
  const tokens = run.ids.length;
  const own = states.subarray((skip * states.length) / tokens);
  return poolings.map((pooling) => pooled(own, tokens - skip, pooling));
}

function statesIn(output: NamedOutput | undefined): Float32Array {
  if (!output) throw new RangeError('the network did not answer what was asked for');
  return output.values;
}

function pooled(states: Float32Array, tokens: number, pooling: Pooling): Float32Array {
  const untouched = new Float64Array(tokens).fill(1);
  if (pooling !== 'max' && pooling !== 'abs_max') return summedStates(states, poolingWeights(pooling, untouched));
  const width = states.length / tokens;
  const size = pooling === 'max' ? (value: number) => value : Math.abs;
  return Float32Array.from({ length: width }, (_, k) => {
    let most = -Infinity;
    for (let place = k; place < states.length; place += width) most = Math.max(most, size(states[place] ?? 0));
    return most;
  });
}
