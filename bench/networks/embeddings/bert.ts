import { ElementType } from '../../../workers/engine/codec/element-type.ts';
import { encodeSkeleton } from '../../../workers/engine/codec/model-proto.ts';
import { makeValueInfo } from '../../../workers/engine/codec/value-info.ts';
import { seededRandom } from '../../../test/support/onnx/decoder-weights.ts';
import { createGraph } from '../../../test/support/onnx/graph.ts';

/** The shape of all-MiniLM-L6-v2. @source its `config.json` on the Hugging Face hub */
export const SIZES = { layers: 6, width: 384, heads: 12, innerWidth: 1536, vocabulary: 30_522, contextTokens: 512 };

/** An ONNX file of a BERT with random weights, `last_hidden_state` its only result. */
export function buildBert({ layers, width, heads, innerWidth, vocabulary, contextTokens }: typeof SIZES) {
  const graph = createGraph();
  const random = seededRandom(5);
  const { int64, float32 } = ElementType;
  const axes = ['batch_size', 'sequence_length'];
  for (const name of ['input_ids', 'attention_mask', 'token_type_ids'])
    graph.model.inputs.push(makeValueInfo(name, int64, axes));
  graph.model.outputs.push(makeValueInfo('last_hidden_state', float32, [...axes, width]));
  const weight = (name: string, ...dimensions: number[]) => {
    const count = dimensions.reduce((product, each) => product * each, 1);
    const scale = 2.4 / Math.sqrt(width); // uniform, of about the spread that keeps the size of what passes
    return graph.weight(
      name,
      dimensions,
      Float32Array.from({ length: count }, () => (random() - 0.5) * scale),
    );
  };
  const dense = (name: string, input: string, from: number, to: number) =>
    graph.node('Add', weight(`${name}.bias`, to), graph.node('MatMul', input, weight(name, from, to)));
  const norm = (name: string, input: string) => {
    const ones = graph.weight(`${name}.scale`, [width], new Float32Array(width).fill(1));
    return graph.with({ axis: { integer: -1 } }, 'LayerNormalization', input, ones, weight(`${name}.bias`, width));
  };
  const gelu = (input: string) => {
    const erf = graph.node('Erf', graph.node('Div', input, graph.float(Math.SQRT2)));
    return graph.node('Mul', graph.node('Mul', input, graph.node('Add', erf, graph.float(1))), graph.float(0.5));
  };
  const length = graph.node('Gather', graph.node('Shape', 'input_ids'), graph.integer(1));
  const places = graph.node('Range', graph.integer(0), length, graph.integer(1));
  const words = graph.node('Gather', weight('words', vocabulary, width), 'input_ids');
  const segments = graph.node('Gather', weight('segments', 2, width), 'token_type_ids');
  const positions = graph.node('Gather', weight('positions', contextTokens, width), places);
  const seen = graph.with(
    { to: { integer: float32 } },
    'Cast',
    graph.node('Unsqueeze', 'attention_mask', graph.integers(1, 2)),
  );
  const mask = graph.node('Mul', graph.node('Sub', graph.float(1), seen), graph.float(-3.4028234663852886e38));
  const split = (tensor: string, perm: number[]) =>
    graph.with(
      { perm: { integers: perm } },
      'Transpose',
      graph.node('Reshape', tensor, graph.integers(0, 0, heads, width / heads)),
    );
  let hidden = norm('embedded', graph.node('Add', graph.node('Add', words, segments), positions));
  for (let layer = 0; layer < layers; layer++) {
    const part = (name: string) => dense(`${layer}.${name}`, hidden, width, width);
    const product = graph.node('MatMul', split(part('query'), [0, 2, 1, 3]), split(part('key'), [0, 2, 3, 1]));
    const scores = graph.node('Add', graph.node('Div', product, graph.float(Math.sqrt(width / heads))), mask);
    const weights = graph.with({ axis: { integer: -1 } }, 'Softmax', scores);
    const mixed = graph.node('MatMul', weights, split(part('value'), [0, 2, 1, 3]));
    const rows = graph.with({ perm: { integers: [0, 2, 1, 3] } }, 'Transpose', mixed);
    const joined = graph.node('Reshape', rows, graph.integers(0, 0, width));
    const attended = norm(
      `${layer}.attended`,
      graph.node('Add', hidden, dense(`${layer}.output`, joined, width, width)),
    );
    const inner = gelu(dense(`${layer}.up`, attended, width, innerWidth));
    const sum = graph.node('Add', attended, dense(`${layer}.down`, inner, innerWidth, width));
    hidden = norm(`${layer}.out`, sum);
  }
  graph.named('last_hidden_state', 'Identity', hidden);
  return encodeSkeleton(graph.model, 'none');
}
