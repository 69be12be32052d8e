import {
  tokensOf,
  type Network,
  type NetworkAnswer,
  type NetworkRun,
  type KvCache,
} from '../../../workers/engine/network.ts';
import { referencePass } from '../../golden/reference-decoder.ts';
import { randomWeights, type DecoderSizes } from './decoder-weights.ts';

/** A network without ONNX Runtime: the float64 reference behind the engine's interface. Gives logits and prefixes. */
export function referenceNetwork(sizes: DecoderSizes, seed: number): Network {
  const weights = randomWeights(sizes, seed);
  const kept = new WeakMap<KvCache, readonly Int32Array[]>();
  const { layers, width, vocabulary, contextTokens } = sizes;

  /** Everything a sequence has seen, its prefix included. */
  const idsOf = (run: NetworkRun, index: number): Int32Array => {
    const tokens = tokensOf(run);
    const start = run.sameIds ? 0 : index * tokens;
    const past = run.cached && kept.get(run.cached.kvCache);
    const own = (past?.[index] ?? past?.[0])?.subarray(0, run.cached?.tokens) ?? [];
    return Int32Array.from([...own, ...run.ids.subarray(start, start + tokens)]);
  };
  const sequenceLogits = (run: NetworkRun, index: number): number[] => {
    const ids = idsOf(run, index);
    const { perturbation } = run;
    const factors = perturbation?.factors.subarray(index * ids.length, (index + 1) * ids.length);
    const asked = perturbation && factors && { mode: perturbation.mode, factors };
    const { logits } = referencePass(sizes, weights, ids, asked);
    return logits.slice(ids.length - (run.rows ?? 1)).flatMap((row) => [...row]);
  };
  const keepKvCache = (run: NetworkRun): KvCache => {
    const sequences = Array.from({ length: run.batch }, (_, index) => idsOf(run, index));
    const tokens = sequences[0]?.length ?? 0;
    const kvCache: KvCache = { batch: run.batch, tokens, release: () => void kept.delete(kvCache) };
    kept.set(kvCache, sequences);
    return kvCache;
  };
  return {
    shape: {
      layers,
      width,
      vocabulary,
      contextTokens,
      sharesKvCache: true,
      outputs: [],
      takesPadding: false,
      takesPositions: false,
      showsAttention: false,
      takesSteering: false,
      showsLayers: false,
      paddingId: 0,
    },
    backend: { kind: 'wasm', threads: 1, reason: 'the float64 reference' },
    async run(run): Promise<NetworkAnswer> {
      const logits = Array.from({ length: run.batch }, (_, index) => sequenceLogits(run, index)).flat();
      return { logits: Float32Array.from(logits), ...(run.keepKvCache && { kvCache: keepKvCache(run) }) };
    },
    embeddings: async () => new Float32Array(0),
    release: async () => undefined,
  };
}
