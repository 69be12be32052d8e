/** A model that can be asked for by name: where its folder is and what it can do. */
export interface Model {
  readonly name: string;
  /** Name and version, as `model_version` reports it. */
  readonly version: string;
  readonly description: string;
  /** Base URL of a folder in the Hugging Face hub layout, ending in a slash. */
  readonly folder: string;
  /** Suffix of the ONNX files: `onnx/model<suffix>.onnx`. */
  readonly dtype: 'fp32' | 'fp16' | 'q4' | 'q4f16' | 'q8';
  readonly contextTokens: number;
  readonly capabilities: readonly Capability[];
}

/** What a model can be used for. */
export type Capability = 'embed' | 'explain' | 'semantic_embed' | 'qa' | 'images' | 'chat';
