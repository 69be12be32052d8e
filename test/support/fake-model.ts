import { readFileSync } from 'node:fs';
import type { LoadedModel } from '../../workers/engine/engine.ts';
import { tokensOf } from '../../workers/engine/network.ts';
import type { Network, NetworkAnswer, NetworkRun, Prefix } from '../../workers/engine/network.ts';
import { createTokenizer } from '../../workers/engine/tokenizer.ts';

const FOLDER = new URL('../../public/models/lightwell-base/', import.meta.url);
const WIDTH = 8;
const LAYERS = 2;
const CLASSES = 64;

/** Every pass a fake network was asked for. */
export interface Recorded {
  readonly runs: NetworkRun[];
}

/** The embedded model's tokenizer over a network whose every answer can be computed by hand: see `logProbability`. */
export function createFakeModel({ contextTokens = 1024, sharesPrefix = true, delayMs = 0 } = {}): LoadedModel &
  Recorded {
  const runs: NetworkRun[] = [];
  const network: Network = {
    shape: { layers: LAYERS, width: WIDTH, vocabulary: 4096, contextTokens, sharesPrefix },
    backend: { kind: 'wasm', threads: 1, reason: 'a stand-in for tests' },
    async run(run) {
      runs.push(run);
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      return answerTo(run);
    },
    embeddings: async (ids) => Float32Array.from([...ids].flatMap(embedding)),
    release: async () => undefined,
  };
  return { network, tokenizer: fakeTokenizer(), runs };
}

/** The embedded model's own tokenizer. */
export function fakeTokenizer() {
  const read = (name: string): object => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
  return createTokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
}

interface FakePrefix extends Prefix {
  readonly sequences: readonly Fed[];
}

/** What retained keys and values stand for, by the handle that was given out. */
const kept = new WeakMap<Prefix, FakePrefix>();

function answerTo(run: NetworkRun): NetworkAnswer {
  const sequences = Array.from({ length: run.batch }, (_, b) => sequence(run, b));
  return {
    ...(run.targets && { logProbabilities: logProbabilities(run, sequences) }),
    ...(run.retain && { present: retained(sequences) }),
    ...(run.pooling && { pooled: pooled(run, run.pooling.weights, run.pooling.pools) }),
    ...(run.maxima && { maximum: maxima(run, (x) => x), absoluteMaximum: maxima(run, Math.abs) }),
  };
}

interface Fed {
  readonly ids: readonly number[];
  readonly factors: readonly number[];
}

/** Prefix positions keep the factors they were computed with, as keys and values do. */
function sequence({ batch, ids, sameIds, prefix, perturbation }: NetworkRun, b: number): Fed {
  const kepts = prefix ? kept.get(prefix.keep)?.sequences : undefined;
  const before = kepts?.[kepts.length === 1 ? 0 : b];
  const length = tokensOf({ batch, ids, ...(sameIds && { sameIds }) });
  const first = prefix?.tokens ?? 0;
  const own = sameIds ? [...ids] : [...ids.subarray(b * length, (b + 1) * length)];
  const total = first + length;
  const factors = perturbation
    ? [...perturbation.factors.subarray(b * total, (b + 1) * total)]
    : Array.from({ length: total }, () => 1);
  return {
    ids: [...(before?.ids.slice(0, first) ?? []), ...own],
    factors: [...(before?.factors.slice(0, first) ?? []), ...factors.slice(first)],
  };
}

function retained(sequences: readonly Fed[]): Prefix {
  const tokens = sequences[0]?.ids.length ?? 0;
  const prefix: FakePrefix = { batch: sequences.length, tokens, sequences, release: () => undefined };
  kept.set(prefix, prefix);
  return prefix;
}

function logProbabilities(run: NetworkRun, sequences: readonly Fed[]): Float32Array {
  const first = run.prefix?.tokens ?? 0;
  const { rows = 1, targets = [] } = run;
  const tokens = tokensOf(run);
  if (rows > tokens) throw new RangeError('more rows than positions, as the engine refuses it');
  return Float32Array.from(
    sequences.flatMap((fed) =>
      Array.from({ length: rows }, (_, t) => logProbability(fed, first + tokens - rows + t, targets[t] ?? 0)),
    ),
  );
}

/** ln softmax over 64 classes of Σ factor × affinity of each position up to `row`. */
export function logProbability({ ids, factors }: Fed, row: number, target: number): number {
  const scoreOf = (candidate: number) =>
    ids.slice(0, row + 1).reduce((sum, id, j) => sum + (factors[j] ?? 1) * affinity(id, candidate), 0);
  const scores = Array.from({ length: CLASSES }, (_, candidate) => scoreOf(candidate));
  return scoreOf(target % CLASSES) - Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));
}

/** A fixed number in −1 … 1 for two ids. */
function affinity(id: number, candidate: number): number {
  return Math.sin(id * 12.9898 + (candidate % CLASSES) * 78.233);
}

/** Input embedding of an id, `[8]`. */
export function embedding(id: number): number[] {
  return Array.from({ length: WIDTH }, (_, k) => Math.sin(id * (k + 1)));
}

/** The hidden state of a layer is the embedding plus the layer's index. */
function hidden(id: number, layer: number): number[] {
  return embedding(id).map((x) => x + layer);
}

function pooled({ ids }: NetworkRun, weights: Float32Array, pools: number): Float32Array {
  const length = weights.length / pools;
  const rows = Array.from({ length: LAYERS + 1 }, (_, layer) =>
    Array.from({ length: pools }, (_, pool) =>
      [...ids].reduce(
        (sum, id, j) => sum.map((x, k) => x + (weights[pool * length + j] ?? 0) * (hidden(id, layer)[k] ?? 0)),
        new Array<number>(WIDTH).fill(0),
      ),
    ),
  );
  return Float32Array.from(rows.flat(2));
}

function maxima({ ids, maxima: asked }: NetworkRun, of: (x: number) => number): Float32Array {
  const pooledIds = [...ids].slice(asked?.skip ?? 0);
  const rows = Array.from({ length: LAYERS + 1 }, (_, layer) =>
    Array.from({ length: WIDTH }, (_, k) => Math.max(...pooledIds.map((id) => of(hidden(id, layer)[k] ?? 0)))),
  );
  return Float32Array.from(rows.flat());
}
