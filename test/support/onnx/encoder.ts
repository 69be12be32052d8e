import { ElementType } from '../../../workers/engine/codec/tensor-proto.ts';
import { makeNode, MICROSOFT } from '../../../workers/engine/codec/graph-node.ts';
import { encodeSkeleton, makeValueInfo } from '../../../workers/engine/codec/model-proto.ts';
import { seededRandom } from './decoder-weights.ts';
import { counted, distances, PADDING_ID, ranged } from './encoders/encoder-positions.ts';
import { createGraph, type Graph } from './graph.ts';

/** Which encoder to write. */
export interface EncoderOptions {
  /**
   * - `sentence`: `sentence_embedding` `[batch, 24]` alone, pooled with `token_weights`
   * - `states`: `last_hidden_state` `[batch, tokens, 16]` and `sentence_embedding`
   * - `answer`: `start_logits` and `end_logits`, `[batch, tokens]`, as question-answering exports have them
   */
  readonly head: 'sentence' | 'states' | 'answer';
  /** Norms in front of the layers' parts, or behind their sums as in BERT. */
  readonly norms: 'before' | 'after';
  /** One operator for the whole attention, as ONNX Runtime's optimizer writes it. */
  readonly fused?: boolean;
  readonly withoutMask?: boolean;
  /** Positions are counted from the ids, as in RoBERTa, and distances weigh in the scores, as in MPNet. */
  readonly countsPositions?: boolean;
  /** Default: 64. */
  readonly vocabulary?: number;
}

const LAYERS = 2;
const HEADS = 2;
const VOCABULARY = 64;
const EMBEDDED = 24;

/** Rows of their tables of positions that a text can take. */
export const ENCODER_CONTEXT = 64;

/** Width of the encoders' states. */
export const ENCODER_WIDTH = 16;

/** An ONNX file of a small encoder with random weights; positions see one another in both directions. */
export function buildEncoder(options: EncoderOptions): Uint8Array<ArrayBuffer> {
  const graph = createGraph();
  const random = seededRandom(4);
  const matrix = (name: string, ...dimensions: number[]): string => {
    const count = dimensions.reduce((product, dimension) => product * dimension, 1);
    return graph.weight(
      name,
      dimensions,
      Float32Array.from({ length: count }, () => (random() - 0.5) * 1.4),
    );
  };
  declare(graph, options);
  const parts: Parts = { graph, matrix, options };
  let hidden = addEmbeddings(parts);
  for (let layer = 0; layer < LAYERS; layer++) hidden = addLayer(parts, layer, hidden);
  if (options.norms === 'before') hidden = addNorm(parts, 'final', hidden);
  if (options.head === 'answer') addAnswer(parts, hidden);
  else addSentence(parts, hidden);
  return encodeSkeleton(graph.model, 'none');
}

interface Parts {
  readonly graph: Graph;
  readonly matrix: (name: string, ...dimensions: number[]) => string;
  readonly options: EncoderOptions;
}

function declare({ model }: Graph, { head, withoutMask, fused }: EncoderOptions): void {
  const { int64, float32 } = ElementType;
  if (fused) model.operatorSets.set(MICROSOFT, 1);
  const shape = ['batch_size', 'sequence_length'];
  model.inputs.push(makeValueInfo('input_ids', int64, shape));
  if (!withoutMask) model.inputs.push(makeValueInfo('attention_mask', int64, shape));
  if (head === 'answer') {
    model.inputs.push(makeValueInfo('token_type_ids', int64, shape));
    for (const name of ['start_logits', 'end_logits']) model.outputs.push(makeValueInfo(name, float32, shape));
    return;
  }
  model.inputs.push(makeValueInfo('token_weights', float32, shape));
  model.outputs.push(makeValueInfo('sentence_embedding', float32, ['batch_size', EMBEDDED]));
  if (head === 'states') model.outputs.push(makeValueInfo('last_hidden_state', float32, [...shape, ENCODER_WIDTH]));
}

function addEmbeddings({ graph, matrix, options }: Parts): string {
  const positions = options.countsPositions ? counted(graph) : ranged(graph);
  const rows = ENCODER_CONTEXT + (options.countsPositions ? PADDING_ID + 1 : 0);
  const words = graph.node('Gather', matrix('words', options.vocabulary ?? VOCABULARY, ENCODER_WIDTH), 'input_ids');
  const placed = graph.node('Add', words, graph.node('Gather', matrix('places', rows, ENCODER_WIDTH), positions));
  if (options.head !== 'answer') return addNorm({ graph, matrix, options }, 'embedded', placed);
  const segments = graph.node('Gather', matrix('segments', 2, ENCODER_WIDTH), 'token_type_ids');
  return addNorm({ graph, matrix, options }, 'embedded', graph.node('Add', placed, segments));
}

function addLayer(parts: Parts, layer: number, hidden: string): string {
  const { graph, matrix, options } = parts;
  const isBefore = options.norms === 'before';
  const around = (name: string, state: string, part: (input: string) => string): string => {
    if (isBefore) return graph.node('Add', state, part(addNorm(parts, `${layer}.${name}`, state)));
    return addNorm(parts, `${layer}.${name}`, graph.node('Add', state, part(state)));
  };
  const attended = around('attention', hidden, (input) => addAttention(parts, layer, input));
  return around('feed_forward', attended, (input) => {
    const inner = graph.node('MatMul', input, matrix(`${layer}.up`, ENCODER_WIDTH, 32));
    return graph.node('MatMul', graph.node('Relu', inner), matrix(`${layer}.down`, 32, ENCODER_WIDTH));
  });
}

function addNorm({ graph }: Parts, name: string, input: string): string {
  const ones = graph.weight(`${name}.scale`, [ENCODER_WIDTH], new Float32Array(ENCODER_WIDTH).fill(1));
  return graph.with({ axis: -1 }, 'LayerNormalization', input, ones);
}

function addAttention(parts: Parts, layer: number, input: string): string {
  const { graph, matrix, options } = parts;
  const projected = (name: string) =>
    graph.node('MatMul', input, matrix(`${layer}.${name}`, ENCODER_WIDTH, ENCODER_WIDTH));
  const [query, key, value] = [projected('query'), projected('key'), projected('value')];
  const mixed = options.fused ? addFused(parts, layer, [query, key, value]) : addPrimitives(parts, query, key, value);
  return graph.node('MatMul', mixed, matrix(`${layer}.output`, ENCODER_WIDTH, ENCODER_WIDTH));
}

function addFused({ graph, options }: Parts, layer: number, projected: readonly string[]): string {
  const mask = options.withoutMask ? [] : ['', graph.with({ to: ElementType.int32 }, 'Cast', 'attention_mask')];
  const output = `${layer}.mixed`;
  const attributes = { num_heads: HEADS };
  graph.model.nodes.push(makeNode('MultiHeadAttention', [...projected, ...mask], [output], attributes, MICROSOFT));
  return output;
}

function addPrimitives({ graph, matrix, options }: Parts, query: string, key: string, value: string): string {
  const size = ENCODER_WIDTH / HEADS;
  const split = (tensor: string, perm: number[]) =>
    graph.with({ perm: perm }, 'Transpose', graph.node('Reshape', tensor, graph.integers(0, 0, HEADS, size)));
  const product = graph.node('MatMul', split(query, [0, 2, 1, 3]), split(key, [0, 2, 3, 1]));
  const scaled = graph.node('Div', product, graph.float(Math.sqrt(size)));
  const scores = options.countsPositions
    ? graph.node(
        'Add',
        scaled,
        distances(graph, HEADS, (...lengths) => matrix('distances', ...lengths)),
      )
    : scaled;
  const masked = options.withoutMask ? scores : graph.node('Add', scores, additiveMask(graph));
  const weights = graph.with({ axis: -1 }, 'Softmax', masked);
  const mixed = graph.node('MatMul', weights, split(value, [0, 2, 1, 3]));
  const byToken = graph.with({ perm: [0, 2, 1, 3] }, 'Transpose', mixed);
  return graph.node('Reshape', byToken, graph.integers(0, 0, ENCODER_WIDTH));
}

function additiveMask(graph: Graph): string {
  const seen = graph.with({ to: ElementType.float32 }, 'Cast', 'attention_mask');
  const hidden = graph.node('Sub', graph.float(1), graph.node('Unsqueeze', seen, graph.integers(1, 2)));
  return graph.node('Mul', hidden, graph.float(-3.4028234663852886e38));
}

/** Weighted mean of the states, a product with weights, length 1. */
function addSentence({ graph, matrix, options }: Parts, hidden: string): void {
  if (options.head === 'states') graph.named('last_hidden_state', 'Identity', hidden);
  const mask = options.withoutMask
    ? 'token_weights'
    : graph.node('Mul', 'token_weights', graph.with({ to: ElementType.float32 }, 'Cast', 'attention_mask'));
  const weights = graph.node('Unsqueeze', mask, graph.integers(2));
  const sum = (tensor: string) =>
    graph.node('Squeeze', graph.with({ keepdims: 1 }, 'ReduceSum', tensor, graph.integers(1)), graph.integers(1));
  const mean = graph.node('Div', sum(graph.node('Mul', hidden, weights)), sum(weights));
  const wide = graph.node('MatMul', mean, matrix('dense', ENCODER_WIDTH, EMBEDDED));
  const length = graph.with({ axes: [-1], keepdims: 1 }, 'ReduceL2', wide);
  graph.named('sentence_embedding', 'Div', wide, length);
}

function addAnswer({ graph, matrix }: Parts, hidden: string): void {
  const both = graph.node(
    'Add',
    graph.node('MatMul', hidden, matrix('answer', ENCODER_WIDTH, 2)),
    matrix('answer.bias', 2),
  );
  const names = ['start', 'end'].map((name) => `/model/${name}`);
  graph.model.nodes.push(makeNode('Split', [both, graph.integers(1, 1)], names, { axis: -1 }));
  graph.named('start_logits', 'Squeeze', '/model/start', graph.integers(-1));
  graph.named('end_logits', 'Squeeze', '/model/end', graph.integers(-1));
}
