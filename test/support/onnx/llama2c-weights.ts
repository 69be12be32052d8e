import type { DecoderSizes, DecoderWeights, LayerWeights } from './decoder-weights.ts';

/** A trained network in the format of llama2.c. */
export interface TrainedDecoder {
  readonly sizes: DecoderSizes;
  readonly weights: DecoderWeights;
}

/**
 * Reads llama2.c's checkpoint (version 0): seven int32 sizes, then float32 matrices of all layers, `[out, in]` each.
 * Queries and keys are reordered, because llama2.c rotates neighbours and our decoder the halves of a head.
 *
 * @source github.com/karpathy/llama2.c, run.c, memory_map_weights
 */
export function readTrainedDecoder(bytes: Uint8Array<ArrayBuffer>): TrainedDecoder {
  const [width = 0, innerWidth = 0, layers = 0, heads = 0, keyHeads = 0, vocabulary = 0, contextTokens = 0] =
    new Int32Array(bytes.buffer, 0, 7);
  const headSize = width / heads;
  const sizes = {
    layers,
    width,
    heads,
    keyHeads,
    headSize,
    innerWidth,
    vocabulary,
    contextTokens,
    epsilon: 1e-5,
    rotaryBase: 10_000,
  };
  const take = blocksFrom(new Float32Array(bytes.buffer, 28));
  const perLayer = (length: number) => Array.from({ length: layers }, () => take(length));
  const embedding = take(vocabulary * width);
  const attentionNorm = perLayer(width);
  const query = perLayer(width * width);
  const key = perLayer(width * keyHeads * headSize);
  const value = perLayer(width * keyHeads * headSize);
  const output = perLayer(width * width);
  const feedForwardNorm = perLayer(width);
  const [gate, down, up] = [perLayer(width * innerWidth), perLayer(width * innerWidth), perLayer(width * innerWidth)];
  const at = (matrices: readonly Float32Array[], layer: number) => matrices[layer] ?? new Float32Array(0);
  const layerAt = (layer: number): LayerWeights => ({
    attentionNorm: at(attentionNorm, layer),
    query: transposed(halvesFirst(at(query, layer), width, headSize), width),
    key: transposed(halvesFirst(at(key, layer), width, headSize), width),
    value: transposed(at(value, layer), width),
    output: transposed(at(output, layer), width),
    feedForwardNorm: at(feedForwardNorm, layer),
    gate: transposed(at(gate, layer), width),
    up: transposed(at(up, layer), width),
    down: transposed(at(down, layer), innerWidth),
  });
  const all = Array.from({ length: layers }, (_, layer) => layerAt(layer));
  return { sizes, weights: { embedding, layers: all, finalNorm: take(width), head: transposed(embedding, width) } };
}

function blocksFrom(values: Float32Array): (length: number) => Float32Array {
  let position = 0;
  return (length) => values.subarray(position, (position += length));
}

/** `[out, in]` → `[in, out]`. */
function transposed(matrix: Float32Array, inner: number): Float32Array {
  const outer = matrix.length / inner;
  return Float32Array.from(matrix, (_, index) => matrix[(index % outer) * inner + Math.floor(index / outer)] ?? 0);
}

/** Rows of each head: the even ones, then the odd ones. */
function halvesFirst(matrix: Float32Array, inner: number, headSize: number): Float32Array {
  const half = headSize / 2;
  return Float32Array.from(matrix, (_, index) => {
    const row = Math.floor(index / inner);
    const inHead = row % headSize;
    const source = row - inHead + (inHead < half ? 2 * inHead : 2 * (inHead - half) + 1);
    return matrix[source * inner + (index % inner)] ?? 0;
  });
}

/** The pieces of llama2.c's tokenizer file. @source llama2.c, run.c, build_tokenizer */
export function readPieces(bytes: Uint8Array<ArrayBuffer>): string[] {
  const view = new DataView(bytes.buffer);
  const pieces: string[] = [];
  for (let position = 4; position < bytes.length;) {
    const byteCount = view.getInt32(position + 4, true);
    position += 8 + byteCount;
    pieces.push(new TextDecoder().decode(bytes.subarray(position - byteCount, position)));
  }
  return pieces;
}
