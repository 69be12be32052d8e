import type { LoadedModel } from '../engine/engine.ts';
import type { EmbeddingOverride, KvCache, Network, Perturbation } from '../engine/network.ts';

/** A sequence to be continued. */
export interface Beginning {
  readonly ids: readonly number[];
  readonly embeddingOverrides: readonly EmbeddingOverride[];
  /** Factors on the attention paid to each of `ids`; undefined: none. Tokens behind them have the factor 1. */
  readonly factors: Float64Array | undefined;
  readonly mode: Perturbation['mode'];
}

/** A sequence that grows by a token at a time. */
export interface GrowingSequence {
  /** Logits of the token behind the sequence, `[vocabulary]`. */
  next(): Promise<Float32Array>;
  push(id: number): void;
  /** Frees what is kept on the device. */
  release(): void;
}

/** Runs a growing sequence: keys and values of what was run before are kept where the network can share them. */
export function growingSequence(
  { run, shape }: Network,
  { ids: first, factors, embeddingOverrides, mode }: Beginning,
): GrowingSequence {
  const ids = [...first];
  let past: KvCache | undefined;
  return {
    push: (id) => void ids.push(id),
    async next() {
      const start = past?.tokens ?? 0;
      const { logits, kvCache } = await run({
        batch: 1,
        ids: Int32Array.from(ids.slice(start)),
        embeddingOverrides,
        ...(past && { cached: { kvCache: past, tokens: start } }),
        ...(factors && { perturbation: { mode, factors: lengthened(factors, ids.length) } }),
        logits: true,
        keepKvCache: shape.sharesKvCache,
      });
      past?.release();
      past = kvCache;
      if (!logits) throw new RangeError('the network did not answer what was asked for');
      return logits;
    },
    release: () => past?.release(),
  };
}

function lengthened(factors: Float64Array, tokens: number): Float64Array {
  return Float64Array.from({ length: tokens }, (_, i) => factors[i] ?? 1);
}

/** The ids with which a model ends a text, as its `config.json` says; none where that says nothing. */
export function endMarks({ config }: LoadedModel): ReadonlySet<number> {
  return new Set([Reflect.get(config, 'eos_token_id')].flat());
}
