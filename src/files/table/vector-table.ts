/** Texts with their vectors. */
export interface VectorTable {
  readonly texts: readonly string[];
  /** What else is known of each text. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** `[texts, width]` */
  readonly vectors: Float32Array;
  readonly width: number;
  /** Name and version of the model that made them. */
  readonly model: string;
}
