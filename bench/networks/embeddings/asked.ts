/** Texts of which both sides are to make vectors, with the same model. */
export interface Asked {
  /** Folder of the model in the hub's layout, ending in a slash. */
  readonly folder: string;
  readonly texts: readonly string[];
}

/** Their vectors, and how long that took. */
export interface Embedded {
  readonly vectors: readonly (readonly number[])[];
  readonly ms: number;
}
