import { repeated } from './blocks.ts';
import { ElementType } from '../codec/element-type.ts';
import { MAXIMA_SKIP, POOL_WEIGHTS } from '../rewrite/pooled-outputs.ts';
import { addedInput, PERTURBATION } from '../rewrite/perturbation.ts';
import type { NetworkInput } from '../analysis/network-inputs.ts';
import { ROWS, TARGETS } from '../rewrite/logits-head.ts';
import { NEEDS_LOGITS, NEEDS_STATES } from '../rewrite/results-branch.ts';
import { PAST_TOKENS } from '../rewrite/run-lengths.ts';
import { hasInput, type NetworkPlan, type SizedCachedTensor } from '../rewrite/rewrite.ts';
import { SEQUENCES } from '../analysis/shared-ids.ts';
import { tokensOf, type NetworkRun, type Perturbation } from '../network.ts';
import { checkPadding, maskOf, poolWeightsOf } from './padding.ts';
import type { Ort, Tensor } from './runtime-types.ts';

/** Tensors by graph input. */
export type Feeds = Record<string, Tensor>;

/** Keys and values of a finished run, by graph output. */
export type RetainedTensors = ReadonlyMap<string, Tensor>;

/**
 * What factor 0 adds to a score. Finite, because a row may see nothing but suppressed keys. exp(−1000) is 0 in every
 * arithmetic in use, as exp(−10000) of the reference is; but float32 scores keep five digits behind the point beside
 * −1000, and it stays above the −10000 by which old exporters mask, so that a suppressed key is never below a future one.
 *
 * @source decided here, 2026-11; contract facts §2.1 has −10000
 */
export const ADDITIVE_FLOOR = -1000;

/**
 * Inputs of one run; what was not asked for is fed neutral and minimal.
 *
 * @throws {RangeError} when lengths do not fit one another
 */
export function feedsOf(
  ort: Ort,
  plan: NetworkPlan,
  run: NetworkRun,
  { retained, needsStates, needsLogits, embedded }: FeedSetting,
): Feeds {
  const tokens = checkedTokens(run);
  checkPadding(run, tokens, hasInput(plan, 'mask'));
  const past = run.prefix?.tokens ?? 0;
  const isShared = !needsStates && canShareIds(plan, run);
  const asBatch = <Ids extends Int32Array | undefined>(ids: Ids): Ids | Int32Array =>
    ids && run.sameIds && !isShared ? repeated(ids, run.batch) : ids;
  const ids = asBatch(run.ids);
  const rows = embedded && ids !== run.ids ? repeated(embedded, run.batch) : embedded;
  const fed = { ...run, ids, batch: ids.length / tokens, segments: asBatch(run.segments), embedded: rows };
  const original = originalFeeds(ort, plan.inputs, fed, { tokens, past });
  if (plan.keptBecause !== undefined) return original;
  return {
    ...original,
    ...cacheFeeds(ort, plan.cache, retained),
    ...perturbationFeeds(ort, run.perturbation, { batch: run.batch, total: past + tokens }),
    ...poolingFeeds(ort, run, tokens),
    ...(plan.hasHead ? headFeeds(ort, run, tokens) : {}),
    [addedInput(PAST_TOKENS)]: int64(ort, [past], [1]),
    [addedInput(NEEDS_STATES)]: new ort.Tensor('bool', Uint8Array.of(Number(needsStates)), []),
    [addedInput(NEEDS_LOGITS)]: new ort.Tensor('bool', Uint8Array.of(Number(needsLogits)), []),
    [addedInput(SEQUENCES)]: int64(ort, [isShared ? run.batch : 1], [1]),
    [addedInput(MAXIMA_SKIP)]: int64(ort, [run.maxima?.skip ?? 0], [1]),
  };
}

/** What feeds depend on beside the run. */
export interface FeedSetting {
  readonly retained: RetainedTensors | undefined;
  /** Hidden states, pooled or as an output of the original graph, are asked for. */
  readonly needsStates: boolean;
  /** Predictions are asked for. */
  readonly needsLogits: boolean;
  /** Input embeddings of the run's own ids, `[ids, width]`, for a network that is fed them. */
  readonly embedded?: Float32Array | undefined;
}

/** The batch of a run with one row of ids comes from its perturbation, so there must be one; a past must fit the first layer. */
function canShareIds({ sharesIds }: NetworkPlan, { sameIds, perturbation, prefix }: NetworkRun): boolean {
  return sharesIds && sameIds === true && perturbation !== undefined && (prefix?.keep.batch ?? 1) === 1;
}

function checkedTokens(run: NetworkRun): number {
  const { batch, ids, prefix, pooling, maxima } = run;
  const tokens = tokensOf(run);
  if (!Number.isInteger(tokens) || tokens < 1) throw new RangeError(`${ids.length} ids do not make ${batch} sequences`);
  if (prefix && prefix.tokens > prefix.keep.tokens)
    throw new RangeError(`${prefix.tokens} positions of a prefix asked for, ${prefix.keep.tokens} retained`);
  if (prefix && prefix.keep.batch !== 1 && prefix.keep.batch !== batch)
    throw new RangeError(`a prefix of ${prefix.keep.batch} sequences for a run of ${batch}`);
  if (prefix && (pooling || maxima))
    throw new RangeError('hidden states are pooled over whole sequences, not behind a prefix');
  if (maxima && maxima.skip >= tokens)
    throw new RangeError(`maxima over ${tokens} positions without the first ${maxima.skip}`);
  return tokens;
}

/** A run whose ids and segments are those that are fed, repeated for the batch where the graph does not do it. */
type FedRun = Pick<NetworkRun, 'batch' | 'ids' | 'lengths' | 'tokenWeights'> & {
  readonly segments: Int32Array | undefined;
  readonly embedded: Float32Array | undefined;
};

function segmentsOf({ ids, segments }: FedRun): Int32Array {
  if (segments && segments.length !== ids.length)
    throw new RangeError(`${segments.length} segments for ${ids.length} ids`);
  return segments ?? new Int32Array(ids.length);
}

interface Lengths {
  readonly tokens: number;
  readonly past: number;
}

function originalFeeds(ort: Ort, inputs: readonly NetworkInput[], run: FedRun, { tokens, past }: Lengths): Feeds {
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
        return integers(
          ort,
          input,
          Int32Array.from(ids, (_, index) => past + (index % tokens)),
          [batch, tokens],
        );
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

function embeddings(ort: Ort, rows: Float32Array | undefined, positions: readonly [number, number]): Tensor {
  if (!rows) throw new TypeError('a network that is fed embeddings was given none');
  return new ort.Tensor('float32', rows, [...positions, rows.length / (positions[0] * positions[1])]);
}

function integers(ort: Ort, { type }: NetworkInput, values: Int32Array, dimensions: readonly number[]): Tensor {
  return type === ElementType.int32 ? new ort.Tensor('int32', values, dimensions) : int64(ort, values, dimensions);
}

function int64(ort: Ort, values: Int32Array | readonly number[], dimensions: readonly number[]): Tensor {
  const wide = new BigInt64Array(values.length);
  for (let index = 0; index < values.length; index++) wide[index] = BigInt(values[index] ?? 0);
  return new ort.Tensor('int64', wide, dimensions);
}

function cacheFeeds(ort: Ort, cache: readonly SizedCachedTensor[], retained: RetainedTensors | undefined): Feeds {
  return Object.fromEntries(
    cache.map((cached) => [cached.input, retained?.get(cached.output) ?? emptyPast(ort, cached)]),
  );
}

function emptyPast(ort: Ort, { type, heads, headSize }: SizedCachedTensor): Tensor {
  const dimensions = [1, heads, 0, headSize];
  return type === ElementType.float16
    ? new ort.Tensor('float16', new Uint16Array(0), dimensions)
    : new ort.Tensor('float32', new Float32Array(0), dimensions);
}

function perturbationFeeds(
  ort: Ort,
  perturbation: Perturbation | undefined,
  { batch, total }: { readonly batch: number; readonly total: number },
): Feeds {
  const isMultiplicative = perturbation?.mode === 'multiplicative';
  const factors = perturbation?.factors;
  if (factors && factors.length !== batch * total)
    throw new RangeError(`${factors.length} factors for ${batch} sequences of ${total} positions`);
  const row = (values: Float32Array): Tensor => new ort.Tensor('float32', values, [batch, 1, 1, total]);
  const neutral = (value: number): Tensor => new ort.Tensor('float32', Float32Array.of(value), [1, 1, 1, 1]);
  return {
    [addedInput(PERTURBATION.multiplicative)]: new ort.Tensor('bool', Uint8Array.of(Number(isMultiplicative)), []),
    [addedInput(PERTURBATION.factor)]: factors && isMultiplicative ? row(factors) : neutral(1),
    [addedInput(PERTURBATION.bias)]: factors && !isMultiplicative ? row(factors.map(additiveBias)) : neutral(0),
  };
}

function additiveBias(factor: number): number {
  return Math.max(ADDITIVE_FLOOR, Math.log(factor));
}

function poolingFeeds(ort: Ort, { batch, pooling }: NetworkRun, tokens: number): Feeds {
  const { weights, pools, perSequence } = pooling ?? {
    weights: new Float32Array(tokens),
    pools: 1,
    perSequence: false,
  };
  const sequences = perSequence ? batch : 1;
  if (weights.length !== sequences * pools * tokens)
    throw new RangeError(`${weights.length} weights for ${sequences} × ${pools} pools of ${tokens} positions`);
  return { [addedInput(POOL_WEIGHTS)]: new ort.Tensor('float32', weights, [sequences, pools, tokens]) };
}

function headFeeds(ort: Ort, { rows = 1, targets }: NetworkRun, tokens: number): Feeds {
  if (!Number.isInteger(rows) || rows < 1 || rows > tokens)
    throw new RangeError(`${rows} last rows of a run of ${tokens} positions`);
  if (targets && targets.length !== rows) throw new RangeError(`${targets.length} targets for ${rows} rows`);
  return {
    [addedInput(ROWS)]: int64(ort, [rows], [1]),
    [addedInput(TARGETS)]: int64(ort, targets ?? new Int32Array(rows), [rows]),
  };
}
