import type { NetworkInput } from '../../analysis/network-inputs.ts';
import type { NetworkRun } from '../../network.ts';
import type { Ort, Tensor } from '../session.ts';
import { type Feeds, integers } from '../tensors.ts';

/** A run whose ids and segments are those that are fed, repeated for the batch where the graph does not do it. */
export type FedRun = Pick<NetworkRun, 'batch' | 'ids' | 'lengths' | 'tokenWeights'> & {
  readonly segments: Int32Array | undefined;
  readonly positions: Int32Array | undefined;
  readonly embedded: Float32Array | undefined;
};

interface Lengths {
  readonly tokens: number;
  readonly past: number;
}

/** What the inputs of the original graph are fed, the KV cache left out. @throws {RangeError} when lengths do not fit */
export function originalFeeds(
  ort: Ort,
  inputs: readonly NetworkInput[],
  run: FedRun,
  { tokens, past }: Lengths,
): Feeds {
  const { batch, ids } = run;
  const valuesOf = (input: NetworkInput): Tensor => {
    switch (input.role) {
      case 'ids':
        return integers(ort, input, ids, [batch, tokens]);
      case 'embeddings':
        return embeddings(ort, run.embedded, [batch, tokens]);
      case 'mask':
        return integers(ort, input, maskOf(run, { tokens, past }), [batch, past + tokens]);
      case 'positions':
        return positions(ort, input, run.positions, { batch, tokens, past });
      case 'segments':
        return integers(ort, input, segmentsOf(run), [batch, tokens]);
      case 'weights':
        return new ort.Tensor('float32', poolWeightsOf(run, tokens), [batch, tokens]);
      case 'keepAll':
        return integers(ort, input, new Int32Array(1), input.rank === 0 ? [] : [1]);
    }
  };
  return Object.fromEntries(inputs.map((input) => [input.name, valuesOf(input)]));
}

/** Text stands at the same place on each of the three axes that Qwen2-VL has: time, height and width. */
function positions(
  ort: Ort,
  input: NetworkInput,
  given: Int32Array | undefined,
  { batch, tokens, past }: Lengths & { readonly batch: number },
): Tensor {
  const axes = input.rank === 3 ? 3 : 1;
  const count = batch * tokens;
  const positionAt = (index: number) => given?.[index % count] ?? past + (index % tokens);
  const values = Int32Array.from({ length: axes * count }, (_, index) => positionAt(index));
  return integers(ort, input, values, input.rank === 3 ? [axes, batch, tokens] : [batch, tokens]);
}

function embeddings(ort: Ort, rows: Float32Array | undefined, positions: readonly [number, number]): Tensor {
  if (!rows) throw new TypeError('a network that is fed embeddings was given none');
  return new ort.Tensor('float32', rows, [...positions, rows.length / (positions[0] * positions[1])]);
}

function segmentsOf({ ids, segments }: FedRun): Int32Array {
  if (segments && segments.length !== ids.length)
    throw new RangeError(`${segments.length} segments for ${ids.length} ids`);
  return segments ?? new Int32Array(ids.length);
}

type Padded = Pick<NetworkRun, 'batch' | 'lengths'>;

/** Ones and, in padding, zeros: `[batch, past + tokens]`. */
export function maskOf(run: Padded, { tokens, past }: { readonly tokens: number; readonly past: number }): Int32Array {
  const total = past + tokens;
  const mask = new Int32Array(run.batch * total).fill(1);
  run.lengths?.forEach((length, index) => mask.fill(0, index * total + past + length, (index + 1) * total));
  return mask;
}

/** Weights of positions in the network's own pooling, `[batch, tokens]`; padding weighs 0. @throws {RangeError} */
export function poolWeightsOf(run: Padded & Pick<NetworkRun, 'tokenWeights'>, tokens: number): Float32Array {
  const { batch, tokenWeights } = run;
  if (tokenWeights && tokenWeights.length !== batch * tokens)
    throw new RangeError(`${tokenWeights.length} token weights for ${batch} sequences of ${tokens} positions`);
  const weights = tokenWeights?.slice() ?? new Float32Array(batch * tokens).fill(1);
  run.lengths?.forEach((length, index) => weights.fill(0, index * tokens + length, (index + 1) * tokens));
  return weights;
}
