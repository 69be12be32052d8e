import type { Model } from '../../../src/models/model.ts';

/** What both sides are to write, from the same model, greedily. */
export interface Asked {
  readonly dtype: Model['dtype'];
  /** The weights are in a file beside the graph, which transformers.js has to be told. */
  readonly hasDataFile?: boolean;
  /** Folder of the model in the hub's layout, ending in a slash. */
  readonly folder: string;
  readonly prompt: string;
  readonly tokens: number;
}

/** What was written, and how long it took from the prompt to the last token. */
export interface Written {
  readonly text: string;
  readonly tokens: number;
  readonly promptTokens: number;
  readonly ms: number;
}
