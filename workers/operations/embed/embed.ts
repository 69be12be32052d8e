import { FailureError } from '../../../src/contract/failure.ts';
import type { Pooling } from '../../../src/contract/embed.ts';
import type { Embedded, EmbedJob } from '../../../src/protocol/embedding-jobs.ts';
import type { NetworkAnswer, NetworkRun } from '../../engine/network.ts';
import { normalized, poolingWeights, relative, type LinearPooling } from '../../kernels/pooling.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { JobContext } from '../context.ts';
import { pooledLastStates } from './last-states.ts';
import { perturbationMode, sequenceControls } from '../prompt/controls.ts';
import { IMAGE_TOKEN, sequenceOf, type Sequence } from '../prompt/sequence.ts';

/**
 * Pooled hidden states of a prompt, in one forward pass. A network that runs as it was exported has those of its last layer alone,
 * behind the final norm.
 *
 * @throws {FailureError} INVALID_REQUEST for a layer out of range, MISSING_CAPABILITY for one that is not there, and what `sequenceOf` throws
 */
export async function embed(job: EmbedJob, model: LoadedModel, context: JobContext): Promise<Embedded> {
  const layers = job.layers.map((layer, i) => resolvedLayer(layer, model.network.shape.layers, i));
  const sequence = await sequenceOf(job.prompt, model);
  await context.checkpoint();
  const { factors } = await sequenceControls(sequence, job.controls, model);
  const run: NetworkRun = {
    batch: 1,
    ids: Int32Array.from(sequence.ids),
    embeddingOverrides: sequence.embeddingOverrides,
    ...(factors.some((factor) => factor !== 1) && {
      perturbation: { mode: perturbationMode(job.controls), factors },
    }),
  };
  const read =
    model.network.shape.keptBecause === undefined
      ? await allLayers(job, model, { run, factors, sequence })
      : await lastLayer(job, model, { run, layers, skip: sequence.specials });
  const finish = job.normalize ? normalized : (vector: Float32Array) => vector;
  return {
    layers: layers.map((layer) => ({ layer, vectors: job.poolings.map((pooling) => finish(read(layer, pooling))) })),
    tokens: job.wantsTokens ? shownTokens(sequence, model.tokenizer.show) : null,
    tokenCount: sequence.ids.length - sequence.specials,
  };
}

/** Finds a layer's vector for a pooling. */
type ReadVector = (layer: number, pooling: Pooling) => Float32Array;

async function allLayers(
  job: EmbedJob,
  { network }: LoadedModel,
  { run, factors, sequence }: { readonly run: NetworkRun; readonly factors: Float64Array; readonly sequence: Sequence },
): Promise<ReadVector> {
  const linear = job.poolings.filter(isLinear);
  const answer = await network.run({
    ...run,
    ...(linear.length > 0 && { pooling: poolingRows(linear, job.normalize ? relative(factors) : factors, sequence) }),
    ...(linear.length < job.poolings.length && { maxima: { skip: sequence.specials } }),
  });
  return reader(answer, linear, network.shape.width);
}

async function lastLayer(
  { poolings }: EmbedJob,
  { network }: LoadedModel,
  { run, layers, skip }: { readonly run: NetworkRun; readonly layers: readonly number[]; readonly skip: number },
): Promise<ReadVector> {
  const vectors = await pooledLastStates(network, run, { layers, poolings, skip });
  return (_, pooling) => vectors[poolings.indexOf(pooling)] ?? new Float32Array(0);
}

function shownTokens({ items, ids }: Sequence, show: (id: number) => string): string[] {
  return items.flatMap(({ type, first, count }) =>
    type === 'image' ? new Array<string>(count).fill(IMAGE_TOKEN) : ids.slice(first, first + count).map(show),
  );
}

function resolvedLayer(layer: number, layers: number, index: number): number {
  const resolved = layer < 0 ? layers + 1 + layer : layer;
  if (resolved >= 0 && resolved <= layers) return resolved;
  throw new FailureError(
    'INVALID_REQUEST',
    `layers[${index}]: expected a layer from ${-layers - 1} to ${layers}, got ${layer}`,
  );
}

function isLinear(pooling: Pooling): pooling is LinearPooling {
  return pooling !== 'max' && pooling !== 'abs_max';
}

/** One row of weights for each linear pooling, `[poolings, tokens]`; special ids in front weigh nothing. */
function poolingRows(poolings: readonly LinearPooling[], factors: Float64Array, { ids, specials }: Sequence) {
  const weights = new Float32Array(poolings.length * ids.length);
  poolings.forEach((pooling, row) => {
    weights.set(poolingWeights(pooling, factors.subarray(specials)), row * ids.length + specials);
  });
  return { weights, pools: poolings.length, perSequence: false };
}

/** Finds one layer's vector for one pooling in the network's answer. */
function reader(
  { pooled, maximum, absoluteMaximum }: NetworkAnswer,
  linear: readonly Pooling[],
  width: number,
): ReadVector {
  const row = (block: Float32Array | undefined, index: number) => {
    if (!block) throw new RangeError('the network did not answer what was asked for');
    return block.slice(index * width, (index + 1) * width);
  };
  return (layer: number, pooling: Pooling): Float32Array => {
    if (pooling === 'max') return row(maximum, layer);
    if (pooling === 'abs_max') return row(absoluteMaximum, layer);
    return row(pooled, layer * linear.length + linear.indexOf(pooling));
  };
}
