import { ElementType } from '../../../workers/engine/codec/tensor-proto.ts';
import { encodeSkeleton, makeValueInfo } from '../../../workers/engine/codec/model-proto.ts';
import { seededRandom } from './decoder-weights.ts';
import { createGraph, type Graph } from './graph.ts';

/** Sizes of a small image encoder that embeds each patch by itself. */
export interface VisionSizes {
  /** Width and height of a picture in pixels. */
  readonly side: number;
  /** The same of a patch; patches do not overlap. */
  readonly patch: number;
  /** Of the embeddings. */
  readonly width: number;
}

/** Weights of the encoder: `[width, 3, patch, patch]` and `[width]`. */
export interface VisionWeights {
  readonly patches: Float32Array;
  readonly bias: Float32Array;
}

/** Random weights that give embeddings between −1 and 1, spread over all of it. */
export function randomVisionWeights({ patch, width }: VisionSizes, seed: number): VisionWeights {
  const random = seededRandom(seed);
  const scale = 4 / (Math.sqrt(3) * patch);
  return {
    patches: Float32Array.from({ length: width * 3 * patch * patch }, () => (random() - 0.5) * 2 * scale),
    bias: Float32Array.from({ length: width }, () => random() - 0.5),
  };
}

/**
 * An ONNX file of the encoder: `pixel_values` `[images, 3, side, side]` → `image_features` `[images, patches, width]`.
 *
 * @param parts  as exporters of models write it that split images: an axis for the parts before the channels, a mask of
 *   the pixels beside it, and rows without an axis for images
 */
export function buildVisionEncoder(
  sizes: VisionSizes,
  weights: VisionWeights,
  { parts = false } = {},
): Uint8Array<ArrayBuffer> {
  const { side, patch, width } = sizes;
  const graph = createGraph();
  const picture = parts ? maskedParts(graph, side) : wholePicture(graph, side);
  const kernel = graph.weight('patches', [width, 3, patch, patch], weights.patches);
  const steps = { kernel_shape: [patch, patch], strides: [patch, patch] };
  const map = graph.with(steps, 'Conv', picture, kernel, graph.weight('bias', [width], weights.bias));
  const flat = graph.node('Reshape', map, graph.integers(0, width, -1));
  const rows = graph.with({ perm: [0, 2, 1] }, 'Transpose', flat);
  const shaped = parts ? graph.node('Reshape', rows, graph.integers(-1, width)) : rows;
  const axes = parts ? ['rows', width] : ['images', (side / patch) ** 2, width];
  graph.model.outputs.push(makeValueInfo(graph.named('image_features', 'Tanh', shaped), ElementType.float32, axes));
  return encodeSkeleton(graph.model, 'none');
}

function wholePicture({ model }: Graph, side: number): string {
  model.inputs.push(makeValueInfo('pixel_values', ElementType.float32, ['images', 3, side, side]));
  return 'pixel_values';
}

/** Masked pixels count as 0. */
function maskedParts(graph: Graph, side: number): string {
  const axes = ['images', 'parts'];
  graph.model.inputs.push(makeValueInfo('pixel_values', ElementType.float32, [...axes, 3, side, side]));
  graph.model.inputs.push(makeValueInfo('pixel_attention_mask', ElementType.bool, [...axes, side, side]));
  const mask = graph.with({ to: ElementType.float32 }, 'Cast', 'pixel_attention_mask');
  const seen = graph.node('Mul', 'pixel_values', graph.node('Unsqueeze', mask, graph.integers(2)));
  return graph.node('Reshape', seen, graph.integers(-1, 3, side, side));
}

/**
 * The same from the formula, in float64: tanh(patch · weights + bias), row by row.
 *
 * @param pixels  `[3, side, side]`
 */
export function referenceFeatures(
  { side, patch, width }: VisionSizes,
  { patches, bias }: VisionWeights,
  pixels: Float32Array,
): Float64Array[] {
  const perRow = side / patch;
  return Array.from({ length: perRow ** 2 }, (_, tile) => {
    const [top, left] = [Math.floor(tile / perRow) * patch, (tile % perRow) * patch];
    return Float64Array.from({ length: width }, (__, out) => {
      let sum = bias[out] ?? 0;
      for (let i = 0; i < 3 * patch * patch; i++) {
        const [channel, y, x] = [Math.floor(i / patch ** 2), Math.floor(i / patch) % patch, i % patch];
        sum += (patches[out * 3 * patch ** 2 + i] ?? 0) * (pixels[(channel * side + top + y) * side + left + x] ?? 0);
      }
      return Math.tanh(sum);
    });
  });
}
