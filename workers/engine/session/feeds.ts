import { ElementType } from '../codec/tensor-proto.ts';
import type { NetworkInput, KvCacheTensor } from '../analysis/network-inputs.ts';
import { type NetworkRun, isPerSequence, type TokenLayout, tokensOf } from '../network.ts';
import type { Ort, Tensor } from './session.ts';
import { repeated } from '../../kernels/float-arrays.ts';
import { hasInput, type NetworkPlan } from '../rewrite/plan-network.ts';
import { PERTURBATION, TENSORS } from '../tensor-names.ts';

/** Keys and values of a finished run, by graph output. */
export type KvCacheTensors = ReadonlyMap<string, Tensor>;

/** Inputs of a run, neutral and minimal where it needs none. @throws {RangeError} when lengths do not fit */
export function feedsOf(
  ort: Ort,
  plan: NetworkPlan,
  run: NetworkRun,
  { kvTensors, needsStates, needsLogits, embedded }: FeedSetting,
): Feeds {
  const tokens = checkedTokens(run);
  checkPadding(run, tokens, hasInput(plan, 'mask'));
  checkLayout(run, tokens, hasInput(plan, 'positions'));
  const past = run.cached?.tokens ?? 0;
  const isShared = !needsStates && canShareIds(plan, run);
  const asBatch = <Ids extends Int32Array | undefined>(ids: Ids): Ids | Int32Array =>
    ids && run.sameIds && !isShared ? repeated(ids, run.batch) : ids;
  const ids = asBatch(run.ids);
  const rows = embedded && ids !== run.ids ? repeated(embedded, run.batch) : embedded;
  const [segments, positions] = [asBatch(run.segments), asBatch(run.perturbation?.layout?.positions)];
  const fed = { ...run, ids, batch: ids.length / tokens, segments, positions, embedded: rows };
  const original = originalFeeds(ort, plan.inputs, fed, { tokens, total: past + tokens });
  if (plan.keptBecause !== undefined) return original;
  return {
    ...original,
    ...cacheFeeds(ort, plan.kvCache, kvTensors, fed.batch),
    ...perturbationFeeds(ort, run, { tokens, total: past + tokens }),
    ...poolingFeeds(ort, run, tokens),
    ...(plan.hasHead && headFeeds(ort, run, tokens)),
    ...(plan.takesSteering && steeringFeeds(ort, run, plan.layers)),
    ...(plan.readsGivenStates && givenFeeds(ort, run, tokens)),
    [TENSORS.pastTokens]: int64(ort, [past], [1]),
    [TENSORS.needsStates]: bool(ort, needsStates),
    [TENSORS.needsLogits]: bool(ort, needsLogits),
    ...(plan.showsAttention && { [TENSORS.needsAttention]: bool(ort, run.attention === true) }),
    ...(plan.keepsFused && fusedFeeds(ort, plan, run, fed.batch)),
    [TENSORS.sequences]: int64(ort, [isShared ? run.batch : 1], [1]),
    [TENSORS.maximaSkip]: int64(ort, [run.maxima?.skip ?? 0], [1]),
  };
}

/** What feeds depend on besides the run. */
interface FeedSetting {
  readonly kvTensors: KvCacheTensors | undefined;
  /** The run returns hidden states, pooled or as an output of the original graph. */
  readonly needsStates: boolean;
  /** The run returns predictions. */
  readonly needsLogits: boolean;
  /** Input embeddings of the run's own ids, `[ids, width]`, for a network that is fed them. */
  readonly embedded?: Float32Array | undefined;
}

/** The batch of a run with one row of ids comes from its perturbation, so there must be one; a KV cache must fit the first layer. */
function canShareIds({ sharesIds }: NetworkPlan, { sameIds, perturbation, cached }: NetworkRun): boolean {
  return sharesIds && sameIds === true && perturbation !== undefined && (cached?.kvCache.batch ?? 1) === 1;
}

/**
 * Fused operators compute runs that add to scores and show none. They read a KV cache as it is, of several sequences one token at a
 * time; any other is cut and repeated, where the operators take that.
 *
 * @source ONNX Runtime 1.31, GroupQueryAttention: "batch_size must be 1 when sequence_length > 1 and past context is given"
 */
function fusedFeeds(ort: Ort, { fusesBatches }: NetworkPlan, run: NetworkRun, batch: number): Feeds {
  const { perturbation, attention, cached } = run;
  const isAdded = perturbation?.mode !== 'multiplicative' && !perturbation?.layout && !attention;
  const isSingle = batch === 1 || tokensOf(run) === 1;
  const isWhole = !cached || (isSingle && cached.tokens === cached.kvCache.tokens && cached.kvCache.batch === batch);
  return {
    [TENSORS.fusedAttention]: bool(ort, isAdded && (isWhole || fusesBatches)),
    [TENSORS.wholePast]: bool(ort, isWhole),
  };
}

/** Keys and values of the positions before; none, of each sequence, for a run that begins. */
export function cacheFeeds(
  ort: Ort,
  kvCache: readonly KvCacheTensor[],
  kvTensors: KvCacheTensors | undefined,
  batch: number,
): Feeds {
  return Object.fromEntries(
    kvCache.map((cached) => [cached.input, kvTensors?.get(cached.output) ?? emptyPast(ort, cached, batch)]),
  );
}

function bool(ort: Ort, value: boolean): Tensor {
  return new ort.Tensor('bool', Uint8Array.of(Number(value)), []);
}

function emptyPast(ort: Ort, { type, heads, headSize, isStacked }: KvCacheTensor, batch: number): Tensor {
  const dimensions = [...(isStacked ? [2] : []), batch, heads, 0, headSize];
  return type === ElementType.float16
    ? new ort.Tensor('float16', new Uint16Array(0), dimensions)
    : new ort.Tensor('float32', new Float32Array(0), dimensions);
}

function poolingFeeds(ort: Ort, { batch, pooling }: NetworkRun, tokens: number): Feeds {
  const { weights, pools } = pooling ?? { weights: new Float32Array(tokens), pools: 1 };
  const sequences = isPerSequence({ weights, pools }, tokens) ? batch : 1;
  if (weights.length !== sequences * pools * tokens)
    throw new RangeError(`${weights.length} weights for ${sequences} × ${pools} pools of ${tokens} positions`);
  return { [TENSORS.poolWeights]: new ort.Tensor('float32', weights, [sequences, pools, tokens]) };
}

function headFeeds(ort: Ort, { rows = 1, targets, likeliest }: NetworkRun, tokens: number): Feeds {
  if (!Number.isInteger(rows) || rows < 1 || rows > tokens)
    throw new RangeError(`${rows} last rows of a run of ${tokens} positions`);
  const ids = targets ?? new Int32Array(rows);
  if (ids.length % rows !== 0) throw new RangeError(`${ids.length} targets for ${rows} rows`);
  return {
    [TENSORS.rows]: int64(ort, [rows], [1]),
    [TENSORS.targets]: int64(ort, ids, [rows, ids.length / rows]),
    [TENSORS.needsProbabilities]: bool(ort, targets !== undefined),
    [TENSORS.needsLikeliest]: bool(ort, likeliest === true),
  };
}

function steeringFeeds(ort: Ort, { steering = new Float32Array(0) }: NetworkRun, layers: number): Feeds {
  if (steering.length % layers !== 0)
    throw new RangeError(`${steering.length} numbers as steering of ${layers} layers`);
  const rows = steering.length > 0 ? steering : new Float32Array(layers);
  return { [TENSORS.steering]: new ort.Tensor('float32', rows, [layers, rows.length / layers]) };
}

function givenFeeds(ort: Ort, { batch, rows = 1, states }: NetworkRun, tokens: number): Feeds {
  if (states && (rows !== tokens || states.length % (batch * rows) !== 0))
    throw new RangeError(`${states.length} numbers as states of ${rows} rows in ${batch} runs of ${tokens} positions`);
  const shape = states ? [batch * rows, states.length / (batch * rows)] : [1, 1];
  return {
    [TENSORS.givenStates]: new ort.Tensor('float32', states ?? new Float32Array(1), shape),
    [TENSORS.readsGiven]: bool(ort, states !== undefined),
  };
}

/**
 * Checks the padding of a run on the right.
 *
 * @param tokens  positions of each sequence, padding included
 * @param hasMask  whether the graph has an attention mask
 * @throws {RangeError} when lengths do not fit the run, or padding would spoil a result
 */
export function checkPadding(run: NetworkRun, tokens: number, hasMask: boolean): void {
  const { batch, lengths } = run;
  if (lengths === undefined) return;
  if (lengths.length !== batch) throw new RangeError(`${lengths.length} lengths for ${batch} sequences`);
  const outside = lengths.find((length) => length < 1 || length > tokens);
  if (outside !== undefined) throw new RangeError(`a length of ${outside} in sequences of ${tokens} positions`);
  if (lengths.every((length) => length === tokens)) return;
  if (!hasMask) throw new RangeError('padded sequences for a network without an attention mask: batch equal lengths');
  const spoilt = (['sameIds', 'maxima', 'keepKvCache'] as const).find((wanted) => run[wanted]);
  if (spoilt) throw new RangeError(`padded sequences together with ${spoilt}`);
}

/** @throws {RangeError} naming what of a layout does not fit its run */
function checkLayout(run: NetworkRun, tokens: number, takesPositions: boolean): void {
  const { batch, ids } = run;
  const layout = run.perturbation?.layout;
  if (!layout) return;
  if (!takesPositions) throw new RangeError('a layout for a network that is not told positions');
  if (layout.positions.length !== ids.length)
    throw new RangeError(`${layout.positions.length} positions for ${ids.length} ids`);
  const block = tokens * ((run.cached?.tokens ?? 0) + tokens);
  if (layout.hidden.length !== block && layout.hidden.length !== batch * block)
    throw new RangeError(`a layout of ${layout.hidden.length} entries for ${batch} sequences of ${block}`);
}

/** Tokens of each sequence. @throws {RangeError} naming the two lengths that do not fit */
function checkedTokens(run: NetworkRun): number {
  const { batch, ids, cached, pooling, maxima } = run;
  const tokens = tokensOf(run);
  if (!Number.isInteger(tokens) || tokens < 1) throw new RangeError(`${ids.length} ids do not make ${batch} sequences`);
  if (cached && cached.tokens > cached.kvCache.tokens)
    throw new RangeError(`${cached.tokens} positions of a KV cache asked for, ${cached.kvCache.tokens} cached`);
  if (cached && cached.kvCache.batch !== 1 && cached.kvCache.batch !== batch)
    throw new RangeError(`a KV cache of ${cached.kvCache.batch} sequences for a run of ${batch}`);
  if (cached && (pooling || maxima))
    throw new RangeError('hidden states are pooled over whole sequences, not after a KV cache');
  if (maxima && maxima.skip >= tokens)
    throw new RangeError(`maxima over ${tokens} positions without the first ${maxima.skip}`);
  return tokens;
}

/**
 * What factor 0 adds to a score. Finite, because a row may see nothing but suppressed keys. exp(−1000) is 0 in every
 * arithmetic in use, as exp(−10000) of the reference is; but float32 scores have five digits after the point next to
 * −1000, and it stays above the −10000 by which old exporters mask, so that a suppressed key is never below a future one.
 *
 * @source decided here, 2026-11; contract facts §2.1 has −10000
 */
export const ADDITIVE_FLOOR = -1000;

/** What a hidden column adds to a score: more than factor 0 does, and it fits 16-bit floats. */
const HIDDEN = -60_000;

/** Lengths of a run: its own positions, and those with the KV cache. */
interface Lengths {
  readonly tokens: number;
  readonly total: number;
}

/** Neutral and minimal without one. @throws {RangeError} without a factor for each position of each sequence */
function perturbationFeeds(ort: Ort, { batch, perturbation }: NetworkRun, lengths: Lengths): Feeds {
  const isMultiplicative = perturbation?.mode === 'multiplicative';
  const { factors, layout } = perturbation ?? {};
  const rows = factors === undefined ? 0 : factors.length / (batch * lengths.total);
  if (factors && rows !== 1 && !(layout && rows === lengths.tokens))
    throw new RangeError(`${factors.length} factors for ${batch} sequences of ${lengths.total} positions`);
  const block = (values: Float32Array): Tensor => new ort.Tensor('float32', values, [batch, 1, rows, lengths.total]);
  const neutral = (value: number): Tensor => new ort.Tensor('float32', Float32Array.of(value), [1, 1, 1, 1]);
  const bias = factors && !isMultiplicative ? biasOf(factors) : undefined;
  const plain = bias ? block(bias) : neutral(0);
  return {
    [PERTURBATION.multiplicative]: bool(ort, isMultiplicative),
    [PERTURBATION.hides]: bool(ort, layout !== undefined),
    [PERTURBATION.factor]: factors && isMultiplicative ? block(Float32Array.from(factors)) : neutral(1),
    [PERTURBATION.bias]: layout ? rowsOfBias(ort, layout, bias && { values: bias, rows }, lengths) : plain,
  };
}

function biasOf(factors: Float32Array | Float64Array): Float32Array {
  const bias = new Float32Array(factors.length);
  for (let at = 0; at < bias.length; at++) {
    const factor = factors[at] ?? 1;
    if (factor !== 1) bias[at] = Math.max(ADDITIVE_FLOOR, Math.log(factor)); // most are 1
  }
  return bias;
}

/**
 * A bias for each token of the run: the columns that it does not see are very low.
 *
 * @param bias  `[sequences, rows, total]`, rows 1 or the run's tokens; undefined: 0, and one block of rows serves the batch
 *              unless the layout has more
 */
function rowsOfBias(
  ort: Ort,
  { hidden }: TokenLayout,
  bias: { readonly values: Float32Array; readonly rows: number } | undefined,
  { tokens, total }: Lengths,
): Tensor {
  const block = tokens * total;
  const sequences = bias ? bias.values.length / (bias.rows * total) : 0;
  const count = Math.max(hidden.length / block, sequences);
  const values = bias?.rows === tokens ? bias.values : new Float32Array(count * block);
  for (let sequence = 0; sequence < count; sequence++) {
    if (bias && values !== bias.values) {
      const row = bias.values.subarray(sequence * total, (sequence + 1) * total);
      for (let at = 0; at < block; at += total) values.set(row, sequence * block + at);
    }
    const from = hidden.length === block ? 0 : sequence * block;
    for (let at = 0; at < block; at++) if (hidden[from + at]) values[sequence * block + at] = HIDDEN;
  }
  return new ort.Tensor('float32', values, [count, 1, tokens, total]);
}

/** A run whose ids and segments are those that are fed, repeated for the batch where the graph does not do it. */
type FedRun = Pick<NetworkRun, 'batch' | 'ids' | 'lengths' | 'tokenWeights'> &
  Readonly<Record<'segments' | 'positions', Int32Array | undefined>> & { readonly embedded: Float32Array | undefined };

/** Inputs of the original graph except for the KV cache. @throws {RangeError} when lengths do not fit */
export function originalFeeds(ort: Ort, inputs: readonly NetworkInput[], run: FedRun, lengths: Lengths): Feeds {
  const { batch } = run;
  const { tokens, total } = lengths;
  const feedOf = (input: NetworkInput): Tensor => {
    switch (input.role) {
      case 'ids':
        return integers(ort, input, run.ids, [batch, tokens]);
      case 'embeddings':
        if (!run.embedded) throw new TypeError('a network that is fed embeddings was given none');
        return new ort.Tensor('float32', run.embedded, [batch, tokens, run.embedded.length / (batch * tokens)]);
      case 'mask':
        return integers(ort, input, maskOf(run, tokens, total), [batch, total]);
      case 'positions':
        return positions(ort, input, run, lengths);
      case 'segments':
        return integers(ort, input, segmentsOf(run), [batch, tokens]);
      case 'weights':
        return new ort.Tensor('float32', poolWeightsOf(run, tokens), [batch, tokens]);
      case 'keepAll':
        return integers(ort, input, new Int32Array(1), input.rank === 0 ? [] : [1]);
    }
  };
  return Object.fromEntries(inputs.map((input) => [input.name, feedOf(input)]));
}

/** Text has the same position on each of the three axes that Qwen2-VL has: time, height and width. */
function positions(ort: Ort, input: NetworkInput, run: FedRun, { tokens, total }: Lengths): Tensor {
  const axes = input.rank === 3 ? [3] : [];
  const count = run.batch * tokens;
  const positionAt = (index: number) => run.positions?.[index % count] ?? total - tokens + (index % tokens);
  const values = Int32Array.from({ length: (axes[0] ?? 1) * count }, (_, index) => positionAt(index));
  return integers(ort, input, values, [...axes, run.batch, tokens]);
}

function segmentsOf({ ids, segments }: FedRun): Int32Array {
  if (segments && segments.length !== ids.length)
    throw new RangeError(`${segments.length} segments for ${ids.length} ids`);
  return segments ?? new Int32Array(ids.length);
}

/** Ones and, in padding, zeros: `[batch, total]`. */
export function maskOf(
  { batch, lengths }: Pick<NetworkRun, 'batch' | 'lengths'>,
  tokens: number,
  total: number,
): Int32Array {
  const mask = new Int32Array(batch * total).fill(1);
  lengths?.forEach((length, index) => mask.fill(0, index * total + total - tokens + length, (index + 1) * total));
  return mask;
}

/** Weights of positions in the network's own pooling, `[batch, tokens]`; padding weighs 0. @throws {RangeError} */
export function poolWeightsOf(
  { batch, lengths, tokenWeights }: Pick<NetworkRun, 'batch' | 'lengths' | 'tokenWeights'>,
  tokens: number,
): Float32Array {
  if (tokenWeights && tokenWeights.length !== batch * tokens)
    throw new RangeError(`${tokenWeights.length} token weights for ${batch} sequences of ${tokens} positions`);
  const weights = tokenWeights?.slice() ?? new Float32Array(batch * tokens).fill(1);
  lengths?.forEach((length, index) => weights.fill(0, index * tokens + length, (index + 1) * tokens));
  return weights;
}

type Feeds = Record<string, Tensor>;

function int64(ort: Ort, values: Int32Array | readonly number[], dimensions: readonly number[]): Tensor {
  const wide = new BigInt64Array(values.length);
  for (let index = 0; index < values.length; index++) wide[index] = BigInt(values[index] ?? 0);
  return new ort.Tensor('int64', wide, dimensions);
}

/** An integer input, in the type that the graph takes. */
export function integers(
  ort: Ort,
  { type }: Pick<NetworkInput, 'type'>,
  values: Int32Array,
  dimensions: readonly number[],
): Tensor {
  return type === ElementType.int32 ? new ort.Tensor('int32', values, dimensions) : int64(ort, values, dimensions);
}
