import type { KvCacheTensor } from '../analysis/kv-cache.ts';
import type { NetworkInput } from '../analysis/network-inputs.ts';

/** A cached tensor whose shape is fully known, so that an empty one can be made. */
export type SizedKvCacheTensor = KvCacheTensor & { readonly headSize: number };

/** A rewritten network, ready to become a session. */
export interface NetworkPlan {
  /** Why the graph was left as it is: it has no inputs for controls and no hidden states. undefined: it was rewritten. */
  readonly keptBecause?: string;
  /** ONNX file that refers to the original one for its weights. */
  readonly skeleton: Uint8Array<ArrayBuffer>;
  /** Names of nodes that a GPU computes too roughly: the processor computes them, which costs a copy of a few numbers. */
  readonly onProcessor: readonly string[];
  /** Inputs of the original graph; those added by the rewrite are always the same. */
  readonly inputs: readonly NetworkInput[];
  readonly kvCache: readonly SizedKvCacheTensor[];
  /** Floating-point outputs of the original graph that are still there: not the keys and values, not the head's logits. */
  readonly outputs: readonly string[];
  readonly layers: number;
  readonly hasHead: boolean;
  /** Final norm and head can read hidden states from outside. */
  readonly readsGivenStates: boolean;
  /** Attention weights can be asked for. */
  readonly showsAttention: boolean;
  readonly hasWordEmbeddings: boolean;
  /** One row of ids may stand for a batch, in runs that only retain keys and values. */
  readonly sharesIds: boolean;
  /**
   * What a sequence computes depends on everything in the same pass, which dynamic int8 rounds together: each sequence is
   * computed whole and by itself, as the file itself computes it.
   */
  readonly runsAlone: boolean;
  /** Longest sequence that its tables of positions reach; undefined where they do not limit it. */
  readonly tabledPositions: number | undefined;
  /** Rows of its table of word embeddings; undefined where ids are not looked up in it directly. */
  readonly tableRows: number | undefined;
  /** The id that the graph itself leaves out where it counts positions; undefined where it counts none. */
  readonly paddingId: number | undefined;
  /** Logits of the file's own graph, where it can take a step behind keys and values itself; undefined where it cannot. */
  readonly ownLogits: string | undefined;
  /** The coarsest arithmetic in the graph: it decides how closely results agree. */
  readonly precision: 'float32' | 'float16' | 'int8';
}

/** Whether the original graph has an input of that role. */
export function hasInput({ inputs }: Pick<NetworkPlan, 'inputs'>, role: NetworkInput['role']): boolean {
  return inputs.some((input) => input.role === role);
}
