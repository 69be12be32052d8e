import { readFileSync } from 'node:fs';
import type { LoadedModel } from '../../../workers/engine/engine.ts';
import {
  type KvCache,
  type Network,
  type NetworkAnswer,
  type NetworkRun,
  type Perturbation,
  tokensOf,
} from '../../../workers/engine/network.ts';
import { likeliest } from '../../../workers/kernels/next-token.ts';
import { fakeImages, withTiles } from './fake-images.ts';
import { createTokenizer } from '../../../workers/engine/loading/tokenizer.ts';

const FOLDER = new URL('../../../public/models/lightwell-base/', import.meta.url);
const WIDTH = 8;
const LAYERS = 2;
const CLASSES = 64;
const VOCABULARY = 4096;
const POOLING = {
  outputs: [],
  takesPadding: false,
  showsAttention: false,
  takesSteering: true,
  paddingId: 0,
};

/** Every pass a fake network was asked for. */
export interface Recorded {
  readonly runs: NetworkRun[];
}

/** The embedded model's tokenizer over a network whose every answer can be computed by hand: see `logProbability`. */
export function createFakeModel({
  contextTokens = 1024,
  sharesKvCache = true,
  delayMs = 0,
  readsImages = false,
  showsLayers = true,
  takesPositions = true,
} = {}): LoadedModel & Recorded {
  const runs: NetworkRun[] = [];
  const network: Network = {
    shape: {
      layers: LAYERS,
      width: WIDTH,
      vocabulary: VOCABULARY,
      contextTokens,
      sharesKvCache,
      showsLayers,
      takesPositions,
      ...POOLING,
    },
    backend: { kind: 'wasm', threads: 1, reason: 'a stand-in for tests' },
    async run(run) {
      runs.push(run);
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      return answerTo(withTiles(run));
    },
    embeddings: async (ids) => Float32Array.from([...ids].flatMap(embedding)),
    release: async () => undefined,
  };
  const reader = fakeImages(embedding);
  const images = readsImages && { images: async () => reader };
  return { network, config: { bos_token_id: 0 }, tokenizer: fakeTokenizer(), runs, ...images };
}

const read = (name: string): object => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
const tokenizer = createTokenizer(read('tokenizer.json'), read('tokenizer_config.json'));

/** The embedded model's own tokenizer. It keeps no state, so all tests share one: reading its file takes a while. */
export const fakeTokenizer = () => tokenizer;

interface FakeKvCache extends KvCache {
  readonly sequences: readonly Fed[];
}

/** What retained keys and values stand for, by the handle that was given out. */
const kept = new WeakMap<KvCache, FakeKvCache>();

function answerTo(run: NetworkRun): NetworkAnswer {
  const sequences = Array.from({ length: run.batch }, (_, b) => sequence(run, b));
  return {
    ...(run.targets && { logProbabilities: logProbabilities(run, sequences) }),
    ...(run.logits && { logits: run.states ? statesLogits(run.states) : logits(run, sequences) }),
    ...(run.likeliest && { likeliest: likeliestRows(logits(run, sequences)) }),
    ...(run.keepKvCache && { kvCache: retained(sequences) }),
    ...(run.pooling && { pooled: pooled(run, run.pooling.weights, run.pooling.pools) }),
    ...(run.maxima && { maximum: maxima(run, (x) => x), absoluteMaximum: maxima(run, Math.abs) }),
  };
}

interface Fed {
  readonly ids: readonly number[];
  readonly factors: readonly number[];
  /** Whether a row of the run sees a column. */
  readonly sees?: (row: number, column: number) => boolean;
  /** Moves the score of each class, at every position. */
  readonly steering?: Float32Array;
  /** Factors that a row of the run has for itself. */
  readonly ownFactors?: (row: number) => readonly number[] | undefined;
}

/** Factors of one sequence. The modes must differ: the multiplicative one counts them twice. */
function effective(perturbation: Perturbation | undefined, b: number, total: number): number[] {
  if (!perturbation) return Array.from({ length: total }, () => 1);
  const factors = [...perturbation.factors.subarray(b * total, (b + 1) * total)];
  return perturbation.mode === 'additive' ? factors : factors.map((factor) => factor ** 2);
}

/** Prefix positions keep the factors they were computed with, as keys and values do. */
function sequence({ batch, ids, sameIds, cached, perturbation, steering }: NetworkRun, b: number): Fed {
  const layout = perturbation?.layout;
  const kepts = cached ? kept.get(cached.kvCache)?.sequences : undefined;
  const before = kepts?.[kepts.length === 1 ? 0 : b];
  const length = tokensOf({ batch, ids, ...(sameIds && { sameIds }) });
  const first = cached?.tokens ?? 0;
  const own = sameIds ? [...ids] : [...ids.subarray(b * length, (b + 1) * length)];
  const total = first + length;
  const factors = effective(perturbation, b, total);
  const isByToken = (perturbation?.factors.length ?? 0) > batch * total; // in a batch of one
  const block = layout && layout.hidden.length > length * total ? b * length * total : 0;
  return {
    ids: [...(before?.ids.slice(0, first) ?? []), ...own],
    // Rows of a layout stand for a whole pass: what is kept is seen through this run's factors.
    factors: layout ? factors : [...(before?.factors.slice(0, first) ?? []), ...factors.slice(first)],
    ...(steering && { steering }),
    ...(isByToken && {
      ownFactors: (row) => (row < first ? undefined : effective(perturbation, row - first, total)),
    }),
    ...(layout && { sees: (row, column) => row < first || !layout.hidden[block + (row - first) * total + column] }),
  };
}

function retained(sequences: readonly Fed[]): KvCache {
  const tokens = sequences[0]?.ids.length ?? 0;
  const kvCache: FakeKvCache = { batch: sequences.length, tokens, sequences, release: () => undefined };
  kept.set(kvCache, kvCache);
  return kvCache;
}

function logProbabilities(run: NetworkRun, sequences: readonly Fed[]): Float32Array {
  const first = run.cached?.tokens ?? 0;
  const { rows = 1, targets = [] } = run;
  const choices = targets.length / rows;
  const tokens = tokensOf(run);
  if (rows > tokens) throw new RangeError('more rows than positions, as the engine refuses it');
  return Float32Array.from(
    sequences.flatMap((fed) =>
      Array.from({ length: rows * choices }, (_, t) =>
        logProbability(fed, first + tokens - rows + Math.floor(t / choices), targets[t] ?? 0),
      ),
    ),
  );
}

/** Scores of all tokens at `rows`; tokens of one class are equally likely. */
function logits(run: NetworkRun, sequences: readonly Fed[]): Float32Array {
  const { rows = 1 } = run;
  const first = (run.cached?.tokens ?? 0) + tokensOf(run) - rows;
  const scores = new Float32Array(sequences.length * rows * VOCABULARY);
  sequences.forEach((fed, b) => {
    for (let t = 0; t < rows; t++) {
      const classes = classScores(fed, first + t);
      for (let from = 0; from < VOCABULARY; from += CLASSES) scores.set(classes, (b * rows + t) * VOCABULARY + from);
    }
  });
  return scores;
}

function likeliestRows(all: Float32Array): Float32Array {
  const rows = Array.from({ length: all.length / VOCABULARY }, (_, row) =>
    likeliest(all.subarray(row * VOCABULARY, (row + 1) * VOCABULARY)),
  );
  return Float32Array.from(rows.flatMap(({ id, logProbability }) => [id, logProbability]));
}

/** Products of states with the embedding of each id. */
function statesLogits(states: Float32Array): Float32Array {
  const scores = new Float32Array((states.length / WIDTH) * VOCABULARY);
  for (let id = 0; id < VOCABULARY; id++) {
    const own = embedding(id);
    for (let row = 0; row < states.length / WIDTH; row++)
      scores[row * VOCABULARY + id] = own.reduce((sum, x, k) => sum + x * (states[row * WIDTH + k] ?? 0), 0);
  }
  return scores;
}

/** ln softmax over all tokens of Σ factor × affinity of each position up to `row`. */
export function logProbability(fed: Fed, row: number, target: number): number {
  const scores = classScores(fed, row);
  const most = Math.max(...scores); // factors may be so large that powers without it leave float64
  const total = (VOCABULARY / CLASSES) * scores.reduce((sum, score) => sum + Math.exp(score - most), 0);
  return (scores[target % CLASSES] ?? NaN) - most - Math.log(total);
}

/** Σ factor × affinity of each position up to `row`, for each class. */
function classScores({ ids, factors, sees, ownFactors, steering = new Float32Array(0) }: Fed, row: number) {
  const scaling = ownFactors?.(row) ?? factors;
  const sums = Float64Array.from({ length: CLASSES }, (_, candidate) =>
    steering.reduce((sum, value, at) => sum + value * Math.sin(candidate * (at + 1)), 0),
  );
  for (let j = 0; j <= Math.min(row, ids.length - 1); j++) {
    if (sees && !sees(row, j)) continue;
    const own = affinitiesOf(ids[j] ?? 0);
    for (let candidate = 0; candidate < CLASSES; candidate++)
      sums[candidate] = (sums[candidate] ?? 0) + (scaling[j] ?? 1) * (own[candidate] ?? 0);
  }
  return sums;
}

const affinities = new Map<number, Float64Array>();

/** Fixed numbers in −1 … 1 for an id and each class; kept, because sines are most of what a fake network costs. */
function affinitiesOf(id: number): Float64Array {
  const found = affinities.get(id);
  if (found) return found;
  const made = Float64Array.from({ length: CLASSES }, (_, candidate) => Math.sin(id * 12.9898 + candidate * 78.233));
  affinities.set(id, made);
  return made;
}

/** Input embedding of an id, `[8]`. */
export function embedding(id: number): number[] {
  return Array.from({ length: WIDTH }, (_, k) => Math.sin(id * (k + 1)));
}

/** The hidden state of a layer is the embedding plus the layer's index, and in all but layer 0 what attention makes of it. */
function hidden(id: number, layer: number, shift: number): number[] {
  return embedding(id).map((x) => x + layer * (1 + shift));
}

/** 0 where no factor differs from 1. */
function shiftOf(run: NetworkRun): number {
  const { ids, factors } = sequence(run, 0);
  return ids.reduce((sum, id, j) => sum + ((factors[j] ?? 1) - 1) * Math.sin(id), 0);
}

function pooled(run: NetworkRun, weights: Float32Array, pools: number): Float32Array {
  const { ids } = run;
  const shift = shiftOf(run);
  const length = weights.length / pools;
  const rows = Array.from({ length: LAYERS + 1 }, (_, layer) =>
    Array.from({ length: pools }, (_, pool) =>
      [...ids].reduce(
        (sum, id, j) =>
          sum.map((x, k) => {
            const added = run.steering?.[(layer - 1) * WIDTH + k] ?? 0;
            return x + (weights[pool * length + j] ?? 0) * ((hidden(id, layer, shift)[k] ?? 0) + added);
          }),
        new Array<number>(WIDTH).fill(0),
      ),
    ),
  );
  return Float32Array.from(rows.flat(2));
}

function maxima(run: NetworkRun, of: (x: number) => number): Float32Array {
  const pooledIds = [...run.ids].slice(run.maxima?.skip ?? 0);
  const shift = shiftOf(run);
  const rows = Array.from({ length: LAYERS + 1 }, (_, layer) =>
    Array.from({ length: WIDTH }, (_, k) => Math.max(...pooledIds.map((id) => of(hidden(id, layer, shift)[k] ?? 0)))),
  );
  return Float32Array.from(rows.flat());
}
