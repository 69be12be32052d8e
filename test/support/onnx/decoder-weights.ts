/** Sizes of a small Llama-like decoder. */
export interface DecoderSizes {
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly keyHeads: number;
  readonly headSize: number;
  /** Width inside the feed-forward part. */
  readonly innerWidth: number;
  readonly vocabulary: number;
  readonly contextTokens: number;
  /** Added to the mean square in norms. */
  readonly epsilon: number;
  /** Base of the rotary angles. */
  readonly rotaryBase: number;
}

/** Weights of one layer; matrices are row-major `[in, out]`. */
export interface LayerWeights {
  readonly attentionNorm: Float32Array;
  readonly query: Float32Array;
  readonly key: Float32Array;
  readonly value: Float32Array;
  readonly output: Float32Array;
  readonly feedForwardNorm: Float32Array;
  readonly gate: Float32Array;
  readonly up: Float32Array;
  readonly down: Float32Array;
}

/** All weights of a decoder. */
export interface DecoderWeights {
  /** `[vocabulary, width]`. */
  readonly embedding: Float32Array;
  readonly layers: readonly LayerWeights[];
  readonly finalNorm: Float32Array;
  /** `[width, vocabulary]`. */
  readonly head: Float32Array;
}

/** The network of the golden tests: small enough for software WebGPU, with grouped heads and four layers. */
export const SMALL_SIZES: DecoderSizes = {
  layers: 4,
  width: 32,
  heads: 4,
  keyHeads: 2,
  headSize: 8,
  innerWidth: 48,
  vocabulary: 61,
  contextTokens: 256,
  epsilon: 1e-6,
  rotaryBase: 10_000,
};

/** Uniform numbers in [0, 1) from a seed. @source mulberry32, Tommy Ettinger, public domain */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Random weights, scaled so that attention is uneven and every layer changes its input noticeably. */
export function randomWeights(sizes: DecoderSizes, seed: number): DecoderWeights {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const matrix = (rows: number, columns: number, scale: number) =>
    Float32Array.from({ length: rows * columns }, () => normal() * scale);
  const norm = () => Float32Array.from({ length: sizes.width }, () => 1 + 0.1 * normal());
  const { width, heads, keyHeads, headSize, innerWidth, vocabulary } = sizes;
  const scale = 1.2 / Math.sqrt(width);
  const layer = (): LayerWeights => ({
    attentionNorm: norm(),
    query: matrix(width, heads * headSize, 1.5 * scale),
    key: matrix(width, keyHeads * headSize, 1.5 * scale),
    value: matrix(width, keyHeads * headSize, scale),
    output: matrix(heads * headSize, width, scale),
    feedForwardNorm: norm(),
    gate: matrix(width, innerWidth, scale),
    up: matrix(width, innerWidth, scale),
    down: matrix(innerWidth, width, 1 / Math.sqrt(innerWidth)),
  });
  return {
    embedding: matrix(vocabulary, width, 1),
    layers: Array.from({ length: sizes.layers }, layer),
    finalNorm: norm(),
    head: matrix(width, vocabulary, 1.5 / Math.sqrt(width)),
  };
}
