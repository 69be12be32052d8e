import { ElementType } from '../../../workers/engine/codec/tensor-proto.ts';
import { encodeSkeleton, makeValueInfo } from '../../../workers/engine/codec/model-proto.ts';
import { seededRandom } from '../../../test/support/onnx/decoder-weights.ts';
import { createGraph, type Graph } from '../../../test/support/onnx/graph.ts';

/** The shape of all-MiniLM-L6-v2. @source its `config.json` on the Hugging Face hub */
export const SIZES = { layers: 6, width: 384, heads: 12, innerWidth: 1536, vocabulary: 30_522, contextTokens: 512 };

type Sizes = typeof SIZES;

/** What layers are made of. */
interface Parts {
  readonly graph: Graph;
  readonly weight: (name: string, ...dimensions: number[]) => string;
  readonly sizes: Sizes;
}

/** An ONNX file of a BERT with random weights, `last_hidden_state` its only result. */
export function buildBert(sizes: Sizes): Uint8Array<ArrayBuffer> {
  const graph = createGraph();
  const axes = ['batch_size', 'sequence_length'];
  for (const name of ['input_ids', 'attention_mask', 'token_type_ids'])
    graph.model.inputs.push(makeValueInfo(name, ElementType.int64, axes));
  graph.model.outputs.push(makeValueInfo('last_hidden_state', ElementType.float32, [...axes, sizes.width]));
  const parts = { graph, sizes, weight: randomWeights(graph, sizes) };
  const mask = additiveMask(graph);
  let hidden = addEmbeddings(parts);
  for (let layer = 0; layer < sizes.layers; layer++) hidden = addLayer(parts, layer, hidden, mask);
  graph.named('last_hidden_state', 'Identity', hidden);
  return encodeSkeleton(graph.model, 'none');
}

/** Uniform, of about the spread that keeps the size of what passes. */
function randomWeights(graph: Graph, { width }: Sizes): Parts['weight'] {
  const random = seededRandom(5);
  const scale = 2.4 / Math.sqrt(width);
  return (name, ...dimensions) => {
    const count = dimensions.reduce((product, each) => product * each, 1);
    return graph.weight(
      name,
      dimensions,
      Float32Array.from({ length: count }, () => (random() - 0.5) * scale),
    );
  };
}

function additiveMask(graph: Graph): string {
  const open = graph.node('Unsqueeze', 'attention_mask', graph.integers(1, 2));
  const seen = graph.with({ to: ElementType.float32 }, 'Cast', open);
  return graph.node('Mul', graph.node('Sub', graph.float(1), seen), graph.float(-3.4028234663852886e38));
}

function addEmbeddings(parts: Parts): string {
  const { graph, weight, sizes } = parts;
  const length = graph.node('Gather', graph.node('Shape', 'input_ids'), graph.integer(1));
  const places = graph.node('Range', graph.integer(0), length, graph.integer(1));
  const words = graph.node('Gather', weight('words', sizes.vocabulary, sizes.width), 'input_ids');
  const segments = graph.node('Gather', weight('segments', 2, sizes.width), 'token_type_ids');
  const positions = graph.node('Gather', weight('positions', sizes.contextTokens, sizes.width), places);
  return addNorm(parts, 'embedded', graph.node('Add', graph.node('Add', words, segments), positions));
}

function addLayer(parts: Parts, layer: number, hidden: string, mask: string): string {
  const { graph, sizes } = parts;
  const { width, innerWidth } = sizes;
  const mixed = addAttention(parts, layer, hidden, mask);
  const projected = addDense(parts, `${layer}.output`, mixed, [width, width]);
  const attended = addNorm(parts, `${layer}.attended`, graph.node('Add', hidden, projected));
  const inner = addGelu(graph, addDense(parts, `${layer}.up`, attended, [width, innerWidth]));
  const down = addDense(parts, `${layer}.down`, inner, [innerWidth, width]);
  return addNorm(parts, `${layer}.out`, graph.node('Add', attended, down));
}

function addAttention(parts: Parts, layer: number, hidden: string, mask: string): string {
  const { graph, sizes } = parts;
  const { width, heads } = sizes;
  const part = (name: string, perm: number[]) => {
    const rows = addDense(parts, `${layer}.${name}`, hidden, [width, width]);
    const split = graph.node('Reshape', rows, graph.integers(0, 0, heads, width / heads));
    return graph.with({ perm: perm }, 'Transpose', split);
  };
  const product = graph.node('MatMul', part('query', [0, 2, 1, 3]), part('key', [0, 2, 3, 1]));
  const scores = graph.node('Add', graph.node('Div', product, graph.float(Math.sqrt(width / heads))), mask);
  const weights = graph.with({ axis: -1 }, 'Softmax', scores);
  const mixed = graph.node('MatMul', weights, part('value', [0, 2, 1, 3]));
  const rows = graph.with({ perm: [0, 2, 1, 3] }, 'Transpose', mixed);
  return graph.node('Reshape', rows, graph.integers(0, 0, width));
}

function addDense({ graph, weight }: Parts, name: string, input: string, [from, to]: [number, number]): string {
  return graph.node('Add', weight(`${name}.bias`, to), graph.node('MatMul', input, weight(name, from, to)));
}

function addNorm({ graph, weight, sizes: { width } }: Parts, name: string, input: string): string {
  const ones = graph.weight(`${name}.scale`, [width], new Float32Array(width).fill(1));
  return graph.with({ axis: -1 }, 'LayerNormalization', input, ones, weight(`${name}.bias`, width));
}

function addGelu(graph: Graph, input: string): string {
  const erf = graph.node('Erf', graph.node('Div', input, graph.float(Math.SQRT2)));
  return graph.node('Mul', graph.node('Mul', input, graph.node('Add', erf, graph.float(1))), graph.float(0.5));
}
