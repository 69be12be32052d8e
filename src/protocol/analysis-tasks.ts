/** A found text, with the parts of its score. */
export interface Hit {
  /** Place of the text in the collection. */
  readonly index: number;
  /** `meaning + words`; at most 1. */
  readonly score: number;
  readonly meaning: number;
  readonly words: number;
  /** Words of the query that the text has, as they are indexed. */
  readonly terms: readonly string[];
  /** Cosine of query and text, −1 to 1. */
  readonly cosine: number;
  /** Whether unrelated texts often match as well. */
  readonly isWeak: boolean;
  /** Number of later texts with the same words. */
  readonly repeats: number;
}

/** The share of meaning in a hit's score: 0, words alone; 1, meaning alone. */
export type MeaningShare = number;

/** Texts each of which is nearly the same as another. */
export interface DuplicateGroup {
  /** In the order of the collection. */
  readonly members: readonly number[];
  /** Cosine of the least alike of the pairs that hold the group together. */
  readonly cosine: number;
}

/** A group of texts on the map. */
export interface Cluster {
  /** Words that distinguish it from the others, the most distinctive first. */
  readonly words: readonly string[];
  readonly size: number;
}

/** Accuracy on texts that were not learned from. */
interface MeasuredAccuracy {
  /** Share of examples that got their own label, 0 to 1. */
  readonly accuracy: number;
  /** Accuracy of always choosing the most frequent label. */
  readonly mostFrequent: number;
  readonly examples: number;
  /** Parts of the cross-validation; as many as examples: each was left out once. */
  readonly folds: number;
}

/** Every task of the analysis worker. Vectors have length 1; rows are texts, in the order in which they were added. */
export interface AnalysisTasks {
  /** Appends texts, or replaces all others. */
  add: {
    input: {
      readonly isNew: boolean;
      readonly texts: readonly string[];
      /** `[texts, width]` */
      readonly vectors: Float32Array;
    };
    output: { readonly count: number };
  };
  search: {
    input: {
      readonly query: string;
      /** `[width]`; null: words alone. */
      readonly vector: Float32Array | null;
      readonly share: MeaningShare;
      readonly most: number;
    };
    output: { readonly hits: readonly Hit[] };
  };
  /** Places on a plane, `[texts, 2]`, about −1 to 1. */
  project: {
    input: { readonly method: 'pca' | 'umap' };
    output: { readonly points: Float32Array; readonly explained: number | null };
  };
  /** Groups of texts; `count` null: as many as separate best. */
  cluster: {
    input: { readonly count: number | null };
    output: { readonly labels: Int32Array; readonly clusters: readonly Cluster[] };
  };
  neighbours: {
    input: { readonly index: number; readonly most: number };
    output: { readonly neighbours: readonly { readonly index: number; readonly cosine: number }[] };
  };
  /** Cosines of some texts with each other, `[indices, indices]`. */
  similarities: {
    input: { readonly indices: readonly number[] };
    output: { readonly cosines: Float32Array };
  };
  /** Groups held together by pairs whose cosine is `least` or more; the most alike first. */
  duplicates: {
    input: { readonly least: number };
    output: { readonly groups: readonly DuplicateGroup[] };
  };
  /** Learns labels from examples, and gives every text its most probable one; an example gets it from the other examples. */
  classify: {
    input: {
      readonly examples: readonly { readonly index: number; readonly label: number }[];
      readonly labels: number;
    };
    output: {
      readonly labels: Int32Array;
      /** Of the label that was given, `[texts]`. */
      readonly probabilities: Float32Array;
      /** Null where a label has a single example; examples then got their labels with themselves among the examples. */
      readonly measured: MeasuredAccuracy | null;
    };
  };
}

/** Names of the tasks. */
export type AnalysisKind = keyof AnalysisTasks;

/** Progress of a task. */
export interface AnalysisProgress<K extends AnalysisKind = AnalysisKind> {
  readonly done: number;
  readonly total: number;
  /** Of `project`: places so far. */
  readonly part?: K extends 'project' ? Float32Array : never;
}
