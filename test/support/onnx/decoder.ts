import { ElementType } from '../../../workers/engine/codec/tensor-proto.ts';
import { encodeSkeleton, makeValueInfo, type OnnxModel } from '../../../workers/engine/codec/model-proto.ts';
import { type DecoderSizes, type DecoderWeights, type LayerWeights, randomWeights } from './decoder-weights.ts';
import { createGraph, type Graph } from './graph.ts';

/** The benchmark's network: 8 layers, 256 wide, 16,000 pieces; 15.6 million weights. */
export const BENCH_SIZES: DecoderSizes = {
  layers: 8,
  width: 256,
  heads: 8,
  keyHeads: 4,
  headSize: 32,
  innerWidth: 704,
  vocabulary: 16_000,
  contextTokens: 2048,
  epsilon: 1e-6,
  rotaryBase: 10_000,
};

/** An ONNX file of a decoder with random weights. */
export function randomDecoder(seed: number, sizes: DecoderSizes = BENCH_SIZES): Uint8Array<ArrayBuffer> {
  return buildDecoder(sizes, randomWeights(sizes, seed));
}

/**
 * An ONNX file of a Llama-like decoder, written as Optimum's TorchScript exporter writes one: primitives only, positions
 * and lengths computed from shapes, keys and values as `past_key_values.N.key` → `present.N.key`, opset 17.
 *
 * @param source  `inputs_embeds` leaves the embedding table out, as vision-language models do
 */
export function buildDecoder(
  sizes: DecoderSizes,
  weights: DecoderWeights,
  source: Source = 'input_ids',
): Uint8Array<ArrayBuffer> {
  const graph = createGraph();
  declareInputs(graph.model, sizes, source);
  const shared = sharedTensors(graph, sizes, source);
  const { width, vocabulary } = sizes;
  let hidden = source === 'input_ids' ? lookUp(graph, sizes, weights) : source;
  weights.layers.forEach((layer, index) => (hidden = addLayer(graph, sizes, { shared, layer, index }, hidden)));
  const normed = addNorm(graph, sizes, hidden, graph.weight('final_norm', [width], weights.finalNorm));
  graph.named('logits', 'MatMul', normed, graph.weight('head', [width, vocabulary], weights.head));
  return encodeSkeleton(graph.model, 'none');
}

/** Looks ids up in the table. */
function lookUp(
  graph: Graph,
  { vocabulary, width }: DecoderSizes,
  { embedding }: DecoderWeights,
  output?: string,
): string {
  const inputs = [graph.weight('embedding', [vocabulary, width], embedding), 'input_ids'];
  return output ? graph.named(output, 'Gather', ...inputs) : graph.node('Gather', ...inputs);
}

/** The embedding table of a decoder in a file of its own, `input_ids` → `inputs_embeds`. */
export function buildEmbedTokens(sizes: DecoderSizes, weights: DecoderWeights): Uint8Array<ArrayBuffer> {
  const graph = createGraph();
  const axes = ['batch_size', 'sequence_length'];
  graph.model.inputs.push(makeValueInfo('input_ids', ElementType.int64, axes));
  const rows = lookUp(graph, sizes, weights, 'inputs_embeds');
  graph.model.outputs.push(makeValueInfo(rows, ElementType.float32, [...axes, sizes.width]));
  return encodeSkeleton(graph.model, 'none');
}

type Source = 'input_ids' | 'inputs_embeds';

function declareInputs(
  model: OnnxModel,
  { layers, width, keyHeads, headSize, vocabulary }: DecoderSizes,
  source: Source,
): void {
  const { int64, float32 } = ElementType;
  const total = 'past_sequence_length + 1';
  const axes = ['batch_size', 'sequence_length'];
  if (source === 'input_ids') model.inputs.push(makeValueInfo(source, int64, axes));
  else model.inputs.push(makeValueInfo(source, float32, [...axes, width]));
  model.inputs.push(makeValueInfo('attention_mask', int64, ['batch_size', total]));
  model.inputs.push(makeValueInfo('position_ids', int64, ['batch_size', 'sequence_length']));
  model.outputs.push(makeValueInfo('logits', float32, ['batch_size', 'sequence_length', vocabulary]));
  for (let layer = 0; layer < layers; layer++)
    for (const part of ['key', 'value']) {
      const shape = (tokens: string) => ['batch_size', keyHeads, tokens, headSize];
      model.inputs.push(makeValueInfo(`past_key_values.${layer}.${part}`, float32, shape('past_sequence_length')));
      model.outputs.push(makeValueInfo(`present.${layer}.${part}`, float32, shape(total)));
    }
}

/** Tensors that all layers read. */
interface Shared {
  readonly mask: string;
  readonly cosine: string;
  readonly sine: string;
}

function sharedTensors(graph: Graph, sizes: DecoderSizes, source: Source): Shared {
  const axis = (tensor: string, index: number) =>
    graph.node('Gather', graph.node('Shape', tensor), graph.integer(index));
  const past = axis('past_key_values.0.key', 2);
  const total = graph.node('Add', past, axis(source, 1));
  const one = graph.integer(1);
  const queries = graph.node('Unsqueeze', graph.node('Range', past, total, one), graph.integers(1));
  const keys = graph.node('Unsqueeze', graph.node('Range', graph.integer(0), total, one), graph.integers(0));
  const seen = graph.node('Unsqueeze', graph.node('LessOrEqual', keys, queries), graph.integers(0, 1));
  const real = graph.with({ to: ElementType.bool }, 'Cast', 'attention_mask');
  const visible = graph.node('And', seen, graph.node('Unsqueeze', real, graph.integers(1, 2)));
  const mask = graph.node('Where', visible, graph.float(0), graph.float(-3.4028234663852886e38));
  const angles = rotaryAngles(sizes);
  const table = (name: string, exact: Float64Array) => {
    const values = Float32Array.from(exact);
    const rows = graph.node(
      'Gather',
      graph.weight(name, [sizes.contextTokens, sizes.headSize / 2], values),
      'position_ids',
    );
    return graph.node('Unsqueeze', graph.join(-1, rows, rows), graph.integers(1)); // [batch, 1, tokens, headSize]
  };
  return { mask, cosine: table('cosine', angles.map(Math.cos)), sine: table('sine', angles.map(Math.sin)) };
}

/** Angle of position p and pair i: p · base^(−2i / headSize), `[contextTokens, headSize / 2]`. */
export function rotaryAngles({
  contextTokens,
  headSize,
  rotaryBase,
}: Pick<DecoderSizes, 'contextTokens' | 'headSize' | 'rotaryBase'>): Float64Array {
  const half = headSize / 2;
  return Float64Array.from({ length: contextTokens * half }, (_, index) => {
    return Math.floor(index / half) * rotaryBase ** ((-2 * (index % half)) / headSize);
  });
}

interface LayerPlace {
  readonly shared: Shared;
  readonly layer: LayerWeights;
  readonly index: number;
}

function addLayer(graph: Graph, sizes: DecoderSizes, place: LayerPlace, hidden: string): string {
  const { layer, index } = place;
  const { width, innerWidth } = sizes;
  const weight = (name: string, dimensions: number[], values: Float32Array) =>
    graph.weight(`layers.${index}.${name}`, dimensions, values);
  const normed = addNorm(graph, sizes, hidden, weight('attention_norm', [width], layer.attentionNorm));
  const attended = graph.node('Add', hidden, addAttention(graph, sizes, place, normed));
  const inner = addNorm(graph, sizes, attended, weight('feed_forward_norm', [width], layer.feedForwardNorm));
  const gate = graph.node('MatMul', inner, weight('gate', [width, innerWidth], layer.gate));
  const active = graph.node('Mul', gate, graph.node('Sigmoid', gate));
  const up = graph.node('MatMul', inner, weight('up', [width, innerWidth], layer.up));
  const down = graph.node('MatMul', graph.node('Mul', active, up), weight('down', [innerWidth, width], layer.down));
  return graph.node('Add', attended, down);
}

function addNorm(graph: Graph, { epsilon }: DecoderSizes, input: string, weight: string): string {
  const square = graph.node('Pow', input, graph.float(2));
  const mean = graph.with({ axes: [-1], keepdims: 1 }, 'ReduceMean', square);
  const root = graph.node('Sqrt', graph.node('Add', mean, graph.float(epsilon)));
  return graph.node('Mul', weight, graph.node('Mul', input, graph.node('Div', graph.float(1), root)));
}

function addAttention(graph: Graph, sizes: DecoderSizes, { shared, layer, index }: LayerPlace, normed: string): string {
  const { width, heads, keyHeads, headSize } = sizes;
  const projected = (name: 'query' | 'key' | 'value', count: number) => {
    const matrix = graph.weight(`layers.${index}.${name}`, [width, count * headSize], layer[name]);
    const rows = graph.node('Reshape', graph.node('MatMul', normed, matrix), graph.integers(0, 0, count, headSize));
    return graph.with({ perm: [0, 2, 1, 3] }, 'Transpose', rows);
  };
  const query = rotated(graph, sizes, shared, projected('query', heads));
  const keys = withPast(graph, index, 'key', rotated(graph, sizes, shared, projected('key', keyHeads)));
  const values = withPast(graph, index, 'value', projected('value', keyHeads));
  const turned = graph.with({ perm: [0, 1, 3, 2] }, 'Transpose', repeated(graph, sizes, keys));
  const scores = graph.node('Div', graph.node('MatMul', query, turned), graph.float(Math.sqrt(headSize)));
  const weights = graph.with({ axis: -1 }, 'Softmax', graph.node('Add', scores, shared.mask));
  const mixed = graph.node('MatMul', weights, repeated(graph, sizes, values));
  const byToken = graph.with({ perm: [0, 2, 1, 3] }, 'Transpose', mixed);
  const rows = graph.node('Reshape', byToken, graph.integers(0, 0, heads * headSize));
  return graph.node('MatMul', rows, graph.weight(`layers.${index}.output`, [heads * headSize, width], layer.output));
}

/** Rotary positions, the two halves of a head being pairs. */
function rotated(graph: Graph, { headSize }: DecoderSizes, { cosine, sine }: Shared, heads: string): string {
  const part = (from: number, to: number) =>
    graph.node('Slice', heads, graph.integers(from), graph.integers(to), graph.integers(3));
  const turned = graph.join(-1, graph.node('Neg', part(headSize / 2, headSize)), part(0, headSize / 2));
  return graph.node('Add', graph.node('Mul', heads, cosine), graph.node('Mul', turned, sine));
}

function withPast(graph: Graph, layer: number, part: 'key' | 'value', heads: string): string {
  return graph.named(`present.${layer}.${part}`, 'Concat', `past_key_values.${layer}.${part}`, heads);
}

/** Each key head as many times as query heads share it, `[batch, heads, total, headSize]`. */
function repeated(graph: Graph, { heads, keyHeads, headSize }: DecoderSizes, tensor: string): string {
  if (heads === keyHeads) return tensor;
  const shape = graph.node('Shape', tensor);
  const length = (axis: number) =>
    graph.node('Unsqueeze', graph.node('Gather', shape, graph.integer(axis)), graph.integers(0));
  const group = graph.integers(heads / keyHeads);
  const wide = graph.join(0, length(0), graph.integers(keyHeads), group, length(2), graph.integers(headSize));
  const expanded = graph.node('Expand', graph.node('Unsqueeze', tensor, graph.integers(2)), wide);
  const flat = graph.join(0, length(0), graph.integers(heads), length(2), graph.integers(headSize));
  return graph.node('Reshape', expanded, flat);
}
