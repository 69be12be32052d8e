import { repeated } from '../../../kernels/float-arrays.ts';
import { ElementType } from '../../codec/element-type.ts';
import type { NetworkRun } from '../../network.ts';
import { hasInput, type NetworkPlan, type SizedKvCacheTensor } from '../../rewrite/network-plan.ts';
import {
  MAXIMA_SKIP,
  POOL_WEIGHTS,
  ROWS,
  TARGETS,
  GIVEN_STATES,
  READS_GIVEN,
  NEEDS_ATTENTION,
  NEEDS_LOGITS,
  NEEDS_STATES,
  PAST_TOKENS,
  SEQUENCES,
} from '../../tensor-names.ts';
import { checkLayout, checkPadding, checkedTokens } from './check-run.ts';
import { originalFeeds } from './original-feeds.ts';
import { perturbationFeeds } from './perturbation-feeds.ts';
import type { Ort, Tensor } from '../session.ts';
import { type Feeds, int64 } from '../tensors.ts';

/** Keys and values of a finished run, by graph output. */
export type KvCacheTensors = ReadonlyMap<string, Tensor>;

/**
 * Inputs of one run; what was not asked for is fed neutral and minimal.
 *
 * @throws {RangeError} when lengths do not fit one another
 */
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
  const [segments, positions] = [asBatch(run.segments), asBatch(run.layout?.positions)];
  const fed = { ...run, ids, batch: ids.length / tokens, segments, positions, embedded: rows };
  const original = originalFeeds(ort, plan.inputs, fed, { tokens, past });
  if (plan.keptBecause !== undefined) return original;
  return {
    ...original,
    ...cacheFeeds(ort, plan.kvCache, kvTensors),
    ...perturbationFeeds(ort, run, { tokens, total: past + tokens }),
    ...poolingFeeds(ort, run, tokens),
    ...(plan.hasHead ? headFeeds(ort, run, tokens) : {}),
    ...(plan.readsGivenStates ? givenFeeds(ort, run, tokens) : {}),
    [PAST_TOKENS]: int64(ort, [past], [1]),
    [NEEDS_STATES]: bool(ort, needsStates),
    [NEEDS_LOGITS]: bool(ort, needsLogits),
    ...(plan.showsAttention && { [NEEDS_ATTENTION]: bool(ort, run.attention === true) }),
    [SEQUENCES]: int64(ort, [isShared ? run.batch : 1], [1]),
    [MAXIMA_SKIP]: int64(ort, [run.maxima?.skip ?? 0], [1]),
  };
}

/** What feeds depend on beside the run. */
export interface FeedSetting {
  readonly kvTensors: KvCacheTensors | undefined;
  /** Hidden states, pooled or as an output of the original graph, are asked for. */
  readonly needsStates: boolean;
  /** Predictions are asked for. */
  readonly needsLogits: boolean;
  /** Input embeddings of the run's own ids, `[ids, width]`, for a network that is fed them. */
  readonly embedded?: Float32Array | undefined;
}

/** The batch of a run with one row of ids comes from its perturbation, so there must be one; a KV cache must fit the first layer. */
function canShareIds({ sharesIds }: NetworkPlan, { sameIds, perturbation, cached }: NetworkRun): boolean {
  return sharesIds && sameIds === true && perturbation !== undefined && (cached?.kvCache.batch ?? 1) === 1;
}

/** Keys and values of the positions before; none for a run that begins. */
export function cacheFeeds(
  ort: Ort,
  kvCache: readonly SizedKvCacheTensor[],
  kvTensors: KvCacheTensors | undefined,
): Feeds {
  return Object.fromEntries(
    kvCache.map((cached) => [cached.input, kvTensors?.get(cached.output) ?? emptyPast(ort, cached)]),
  );
}

function bool(ort: Ort, value: boolean): Tensor {
  return new ort.Tensor('bool', Uint8Array.of(Number(value)), []);
}

function emptyPast(ort: Ort, { type, heads, headSize, isStacked }: SizedKvCacheTensor): Tensor {
  const dimensions = [...(isStacked ? [2] : []), 1, heads, 0, headSize];
  return type === ElementType.float16
    ? new ort.Tensor('float16', new Uint16Array(0), dimensions)
    : new ort.Tensor('float32', new Float32Array(0), dimensions);
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
  return { [POOL_WEIGHTS]: new ort.Tensor('float32', weights, [sequences, pools, tokens]) };
}

function headFeeds(ort: Ort, { rows = 1, targets, choices = 1 }: NetworkRun, tokens: number): Feeds {
  if (!Number.isInteger(rows) || rows < 1 || rows > tokens)
    throw new RangeError(`${rows} last rows of a run of ${tokens} positions`);
  if (targets && targets.length !== rows * choices)
    throw new RangeError(`${targets.length} targets for ${rows} rows of ${choices}`);
  return {
    [ROWS]: int64(ort, [rows], [1]),
    [TARGETS]: int64(ort, targets ?? new Int32Array(rows), [rows, targets ? choices : 1]),
  };
}

function givenFeeds(ort: Ort, { batch, rows = 1, states }: NetworkRun, tokens: number): Feeds {
  if (states && (rows !== tokens || states.length % (batch * rows) !== 0))
    throw new RangeError(`${states.length} numbers as states of ${rows} rows in ${batch} runs of ${tokens} positions`);
  const shape = states ? [batch * rows, states.length / (batch * rows)] : [1, 1];
  return {
    [GIVEN_STATES]: new ort.Tensor('float32', states ?? new Float32Array(1), shape),
    [READS_GIVEN]: bool(ort, states !== undefined),
  };
}
