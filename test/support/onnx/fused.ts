import { seededRandom } from './decoder-weights.ts';
import { rotaryAngles } from './decoder.ts';
import { ElementType, makeTensor } from '../../../workers/engine/codec/tensor-proto.ts';
import {
  type AttributeValue,
  encodeNode,
  type GraphNode,
  makeNode,
  MICROSOFT,
} from '../../../workers/engine/codec/graph-node.ts';
import { encodeSkeleton, makeValueInfo, type OnnxModel } from '../../../workers/engine/codec/model-proto.ts';
import { createMessage, type Message } from '../../../workers/engine/codec/protobuf.ts';

/** A fused attention operator and how it is wired. */
export interface FusedAttention {
  readonly operator: 'GroupQueryAttention' | 'MultiHeadAttention' | 'PackedAttention' | 'OnnxAttention';
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
  /** GroupQueryAttention: one tensor with queries, keys and values. */
  readonly packed?: boolean;
  /** PackedAttention: keys and values of the past in one tensor, as old exports of GPT-2 keep them. */
  readonly stackedPast?: boolean;
  /** OnnxAttention: fewer heads of keys and values than of queries. */
  readonly grouped?: boolean;
  /**
   * GroupQueryAttention: an If chooses between tables of positions for short and for long texts, as
   * the builder of ONNX Runtime GenAI writes Phi.
   */
  readonly choosesTables?: boolean;
  /** GroupQueryAttention: a learned score per head. */
  readonly sink?: boolean;
  /** GroupQueryAttention: norms of each head of the queries and keys, as exports of Qwen 3 have them. */
  readonly norms?: boolean;
  /** Left out: 2. */
  readonly layers?: number;
  /** Layers have a gated feed-forward part, and sums that are normed in one operator. */
  readonly hasFeedForward?: boolean;
}

const WIDTH = 64;
const HEADS = 4;
const HEAD_SIZE = 16; // the fused kernel takes multiples of 16 only
const VOCABULARY = 40;

/** Layers of attention without feed-forward parts, with random weights, around a fused operator. */
export function buildFused(fused: FusedAttention): Uint8Array<ArrayBuffer> {
  const model = emptyModel(fused.operator === 'OnnxAttention' ? 23 : 21);
  const random = seededRandom(9);
  const constant = (
    name: string,
    dimensions: number[],
    type: number = ElementType.float32,
    values?: ArrayLike<number>,
  ): string => {
    const count = dimensions.reduce((product, dimension) => product * dimension, 1);
    const numbers = values ?? Float32Array.from({ length: count }, () => (random() - 0.5) * 0.5);
    model.initialisers.set(name, makeTensor(name, type, dimensions, numbers));
    return name;
  };
  const node = (operator: string, inputs: string[], output: string, attributes = {}, domain = ''): string => {
    model.nodes.push(makeNode(operator, inputs, [output], attributes, domain));
    return output;
  };
  model.inputs.push(makeValueInfo('input_ids', ElementType.int64, ['batch', 'tokens']));
  model.inputs.push(makeValueInfo('attention_mask', ElementType.int64, ['batch', 'total']));
  model.outputs.push(makeValueInfo('logits', ElementType.float32, ['batch', 'tokens', VOCABULARY]));
  let hidden = node('Gather', [constant('table', [VOCABULARY, WIDTH]), 'input_ids'], 'embedded');
  for (let layer = 0; layer < (fused.layers ?? 2); layer++) {
    const scale = constant(`${layer}.scale`, [WIDTH], ElementType.float32, new Float32Array(WIDTH).fill(1.5));
    const normed = node('SimplifiedLayerNormalization', [hidden, scale], `${layer}.normed`, {
      axis: -1,
      epsilon: { float: 1e-6 },
    });
    const mixed = addAttention({ model, constant, node }, fused, layer, normed);
    const out = node('MatMul', [mixed, constant(`${layer}.out`, [WIDTH, WIDTH])], `${layer}.attended`);
    const add = fused.hasFeedForward ? addFeedForward : addSum;
    hidden = add({ model, constant, node }, layer, [hidden, out]);
  }
  node('MatMul', [hidden, constant('head', [WIDTH, VOCABULARY])], 'logits');
  return encodeSkeleton(model, 'none');
}

interface Parts {
  readonly model: OnnxModel;
  readonly constant: (name: string, dimensions: number[], type?: number, values?: ArrayLike<number>) => string;
  readonly node: (
    operator: string,
    inputs: string[],
    output: string,
    attributes?: Record<string, AttributeValue>,
    domain?: string,
  ) => string;
}

function addSum({ node }: Parts, layer: number, terms: string[]): string {
  return node('Add', terms, `${layer}.hidden`);
}

/** Llama's feed-forward part, as the builder of ONNX Runtime GenAI writes it. */
function addFeedForward({ model, constant, node }: Parts, layer: number, terms: string[]): string {
  const scale = constant(`${layer}.middleScale`, [WIDTH], ElementType.float32, new Float32Array(WIDTH).fill(1.5));
  const [normed, sum] = [`${layer}.middleNormed`, `${layer}.middle`];
  const outputs = [normed, '', '', sum];
  const epsilon = { epsilon: { float: 1e-6 } };
  model.nodes.push(makeNode('SkipSimplifiedLayerNormalization', [...terms, scale], outputs, epsilon, MICROSOFT));
  const product = (input: string, name: string) =>
    node('MatMul', [input, constant(`${layer}.${name}`, [WIDTH, WIDTH])], `${layer}.${name}d`);
  const gate = product(normed, 'gate');
  const silu = node('Mul', [gate, node('Sigmoid', [gate], `${layer}.sigmoid`)], `${layer}.silu`);
  const down = product(node('Mul', [silu, product(normed, 'up')], `${layer}.gatedUp`), 'down');
  return node('Add', [sum, down], `${layer}.hidden`);
}

function addAttention(parts: Parts, fused: FusedAttention, layer: number, normed: string): string {
  const output = `${layer}.mixed`;
  const heads = { num_heads: HEADS };
  const weight = (name: string, width: number) =>
    parts.node('MatMul', [normed, parts.constant(`${layer}.${name}`, [WIDTH, width])], `${layer}.${name}d`);
  switch (fused.operator) {
    case 'GroupQueryAttention':
      return addGroupQuery(parts, fused, layer, weight);
    case 'MultiHeadAttention': {
      const inputs = [
        weight('query', WIDTH),
        weight('key', WIDTH),
        weight('value', WIDTH),
        parts.constant(`${layer}.bias`, [3 * WIDTH]),
      ];
      const past = declarePast(parts.model, layer, HEADS);
      const node = makeNode(
        'MultiHeadAttention',
        [...inputs, '', '', ...past.inputs],
        [output, ...past.outputs],
        { ...heads, unidirectional: 1 },
        MICROSOFT,
      );
      parts.model.nodes.push(node);
      return output;
    }
    case 'PackedAttention': {
      const inputs = [
        normed,
        parts.constant(`${layer}.packed`, [WIDTH, 3 * WIDTH]),
        parts.constant(`${layer}.bias`, [3 * WIDTH]),
      ];
      const attributes = { ...heads, unidirectional: 1 };
      if (!fused.stackedPast) return parts.node('Attention', inputs, output, attributes, MICROSOFT);
      const shape = (tokens: string) => [2, 'batch', HEADS, tokens, HEAD_SIZE];
      const [past, present] = [`past_${layer}`, `present_${layer}`];
      parts.model.inputs.push(makeValueInfo(past, ElementType.float32, shape('past')));
      parts.model.outputs.push(makeValueInfo(present, ElementType.float32, shape('total')));
      parts.model.nodes.push(makeNode('Attention', [...inputs, '', past], [output, present], attributes, MICROSOFT));
      return output;
    }
    case 'OnnxAttention': {
      const keyHeads = fused.grouped ? HEADS / 2 : HEADS;
      const keyWidth = keyHeads * HEAD_SIZE;
      const each = { q_num_heads: HEADS, kv_num_heads: keyHeads, is_causal: 1 };
      return parts.node(
        'Attention',
        [weight('query', WIDTH), weight('key', keyWidth), weight('value', keyWidth)],
        output,
        each,
      );
    }
  }
}

function addGroupQuery(
  { model, constant, node }: Parts,
  { attributes = {}, packed = false, sink = false, norms = false, choosesTables = false }: FusedAttention,
  layer: number,
  weight: (name: string, width: number) => string,
): string {
  const keyHeads = HEADS / 2;
  const keyWidth = keyHeads * HEAD_SIZE;
  const projections = packed
    ? [weight('packed', WIDTH + 2 * keyWidth), '', '']
    : [weight('query', WIDTH), weight('key', keyWidth), weight('value', keyWidth)];
  const past = declarePast(model, layer, keyHeads);
  const positions = 64;
  const angles = rotaryAngles({ contextTokens: positions, headSize: HEAD_SIZE, rotaryBase: 10_000 });
  const table = (name: string, of: (angle: number) => number) =>
    constant(name, [positions, HEAD_SIZE / 2], ElementType.float32, Float32Array.from(angles, of));
  const tables = choosesTables
    ? chosenTables({ model, constant, node }, layer)
    : [table('cosine', Math.cos), table('sine', Math.sin)];
  const one = constant('one', [1], ElementType.int64, [1]);
  const count = node('ReduceSum', ['attention_mask', one], `${layer}.count`, { keepdims: 0 });
  const toInt32 = { to: ElementType.int32 };
  const seen = node('Cast', [node('Sub', [count, one], `${layer}.last`)], `${layer}.seen`, toInt32);
  const length = node(
    'Gather',
    [node('Shape', ['attention_mask'], `${layer}.shape`), constant('axis', [], ElementType.int64, [1])],
    `${layer}.length`,
  );
  const total = node('Cast', [length], `${layer}.total`, toInt32);
  const inputs = [...projections, ...past.inputs, seen, total, ...tables];
  const sinks = sink || norms ? ['', '', sink ? constant(`${layer}.sink`, [HEADS]) : ''] : [];
  const ofHeads = ['query', 'key'].map((name) => `${layer}.${name}Norm`);
  const scales = norms ? ['', '', ...ofHeads.map((name) => constant(name, [HEAD_SIZE]))] : [];
  const counts = { num_heads: HEADS, kv_num_heads: keyHeads, do_rotary: 1 };
  const output = `${layer}.mixed`;
  model.nodes.push(
    makeNode(
      'GroupQueryAttention',
      [...inputs, ...sinks, ...scales],
      [output, ...past.outputs],
      { ...counts, ...attributes },
      MICROSOFT,
    ),
  );
  return output;
}

/** Tables of 32 positions for texts of up to so many, else of 64. */
function chosenTables({ model, constant, node }: Parts, layer: number): string[] {
  const rotated = HEAD_SIZE / 2;
  const branchOf = (length: number, rotaryBase: number): Message => {
    const angles = rotaryAngles({ contextTokens: length, headSize: 2 * rotated, rotaryBase });
    const body = createMessage();
    const names = [Math.cos, Math.sin].map((of) => {
      const name = constant(
        `${of.name}/${length}`,
        [length, rotated],
        ElementType.float32,
        Float32Array.from(angles, of),
      );
      body.message(1, encodeNode(makeNode('Identity', [name], [`${layer}.${name}`])));
      return `${layer}.${name}`;
    });
    body.text(2, `tables/${length}`);
    for (const name of names) body.message(12, createMessage().text(1, name));
    return body;
  };
  const count = node(
    'ReduceMax',
    [node('ReduceSum', ['attention_mask', constant('one', [1], ElementType.int64, [1])], `${layer}.seenEach`)],
    `${layer}.longest`,
    { keepdims: 0 },
  );
  const isLong = node('Greater', [count, constant('short', [], ElementType.int64, [32])], `${layer}.isLong`);
  const bodies = { then_branch: { body: branchOf(64, 5_000) }, else_branch: { body: branchOf(32, 10_000) } };
  const outputs = [`${layer}.cosine`, `${layer}.sine`];
  model.nodes.push(makeNode('If', [isLong], outputs, bodies));
  return outputs;
}

function declarePast(model: OnnxModel, layer: number, heads: number): { inputs: string[]; outputs: string[] } {
  const names = ['key', 'value'];
  for (const name of names) {
    const shape = (tokens: string) => ['batch', heads, tokens, HEAD_SIZE];
    model.inputs.push(makeValueInfo(`past_key_values.${layer}.${name}`, ElementType.float32, shape('past')));
    model.outputs.push(makeValueInfo(`present.${layer}.${name}`, ElementType.float32, shape('total')));
  }
  return {
    inputs: names.map((name) => `past_key_values.${layer}.${name}`),
    outputs: names.map((name) => `present.${layer}.${name}`),
  };
}

function emptyModel(operatorSet: number): OnnxModel {
  const nodes: GraphNode[] = [];
  const operatorSets = new Map([
    ['', operatorSet],
    [MICROSOFT, 1],
  ]);
  const lists = { nodes, inputs: [], outputs: [], keptGraphParts: [], keptModelParts: [] };
  return { format: 10, operatorSets, initialisers: new Map(), notes: new Map(), ...lists };
}
