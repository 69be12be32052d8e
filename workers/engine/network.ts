import { FailureError } from '../../src/contract/failure.ts';
import { shortText } from '../../src/contract/shown.ts';
import type { ComputedBy } from '../../src/protocol/model-job.ts';
import type { PassCosts } from '../kernels/batch-plan.ts';

/** What operations need from a loaded network. `session/open-network.ts` implements it. */

/** Sizes and abilities of a network, read from its graph and `config.json`. */
export interface NetworkShape {
  /** Number of transformer layers; hidden states have the indices 0 … layers. */
  readonly layers: number;
  readonly width: number;
  /** 0 when the graph has no language-model head. */
  readonly vocabulary: number;
  /** Longest sequence (prompt and target together), in tokens. */
  readonly contextTokens: number;
  /** Hidden states of any layer can be turned into logits, see `NetworkRun.states`. */
  readonly showsLayers: boolean;
  /** It was opened with the input for steering, and its layers allow it: runs can have `NetworkRun.steering`. */
  readonly takesSteering: boolean;
  /** Runs can share a KV cache: an explanation need not recompute what comes before a perturbation. */
  readonly sharesKvCache: boolean;
  /** Why the graph runs as it was exported: without controls, and without states of layers but the last. Left out: it was rewritten. */
  readonly keptBecause?: string;
  /** Floating-point outputs of the original graph, by name, without keys and values. */
  readonly outputs: readonly string[];
  /** Sequences of different lengths may share a batch, padded on the right: the graph has a mask that hides padding. */
  readonly takesPadding: boolean;
  /** The graph has an input for the position of each token, so that a run may have a layout. */
  readonly takesPositions: boolean;
  /** Runs can return attention weights, see `NetworkRun.attention`. */
  readonly showsAttention: boolean;
  /** The id in padding. Networks that count positions from their ids leave it out; no text contains it. */
  readonly paddingId: number;
}

/** Keys and values of a finished run, on the device it ran on. Its owner releases it once. */
export interface KvCache {
  /** Sequences; a KV cache of one serves any batch, one of several serves a run of as many. */
  readonly batch: number;
  readonly tokens: number;
  release(): void;
}

/**
 * Factors on the attention paid to each position (1 = untouched), in every layer and head, for every query row.
 *
 * - `additive`:       score + ln(factor); factor 0 adds a finite floor (never -Infinity)
 * - `multiplicative`: (score − min over the row's unmasked keys) × factor, after the 1/√d scaling
 *
 * @source contract field `control_log_additive`; AtMan, arXiv:2301.08110 (Eq. 4); contract facts §2.1
 */
export interface Perturbation {
  readonly mode: 'additive' | 'multiplicative';
  /**
   * `[batch, total]`, total = cached tokens + tokens; with a layout also `[batch, tokens, total]`, a row for each token.
   * May be float64, because in float32 a factor below 1e-45 is 0.
   */
  readonly factors: Float32Array | Float64Array;
  /** Only where the network `takesPositions`. */
  readonly layout?: TokenLayout | undefined;
}

/**
 * Tokens that do not simply follow one another: two continuations of one prompt in one run, or chosen positions computed
 * again after keys and values of all. Without it, a token comes after the one before it and sees all before it.
 */
export interface TokenLayout {
  /** Position of each token of the run, of the same form as `ids`. */
  readonly positions: Int32Array;
  /** 1 where a token does not see a column that it would see by default, `[1 or batch, tokens, total]`. */
  readonly hidden: Uint8Array;
}

/**
 * Input embeddings for a part of a sequence that has no token ids: an image encoder's output for a picture. The ids of
 * these positions are ignored. Only for networks that are fed embeddings.
 */
export interface EmbeddingOverride {
  /** First position in the whole sequence, cached positions included. */
  readonly position: number;
  /** `[positions, width]`. */
  readonly rows: Float32Array;
}

/** One forward pass: `batch` sequences of the same length, with the same KV cache before them. */
export interface NetworkRun {
  readonly batch: number;
  /** Token ids, row-major `[batch, tokens]`; with `sameIds` one row, `[tokens]`, that all sequences share. */
  readonly ids: Int32Array;
  readonly sameIds?: boolean;
  /** Input embeddings instead of ids, the same in every sequence; parts before or after the run are ignored. */
  readonly embeddingOverrides?: readonly EmbeddingOverride[];
  /**
   * Tokens of each sequence before its padding on the right, `[batch]`; absent: nothing is padded. Results at padded
   * positions have no meaning. Only where the network `takesPadding`; not with `sameIds`, `maxima` or `keepKvCache`.
   */
  readonly lengths?: Int32Array;
  /** Segment of each position where the network has segments, of the same form as `ids`; absent: 0. */
  readonly segments?: Int32Array;
  /** Weight of each position in the network's own pooling, `[batch, tokens]`; default 1, padding 0. May be ignored. */
  readonly tokenWeights?: Float32Array;
  /** A KV cache and how many of its positions come before `ids`; may be fewer than it holds. */
  readonly cached?: { readonly kvCache: KvCache; readonly tokens: number };
  readonly perturbation?: Perturbation;
  /**
   * Added to the hidden state after each layer, `[layers, width]`, at every position of every sequence. A KV cache serves runs
   * with the very array that it was made with. Only for a network that `takesSteering`.
   */
  readonly steering?: Float32Array | undefined;
  /** Returns `pooled`. Only without a KV cache. */
  readonly pooling?: PoolingWeights;
  /**
   * Returns maximum and maximum of absolute values over the positions from `skip` on, of every layer (special tokens in
   * front are not pooled). Only without a KV cache.
   */
  readonly maxima?: { readonly skip: number };
  /** How many of the last positions predict: next-token logits or log-probabilities are computed for them. Absent: 1. */
  readonly rows?: number;
  /** Token ids expected after those positions, `[rows, choices]`: returns `logProbabilities`. */
  readonly targets?: Int32Array;
  /**
   * Hidden states before the final norm, `[batch, rows, width]`, that the head reads instead of the run's own; `rows` is
   * all positions of the run then, and its ids are ignored. Only where the network `showsLayers`.
   */
  readonly states?: Float32Array;
  /** Returns full `logits` of the last `rows` positions. */
  readonly logits?: boolean;
  /** Returns `likeliest` at those positions. */
  readonly likeliest?: boolean;
  /** Returns `attention`. Only where the network `showsAttention`, together with `targets`. */
  readonly attention?: boolean;
  /** Outputs of the original graph to return, names out of `NetworkShape.outputs`; such as `sentence_embedding`. */
  readonly outputs?: readonly string[];
  /** Returns `kvCache`, the KV cache of cached positions and ids. Alone, it computes no last layer and no head. */
  readonly keepKvCache?: boolean;
  /** Ends a pass that runs on another machine; one on this machine runs to its end. */
  readonly signal?: AbortSignal | undefined;
}

/** Rows of weights over positions, `[pools, tokens]` for all sequences or `[batch, pools, tokens]`. */
interface PoolingWeights {
  readonly weights: Float32Array;
  readonly pools: number;
}

/** Positions that a run computes in each sequence. */
export function tokensOf({ batch, ids, sameIds }: Pick<NetworkRun, 'batch' | 'ids' | 'sameIds'>): number {
  return sameIds ? ids.length : ids.length / batch;
}

/** Whether each sequence has its own weights. */
export function isPerSequence({ weights, pools }: PoolingWeights, tokens: number): boolean {
  return weights.length > pools * tokens;
}

/** Pooling that leaves every position apart: the identity, `[tokens, tokens]`. */
export function eachPosition(tokens: number): PoolingWeights {
  const weights = Float32Array.from({ length: tokens ** 2 }, (_, index) => Number(index % (tokens + 1) === 0));
  return { weights, pools: tokens };
}

/** The results that a run names; everything else is absent and was not copied from the device. */
export interface NetworkAnswer {
  /** `[batch, layers + 1, pools, width]`; layer 0 = word embeddings, layer L = last block before the final norm. */
  readonly pooled?: Float32Array;
  /** `[batch, layers + 1, width]`. */
  readonly maximum?: Float32Array;
  /** `[batch, layers + 1, width]`. */
  readonly absoluteMaximum?: Float32Array;
  /** Natural-log probability of `targets`, `[batch, rows, choices]`. */
  readonly logProbabilities?: Float32Array;
  /** `[batch, rows, vocabulary]`. */
  readonly logits?: Float32Array;
  /** The likeliest token of each row, of equals the first, and the natural logarithm of its probability, `[batch, rows, 2]`. */
  readonly likeliest?: Float32Array;
  /** Attention weights under the run's perturbation, of each pair of positions the greatest of any head. */
  readonly attention?: {
    /** Of all layers but the last, `[batch, layers − 1, tokens, total]`. */
    readonly earlier: Float32Array;
    /** Of the last layer, for the positions that predict, `[batch, rows, total]`. */
    readonly last: Float32Array;
  };
  readonly outputs?: Readonly<Record<string, NamedOutput>>;
  readonly kvCache?: KvCache;
}

/** A part of an answer that the run names. @throws {RangeError} when the network left it out */
export function requested<Value>(part: Value | undefined): Value {
  if (part === undefined) throw new RangeError('the network did not answer what was asked for');
  return part;
}

/** An output of the original graph. */
export interface NamedOutput {
  readonly dimensions: readonly number[];
  readonly values: Float32Array;
}

/** A loaded network. Runs are queued: at most one at a time per runtime, several where a remote engine computes them. */
export interface Network {
  readonly shape: NetworkShape;
  readonly backend: Backend;
  /** Measured when it was opened; left out: `costsOf` has what is usual on its device. */
  readonly costs?: PassCosts;
  run(run: NetworkRun): Promise<NetworkAnswer>;
  /** Input word embeddings of ids (layer 0 before anything is added), `[ids, width]`; for contextual control. */
  embeddings(ids: Int32Array): Promise<Float32Array>;
  /** The same network on another device, where a written token takes less time. Left out: this one writes. */
  readonly writer?: Network;
  /** How many passes are worth starting at once, now. Left out: one. */
  readonly inFlight?: () => number;
  release(): Promise<void>;
}

/** Weights are only widened to 32-bit floats up to this: a WebAssembly memory has 4 GiB, and holds keys, values and passes too. */
export const MOST_WIDENED_BYTES = 1.25 * 2 ** 30;

/** Larger passes are not faster on WebAssembly, and its heap grows by up to three times as much (`npm run bench -- --only lengths-memory`). */
export const WASM_PASS_BYTES = 64 * 2 ** 20;

/**
 * Costs where none were measured: of lightwell-base on two cores, and on a card. A remote engine manages its own memory, and a
 * request takes as long as very many positions.
 */
const USUAL_COSTS: Readonly<Record<ComputedBy, PassCosts>> = {
  wasm: { passMs: 2, positionMs: 0.3, memoryBytes: WASM_PASS_BYTES },
  webgpu: { passMs: 10, positionMs: 0.002, memoryBytes: 256 * 2 ** 20 },
  remote: { passMs: 1, positionMs: 1e-6, memoryBytes: Infinity },
};

/** What passes of a network cost on its device. */
export function costsOf({ costs, backend }: Pick<Network, 'costs' | 'backend'>): PassCosts {
  return costs ?? USUAL_COSTS[backend.kind];
}

/** The device a network runs on. */
export interface Backend {
  readonly kind: ComputedBy;
  readonly threads: number;
  /** One sentence that is shown: why this device, with the numbers it was chosen by. */
  readonly reason: string;
}

/**
 * A network whose answers hold finite numbers only. JSON has no others: a response would carry `null` instead of a number.
 *
 * @returns the network; its `run` throws a `FailureError` that names the output: INVALID_REQUEST under attention controls
 *   or steering, which can drive numbers out of the range of float16, else INTERNAL
 */
export function finiteOnly(network: Network): Network {
  return {
    ...network,
    ...(network.writer && { writer: finiteOnly(network.writer) }),
    async run(run) {
      const answer = await network.run(run);
      const name = notFinite(answer);
      if (name === undefined) return answer;
      answer.kvCache?.release();
      throw notFiniteError(run, name);
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

function notFiniteError({ perturbation, steering }: NetworkRun, name: string): FailureError {
  if (steering)
    return new FailureError(
      'INVALID_REQUEST',
      `steering_concepts: expected strengths that the model can compute with, got a result (${name}) that is not a finite number`,
    );
  if (perturbation?.factors.some((factor) => factor !== 1))
    return new FailureError(
      'INVALID_REQUEST',
      `control factors: expected some that the model can compute with, got a result (${name}) that is not a finite number`,
    );
  return new FailureError('INTERNAL', `the model computed a result (${name}) that is not a finite number`);
}

/** Characters of a reason: names in it come from files of others. */
const MAX_REASON = 1000;

/**
 * Refuses a model: one that cannot be explained exactly is not run.
 *
 * @param reason  the file, operator or structure at fault, and what was expected; shown to people
 * @throws {FailureError} MODEL_UNAVAILABLE
 */
export function refuse(reason: string): never {
  throw new FailureError('MODEL_UNAVAILABLE', shortText(reason, MAX_REASON));
}

/** @throws {FailureError} MISSING_CAPABILITY where the graph runs as it was exported */
export function refuseUnchanged({ keptBecause }: { readonly keptBecause?: string }, wanted: string): void {
  if (keptBecause === undefined) return;
  throw new FailureError('MISSING_CAPABILITY', `model: expected one with ${wanted}, got one without: ${keptBecause}`);
}
