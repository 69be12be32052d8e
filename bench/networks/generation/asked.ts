/** What both sides are to write, from the same model, greedily. */
export interface Asked {
  /** Folder of the model in the hub's layout, ending in a slash. */
  readonly folder: string;
  readonly prompt: string;
  readonly tokens: number;
}

/** What was written, and how long it took from the prompt to the last token. */
export interface Written {
  readonly text: string;
  readonly tokens: number;
  readonly ms: number;
}
