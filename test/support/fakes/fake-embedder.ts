import type { LoadedModel } from '../../../workers/engine/engine.ts';
import { tokensOf, type Network, type NetworkRun } from '../../../workers/engine/network.ts';
import { fakeTokenizer, type Recorded } from './fake-model.ts';

/** Dimensions of its vectors unless told. */
export const EMBEDDED_WIDTH = 160;

const PROMPTS = { symmetric: 'Same: ', query: 'Find: ', document: 'Text: ' };

/** What a stand-in is able to. */
export interface FakeEmbedderOptions {
  readonly contextTokens?: number;
  readonly takesPadding?: boolean;
  /** false: the network gives its last states only. */
  readonly poolsItself?: boolean;
  /** Dimensions of its vectors. */
  readonly width?: number;
  readonly delayMs?: number;
  /** What stands in `config_sentence_transformers.json`; null: there is no such file. */
  readonly prompts?: Readonly<Record<string, string>> | null;
}

/**
 * The embedded model's tokenizer over an embedding network that can be computed by hand: the mean of `stateOf` over the
 * positions, weighed by token weight times attention factor.
 */
export function createFakeEmbedder({
  contextTokens = 64,
  takesPadding = true,
  poolsItself = true,
  width = EMBEDDED_WIDTH,
  delayMs = 0,
  prompts = PROMPTS,
}: FakeEmbedderOptions = {}): LoadedModel & Recorded {
  const runs: NetworkRun[] = [];
  const outputs = poolsItself ? ['sentence_embedding'] : ['last_hidden_state'];
  const network: Network = {
    shape: {
      layers: 1,
      width,
      vocabulary: 0,
      contextTokens,
      sharesKvCache: false,
      showsLayers: false,
      outputs,
      takesPadding,
      takesPositions: false,
      showsAttention: false,
      takesSteering: false,
      paddingId: 0,
    },
    backend: { kind: 'wasm', threads: 1, reason: 'a stand-in for tests' },
    async run(run) {
      runs.push(run);
      if (run.lengths && !takesPadding) throw new RangeError('padded sequences, which this network does not take');
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      const rows = Array.from({ length: run.batch }, (_, row) =>
        poolsItself ? sentence(run, row, width) : states(run, row, width),
      );
      const dimensions = poolsItself ? [run.batch, width] : [run.batch, tokensOf(run), width];
      return { outputs: { [outputs[0] ?? '']: { dimensions, values: Float32Array.from(rows.flat()) } } };
    },
    embeddings: async (ids) => Float32Array.from([...ids].flatMap((id) => stateOf(id, width))),
    release: async () => undefined,
  };
  return { network, config: {}, ...(prompts && { sentenceConfig: { prompts } }), tokenizer: fakeTokenizer(), runs };
}

/** States that were asked for, by width and id: long prompts ask for the same ones. */
const known = new Map<string, readonly number[]>();

/** The state of an id, `[width]`. */
export function stateOf(id: number, width = EMBEDDED_WIDTH): readonly number[] {
  const key = `${width}, ${id}`;
  const before = known.get(key);
  if (before) return before;
  const state = Array.from({ length: width }, (_, k) => Math.sin((id + 1) * (k + 1)));
  known.set(key, state);
  return state;
}

/** The mean of states, weighed. */
export function meanOfStates(
  ids: readonly number[],
  weights: readonly number[] = ids.map(() => 1),
  width = EMBEDDED_WIDTH,
): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const rows = ids.map((id) => stateOf(id, width));
  return Array.from(
    { length: width },
    (_, k) => rows.reduce((sum, row, i) => sum + (weights[i] ?? 0) * (row[k] ?? 0), 0) / total,
  );
}

function sentence(run: NetworkRun, row: number, width: number): number[] {
  const tokens = tokensOf(run);
  const length = run.lengths?.[row] ?? tokens;
  const begin = row * tokens;
  const weights = Array.from({ length }, (_, i) => {
    return (run.tokenWeights?.[begin + i] ?? 1) * (run.perturbation?.factors[begin + i] ?? 1);
  });
  return meanOfStates([...run.ids.subarray(begin, begin + length)], weights, width);
}

function states(run: NetworkRun, row: number, width: number): number[] {
  const tokens = tokensOf(run);
  return [...run.ids.subarray(row * tokens, (row + 1) * tokens)].flatMap((id) => stateOf(id, width));
}
