import { encodeSkeleton, makeValueInfo, type OnnxModel } from '../../../workers/engine/codec/model-proto.ts';
import { type AttributeValue, type GraphNode, makeNode, MICROSOFT } from '../../../workers/engine/codec/graph-node.ts';
import { bytesOf, createMessage } from '../../../workers/engine/codec/protobuf.ts';
import { decodeTensor, ElementType, makeTensor } from '../../../workers/engine/codec/tensor-proto.ts';
import { type DecoderSizes, seededRandom } from './decoder-weights.ts';
import { rotaryAngles } from './decoder.ts';

/** How numbers are stored, as the hub names it; `q4f16`: weights in 4 bits, all else in 16-bit floats. */
export type StoredAs = 'fp32' | 'fp16' | 'q4f16';

/** Weights in 4 bits have a scale for each block of 32. */
const BLOCK = 32;

/** Random numbers that weights repeat, so that a large file is made in seconds. */
const TILE = 2 ** 16;

/**
 * An ONNX file of a Llama with random weights, with the operators that the model builder of ONNX Runtime GenAI writes: one product for
 * queries, keys and values, GroupQueryAttention that rotates, sums that are normed, and MatMulNBits for weights in 4 bits.
 *
 * @source onnxruntime-genai 0.11, src/python/py/models/builder.py
 */
export function builderDecoder(sizes: DecoderSizes, storedAs: StoredAs): Uint8Array<ArrayBuffer> {
  const graph = createBuilderGraph(storedAs);
  const { model, float, constant, node, product } = graph;
  const { layers, width, vocabulary, epsilon } = sizes;
  declareInputs(model, sizes, float);
  const ones = (name: string) => constant(name, float, [width], new Float32Array(width).fill(1));
  const table = constant('table', float, [vocabulary, width]);
  const shared = sharedTensors(graph, sizes);
  let sum = node('Gather', [table, 'input_ids'], 'embedded');
  let normed = node('SimplifiedLayerNormalization', [sum, ones('firstNorm')], 'layer0/normed', {
    axis: -1,
    epsilon: { float: epsilon },
  });
  /** A sum and its norm. */
  const addNormed = (added: string, place: string) => {
    const [next, total] = [`${place}/normed`, `${place}/sum`];
    const attributes = { epsilon: { float: epsilon } };
    const inputs = [sum, added, ones(`${place}/scale`)];
    model.nodes.push(
      makeNode('SkipSimplifiedLayerNormalization', inputs, [next, '', '', total], attributes, MICROSOFT),
    );
    [normed, sum] = [next, total];
  };
  for (let layer = 0; layer < layers; layer++) {
    addNormed(addAttention(graph, sizes, { layer, normed, shared }), `layer${layer}/middle`);
    const [gate, up] = ['gate', 'up'].map((name) => product(normed, width, sizes.innerWidth, `layer${layer}/${name}`));
    const silu = node(
      'Mul',
      [gate ?? '', node('Sigmoid', [gate ?? ''], `layer${layer}/sigmoid`)],
      `layer${layer}/silu`,
    );
    const gated = node('Mul', [silu, up ?? ''], `layer${layer}/gated`);
    addNormed(product(gated, sizes.innerWidth, width, `layer${layer}/down`), `layer${layer + 1}`);
  }
  product(normed, width, vocabulary, 'logits');
  return encodeSkeleton(model, 'none');
}

type BuilderGraph = ReturnType<typeof createBuilderGraph>;

function createBuilderGraph(storedAs: StoredAs) {
  const nodes: GraphNode[] = [];
  const operatorSets = new Map([
    ['', 21],
    [MICROSOFT, 1],
  ]);
  const lists = { nodes, inputs: [], outputs: [], keptGraphParts: [], keptModelParts: [] };
  const model: OnnxModel = { format: 10, operatorSets, initialisers: new Map(), notes: new Map(), ...lists };
  const float = storedAs === 'fp32' ? ElementType.float32 : ElementType.float16;
  /** @param values  left out: random ones */
  const constant = (name: string, type: number, dimensions: number[], values?: ArrayLike<number>) => {
    model.initialisers.set(
      name,
      values ? makeTensor(name, type, dimensions, values) : randomTensor(name, type, dimensions),
    );
    return name;
  };
  const node = (
    operator: string,
    inputs: string[],
    output: string,
    attributes: Readonly<Record<string, AttributeValue>> = {},
    domain = '',
  ) => {
    nodes.push(makeNode(operator, inputs, [output], attributes, domain));
    return output;
  };
  const product = (input: string, from: number, to: number, output: string) => {
    if (storedAs !== 'q4f16') return node('MatMul', [input, constant(`${output}/weight`, float, [from, to])], output);
    const weight = constant(`${output}/weight`, ElementType.uint8, [to, from / BLOCK, BLOCK / 2]);
    const scales = new Float32Array((to * from) / BLOCK).fill(0.2 / Math.sqrt(from));
    const scale = constant(`${output}/scales`, float, [to, from / BLOCK], scales);
    const attributes = { K: from, N: to, bits: 4, block_size: BLOCK, accuracy_level: 4 };
    return node('MatMulNBits', [input, weight, scale], output, attributes, MICROSOFT);
  };
  return { model, float, constant, node, product };
}

/** Bytes of numbers of one type that are as many as a tensor has, repeated from a tile. */
function randomTensor(name: string, type: number, dimensions: readonly number[]) {
  const random = seededRandom(7);
  const isByte = type === ElementType.uint8;
  const numbers = Float32Array.from({ length: TILE }, () =>
    isByte ? Math.floor(256 * random()) : (random() - 0.5) / 16,
  );
  const { bytes, raw } = makeTensor('tile', type, [TILE], numbers);
  const tile = bytes.subarray(raw?.start, raw?.end);
  const all = new Uint8Array((dimensions.reduce((product, dimension) => product * dimension, 1) * tile.length) / TILE);
  for (let at = 0; at < all.length; at += tile.length) all.set(tile.subarray(0, all.length - at), at);
  const message = createMessage();
  for (const dimension of dimensions) message.integer(1, dimension);
  message.integer(2, type).text(8, name).bytes(9, all);
  return decodeTensor(bytesOf(message), undefined);
}

function declareInputs(
  { inputs, outputs }: OnnxModel,
  { layers, keyHeads, headSize, vocabulary }: DecoderSizes,
  float: number,
) {
  inputs.push(makeValueInfo('input_ids', ElementType.int64, ['batch_size', 'sequence_length']));
  inputs.push(makeValueInfo('attention_mask', ElementType.int64, ['batch_size', 'total_sequence_length']));
  outputs.push(makeValueInfo('logits', float, ['batch_size', 'sequence_length', vocabulary]));
  for (let layer = 0; layer < layers; layer++)
    for (const name of ['key', 'value']) {
      const shape = (tokens: string) => ['batch_size', keyHeads, tokens, headSize];
      inputs.push(makeValueInfo(`past_key_values.${layer}.${name}`, float, shape('past_sequence_length')));
      outputs.push(makeValueInfo(`present.${layer}.${name}`, float, shape('total_sequence_length')));
    }
}

/** Lengths and tables of angles, which all layers share. */
function sharedTensors({ constant, node, float }: BuilderGraph, sizes: DecoderSizes): string[] {
  const { int32, int64 } = ElementType;
  const [one, axis] = [constant('one', int64, [1], [1]), constant('axis', int64, [], [1])];
  const count = node('ReduceSum', ['attention_mask', one], 'count', { keepdims: 0 });
  const seen = node('Cast', [node('Sub', [count, one], 'last')], 'seen', { to: int32 });
  const length = node('Gather', [node('Shape', ['attention_mask'], 'shape'), axis], 'length');
  const angles = rotaryAngles(sizes);
  const dimensions = [sizes.contextTokens, sizes.headSize / 2];
  const tables = [Math.cos, Math.sin].map((of) => constant(of.name, float, dimensions, Float32Array.from(angles, of)));
  return [seen, node('Cast', [length], 'total', { to: int32 }), ...tables];
}

interface AttentionPlace {
  readonly layer: number;
  readonly normed: string;
  readonly shared: readonly string[];
}

function addAttention(
  { model, product }: BuilderGraph,
  { width, heads, keyHeads, headSize }: DecoderSizes,
  { layer, normed, shared }: AttentionPlace,
): string {
  const packed = product(normed, width, (heads + 2 * keyHeads) * headSize, `layer${layer}/packed`);
  const names = ['key', 'value'];
  const past = names.map((name) => `past_key_values.${layer}.${name}`);
  const outputs = [`layer${layer}/mixed`, ...names.map((name) => `present.${layer}.${name}`)];
  const attributes = { num_heads: heads, kv_num_heads: keyHeads, do_rotary: 1 };
  const inputs = [packed, '', '', ...past, ...shared];
  model.nodes.push(makeNode('GroupQueryAttention', inputs, outputs, attributes, MICROSOFT));
  return product(outputs[0] ?? '', heads * headSize, width, `layer${layer}/attended`);
}
