import type { LoadedModel } from '../../engine/engine.ts';
import type { EmbeddingOverride, KvCache, Network, NetworkRun, Perturbation } from '../../engine/network.ts';

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
  /**
   * The same sequence once more, to be continued in another way; what was computed is shared where the network can do that.
   * To be called behind `next`, and released before this one.
   */
  fork(): GrowingSequence;
  /** Frees what is kept on the device. */
  release(): void;
}

/** Runs a growing sequence: keys and values of what was run before are kept where the network can share them. */
export function growingSequence(network: Network, beginning: Beginning): GrowingSequence {
  return growing(network, beginning, { ids: beginning.ids });
}

/** What is known of a sequence before it is run. */
interface Known {
  readonly ids: readonly number[];
  /** Of another sequence that begins alike; it is not released here. */
  readonly borrowed?: KvCache | undefined;
  readonly logits?: Float32Array | undefined;
}

function growing(network: Network, beginning: Beginning, known: Known): GrowingSequence {
  const ids = [...known.ids];
  let past = known.borrowed;
  let logits = known.logits;
  const release = () => {
    if (past !== known.borrowed) past?.release();
    past = known.borrowed;
  };
  return {
    push(id) {
      ids.push(id);
      logits = undefined;
    },
    async next() {
      if (logits) return logits;
      const answer = await network.run(stepOf(network, beginning, ids, past));
      release();
      past = answer.kvCache;
      if (!answer.logits) throw new RangeError('the network did not answer what was asked for');
      return (logits = answer.logits);
    },
    fork: () => growing(network, beginning, { ids, borrowed: past, logits }),
    release,
  };
}

function stepOf(
  { shape }: Network,
  { factors, embeddingOverrides, mode }: Beginning,
  ids: readonly number[],
  past: KvCache | undefined,
): NetworkRun {
  const start = past?.tokens ?? 0;
  return {
    batch: 1,
    ids: Int32Array.from(ids.slice(start)),
    embeddingOverrides,
    ...(past && { cached: { kvCache: past, tokens: start } }),
    ...(factors && { perturbation: { mode, factors: lengthened(factors, ids.length) } }),
    logits: true,
    keepKvCache: shape.sharesKvCache,
  };
}

function lengthened(factors: Float64Array, tokens: number): Float64Array {
  return Float64Array.from({ length: tokens }, (_, i) => factors[i] ?? 1);
}

/**
 * The ids with which a model ends a text, as `config.json` and, for a model that was made for dialogues, also
 * `generation_config.json` say; none where those say nothing.
 */
export function endMarks({ config, generation }: Pick<LoadedModel, 'config' | 'generation'>): ReadonlySet<number> {
  const said: unknown[] = [config, generation?.config ?? {}].flatMap((each): unknown =>
    Reflect.get(each, 'eos_token_id'),
  );
  return new Set(said.filter((id) => typeof id === 'number'));
}
