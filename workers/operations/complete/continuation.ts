import type { LoadedModel } from '../../engine/engine.ts';
import {
  type EmbeddingOverride,
  type KvCache,
  type Network,
  type NetworkAnswer,
  type NetworkRun,
  type Perturbation,
  requested,
} from '../../engine/network.ts';
import { likeliest, likeliestId } from '../../kernels/next-token.ts';

interface SequenceStart {
  readonly ids: readonly number[];
  readonly embeddingOverrides: readonly EmbeddingOverride[];
  /** Factors on the attention paid to each of `ids`; undefined: none. Tokens after them have the factor 1. */
  readonly factors: Float64Array | undefined;
  readonly mode: Perturbation['mode'];
}

interface GrowingSequence {
  /** Logits of the token after the sequence, `[vocabulary]`. */
  next(): Promise<Float32Array>;
  /** The likeliest token after the sequence. On a GPU it costs no copy of the logits. */
  likeliest(): Promise<ReturnType<typeof likeliest>>;
  /** The same without its probability, which takes a sum over the vocabulary on WebAssembly. */
  likeliestId(): Promise<number>;
  push(id: number): void;
  /** A copy to be continued differently, with shared keys and values. Call after `next`; release before this one. */
  fork(): GrowingSequence;
  /** Frees keys and values on the device. */
  release(): void;
}

/**
 * Runs a growing sequence: keys and values of earlier runs stay on the device where the network can share them.
 *
 * @param origin  the sequence that this one is a copy of; its keys and values are not released here
 */
export function growingSequence(
  { writer, ...main }: Network,
  beginning: SequenceStart,
  origin: { ids: readonly number[]; past?: KvCache | undefined; answer?: NetworkAnswer | undefined } = beginning,
): GrowingSequence {
  const network = writer ?? main;
  const ids = [...origin.ids];
  let { past, answer } = origin;
  const release = () => {
    if (past !== origin.past) past?.release();
    past = origin.past;
  };
  const ask = async (wanted: Pick<NetworkRun, 'logits' | 'likeliest'>) => {
    answer = await network.run({ ...stepOf(network, beginning, ids, past), ...wanted });
    release();
    past = answer.kvCache;
    return answer;
  };
  const next = async () => requested((answer?.logits ? answer : await ask({ logits: true })).logits);
  // On WebAssembly logits are not copied, and a step may take the file's own graph.
  const readsLogits = () => answer?.logits !== undefined || network.backend.kind === 'wasm';
  const found = async () => {
    const { likeliest } = answer?.likeliest ? answer : await ask({ likeliest: true });
    const [id = -1, logProbability = NaN] = requested(likeliest);
    return { id, logProbability };
  };
  return {
    push(id) {
      ids.push(id);
      answer = undefined;
    },
    next,
    likeliest: async () => (readsLogits() ? likeliest(await next()) : found()),
    likeliestId: async () => (readsLogits() ? likeliestId(await next()) : (await found()).id),
    fork: () => growingSequence(network, beginning, { ids, past, answer }),
    release,
  };
}

function stepOf(
  { shape }: Network,
  { factors, embeddingOverrides, mode }: SequenceStart,
  ids: readonly number[],
  past: KvCache | undefined,
): NetworkRun {
  const start = past?.tokens ?? 0;
  return {
    batch: 1,
    ids: Int32Array.from(ids.slice(start)),
    embeddingOverrides,
    ...(past && { cached: { kvCache: past, tokens: start } }),
    ...(factors && { perturbation: { mode, factors: Float64Array.from(ids, (_, i) => factors[i] ?? 1) } }),
    keepKvCache: shape.sharesKvCache,
  };
}

interface ContinuationLimits {
  readonly maximumTokens: number;
  readonly isEnd: (id: number) => boolean;
  /** The first token is the likeliest that does not end the text. */
  readonly isNeverEmpty?: boolean;
  readonly checkpoint?: () => Promise<void>;
}

/** Continues a sequence with the likeliest tokens, up to the first that ends the text, which is left out. */
export async function greedyContinuation(
  network: Network,
  beginning: SequenceStart,
  { maximumTokens, isEnd, isNeverEmpty = false, checkpoint }: ContinuationLimits,
): Promise<ReturnType<typeof likeliest>[]> {
  const tokens: ReturnType<typeof likeliest>[] = [];
  const growing = growingSequence(network, beginning);
  try {
    while (tokens.length < maximumTokens) {
      const mayEnd = !isNeverEmpty || tokens.length > 0;
      const token = mayEnd ? await growing.likeliest() : likeliest(await growing.next(), isEnd);
      if (mayEnd && isEnd(token.id)) break;
      tokens.push(token);
      growing.push(token.id);
      await checkpoint?.();
    }
  } finally {
    growing.release();
  }
  return tokens;
}

/** The ids that end a text, from `config.json` and, for a model made for dialogues, `generation_config.json`. */
export function endMarks({ config, generation }: LoadedModel): ReadonlySet<number> {
  const named = [config, generation?.config ?? {}].flatMap((each): unknown => Reflect.get(each, 'eos_token_id'));
  return new Set(named.filter((id) => typeof id === 'number'));
}
