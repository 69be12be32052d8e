import type { Network, NetworkAnswer, NetworkRun, Prefix } from '../../workers/engine/network.ts';
import { referencePass } from '../golden/reference-decoder.ts';
import { randomWeights, type DecoderSizes } from './decoder-weights.ts';

/** A network without ONNX Runtime: the float64 reference behind the engine's interface. Gives logits and prefixes. */
export function referenceNetwork(sizes: DecoderSizes, seed: number): Network {
  const weights = randomWeights(sizes, seed);
  const kept = new WeakMap<Prefix, Int32Array>();
  const { layers, width, vocabulary, contextTokens } = sizes;

  const sequenceLogits = (run: NetworkRun, index: number): number[] => {
    const tokens = run.ids.length / run.batch;
    const past = run.prefix ? (kept.get(run.prefix.keep)?.subarray(0, run.prefix.tokens) ?? new Int32Array(0)) : [];
    const ids = [...past, ...run.ids.subarray(index * tokens, (index + 1) * tokens)];
    const { perturbation } = run;
    const factors = perturbation?.factors.subarray(index * ids.length, (index + 1) * ids.length);
    const asked = perturbation && factors && { mode: perturbation.mode, factors };
    const { logits } = referencePass(sizes, weights, ids, asked);
    return [...(run.rows ?? [])].flatMap((row) => [...(logits[past.length + row] ?? [])]);
  };
  const retain = (ids: Int32Array): Prefix => {
    const prefix: Prefix = { batch: 1, tokens: ids.length, release: () => void kept.delete(prefix) };
    kept.set(prefix, ids);
    return prefix;
  };
  return {
    shape: { layers, width, vocabulary, contextTokens, sharesPrefix: true },
    backend: { kind: 'wasm', threads: 1, reason: 'the float64 reference' },
    async run(run): Promise<NetworkAnswer> {
      const logits = Array.from({ length: run.batch }, (_, index) => sequenceLogits(run, index)).flat();
      return { logits: Float32Array.from(logits), ...(run.retain && { present: retain(run.ids) }) };
    },
    embeddings: async () => new Float32Array(0),
    release: async () => undefined,
  };
}
