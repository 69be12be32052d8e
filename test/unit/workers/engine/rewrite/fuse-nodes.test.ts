import { describe, expect, it } from 'vitest';
import { readNetworkConfig } from '../../../../../workers/engine/analysis/network-inputs.ts';
import { floatAttribute } from '../../../../../workers/engine/codec/graph-node.ts';
import {
  decodeModel,
  graphBodyOf,
  makeValueInfo,
  type OnnxModel,
} from '../../../../../workers/engine/codec/model-proto.ts';
import { ElementType, numbersOf } from '../../../../../workers/engine/codec/tensor-proto.ts';
import { fuseNodes } from '../../../../../workers/engine/rewrite/fuse-nodes.ts';
import { FUSED_FORM } from '../../../../../workers/engine/rewrite/fused-form.ts';
import { rewriteNetwork } from '../../../../../workers/engine/rewrite/plan-network.ts';
import { computeAngles } from '../../../../support/onnx/changed/computed-angles.ts';
import { type DecoderSizes, randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';
import { buildFused, type FusedAttention } from '../../../../support/onnx/fused.ts';
import { createGraph, type Graph } from '../../../../support/onnx/graph.ts';

const WIDTH = 4;

/** The model of a graph from an input x, after it was fused; its operators in order. */
function fused(build: (graph: Graph) => string, type: number = ElementType.float32) {
  const graph = createGraph();
  graph.model.inputs.push(makeValueInfo('x', type, [1, 2, 3, WIDTH]));
  const result = build(graph);
  graph.model.outputs.push(makeValueInfo(result, type, [1, 2, 3, WIDTH]));
  fuseNodes(graph.model);
  return { model: graph.model, operators: graph.model.nodes.map(({ operator }) => operator), result };
}

const weight = (graph: Graph) => graph.weight('weight', [WIDTH], new Float32Array(WIDTH).fill(2));

/** Up to the root of the mean square. */
function rootOf(graph: Graph, square: string, axis = -1): string {
  const mean = graph.with({ axes: [axis], keepdims: 1 }, 'ReduceMean', square);
  return graph.node('Sqrt', graph.node('Add', mean, graph.float(1e-5)));
}

describe('an RMS norm', () => {
  it.each<[string, (graph: Graph) => string]>([
    [
      'a power, and the reciprocal by a division',
      (graph) => {
        const root = rootOf(graph, graph.node('Pow', 'x', graph.float(2)));
        return graph.node('Mul', weight(graph), graph.node('Mul', 'x', graph.node('Div', graph.float(1), root)));
      },
    ],
    [
      'a product, and the operator Reciprocal',
      (graph) => {
        const inverse = graph.node('Reciprocal', rootOf(graph, graph.node('Mul', 'x', 'x')));
        return graph.node('Mul', graph.node('Mul', inverse, 'x'), weight(graph));
      },
    ],
    [
      'a division',
      (graph) => graph.node('Mul', graph.node('Div', 'x', rootOf(graph, graph.node('Mul', 'x', 'x'))), weight(graph)),
    ],
  ])('with %s becomes one operator', (_, build) => {
    const { model, operators, result } = fused(build);
    expect(operators).toEqual(['SimplifiedLayerNormalization']);
    expect(model.nodes[0]).toMatchObject({ inputs: ['x', 'weight'], outputs: [result] });
    expect(model.nodes[0] && floatAttribute(model.nodes[0], 'epsilon', 0)).toBeCloseTo(1e-5, 10);
  });

  it('stays where its mean is over another axis, where it is of 16 bits, and where something else reads a part of it', () => {
    const along = (axis: number) => (graph: Graph) =>
      graph.node('Mul', graph.node('Div', 'x', rootOf(graph, graph.node('Mul', 'x', 'x'), axis)), weight(graph));
    expect(fused(along(1)).operators).toHaveLength(6);
    expect(fused(along(-1), ElementType.float16).operators).toHaveLength(6);
    const read = (graph: Graph) => {
      const root = rootOf(graph, graph.node('Mul', 'x', 'x'));
      return graph.node('Add', graph.node('Mul', graph.node('Div', 'x', root), weight(graph)), root);
    };
    expect(fused(read).operators).toHaveLength(7);
  });
});

describe('the turned halves of a rotary embedding', () => {
  const turned =
    (half: number, end: number, from = 'x') =>
    (graph: Graph) => {
      const part = (begin: number, until: number, tensor: string) =>
        graph.node('Slice', tensor, graph.integers(begin), graph.integers(until), graph.integers(-1));
      return graph.join(-1, graph.node('Neg', part(half, end, 'x')), part(0, half, from));
    };

  it.each([WIDTH, 2 ** 31 - 1])('become a product with a matrix, cut to %d', (end) => {
    const { model, operators } = fused(turned(2, end));
    expect(operators).toEqual(['MatMul']);
    const [, matrix = ''] = model.nodes[0]?.inputs ?? [];
    const numbers = numbersOf(model.initialisers.get(matrix) ?? expect.fail());
    const x = [1, 2, 3, 4];
    const product = x.map((_, column) =>
      x.reduce((sum, value, row) => sum + value * (numbers[row * WIDTH + column] ?? 0), 0),
    );
    expect(product).toEqual([-3, -4, 1, 2]);
  });

  it('stay where the cut is not in the middle, and where they are of two tensors', () => {
    expect(fused(turned(1, WIDTH)).operators).toHaveLength(4);
    const two = (graph: Graph) => turned(2, WIDTH, graph.node('Abs', 'x'))(graph);
    expect(fused(two).operators).toHaveLength(5);
  });
});

describe('an activation', () => {
  it('SiLU becomes one operator', () => {
    const { model, operators } = fused((graph) => graph.node('Mul', 'x', graph.node('Sigmoid', 'x')));
    expect(operators).toEqual(['QuickGelu']);
    expect(model.operatorSets.get('com.microsoft')).toBe(1);
  });

  it('a gate of another tensor stays', () => {
    const gated = (graph: Graph) => graph.node('Mul', graph.node('Abs', 'x'), graph.node('Sigmoid', 'x'));
    expect(fused(gated).operators).toHaveLength(3);
  });

  const raised = (graph: Graph, by = Math.SQRT2) =>
    graph.node('Add', graph.node('Erf', graph.node('Div', 'x', graph.float(by))), graph.float(1));

  it.each<[string, (graph: Graph) => string]>([
    ['x first', (graph) => graph.node('Mul', graph.node('Mul', 'x', raised(graph)), graph.float(0.5))],
    ['½ first', (graph) => graph.node('Mul', graph.node('Mul', raised(graph), graph.float(0.5)), 'x')],
    ['½ x', (graph) => graph.node('Mul', graph.node('Mul', 'x', graph.float(0.5)), raised(graph))],
  ])('GELU with %s becomes one operator', (_, build) => {
    expect(fused(build).operators).toEqual(['Gelu']);
  });

  it('a function like GELU with another root stays', () => {
    const other = (graph: Graph) => graph.node('Mul', graph.node('Mul', 'x', raised(graph, 2)), graph.float(0.5));
    expect(fused(other).operators).toHaveLength(5);
  });
});

describe('a decoder in primitives', () => {
  /** How often each fused operator is in a decoder of these sizes. */
  const counts = (sizes: DecoderSizes, change: (model: OnnxModel) => void = () => undefined) => {
    const model = decodeModel(buildDecoder(sizes, randomWeights(sizes, 5)));
    change(model);
    fuseNodes(model);
    const count = (name: string) => model.nodes.filter(({ operator }) => operator === name).length;
    return {
      model,
      attentions: count('MultiHeadAttention'),
      rotary: count('RotaryEmbedding'),
      sums: count(SUM_AND_NORM),
    };
  };
  const SUM_AND_NORM = 'SkipSimplifiedLayerNormalization';
  const EQUAL = { ...SMALL_SIZES, keyHeads: SMALL_SIZES.heads };
  const { layers } = EQUAL;

  it.each<[string, (model: OnnxModel) => void]>([
    ['in tables', () => undefined],
    ['computed', (model) => computeAngles(model, EQUAL)],
  ])('has one operator for each attention, each rotation and each sum with its norm, angles %s', (_, change) => {
    const { model, ...found } = counts(EQUAL, change);
    // The last norm stays apart.
    expect(found).toEqual({ attentions: layers, rotary: 2 * layers, sums: 2 * layers - 1 });
    const attention = model.nodes.find(({ operator }) => operator === 'MultiHeadAttention');
    expect(attention?.inputs.slice(6)).toEqual(['past_key_values.0.key', 'past_key_values.0.value']);
    expect(attention?.outputs.slice(1)).toEqual(['present.0.key', 'present.0.value']);
    expect(attention && floatAttribute(attention, 'scale', 0)).toBeCloseTo(EQUAL.headSize ** -0.5, 6);
  });

  it('keeps attention whose key heads are repeated, and rotations by positions that are not in the file', () => {
    expect(counts(SMALL_SIZES)).toMatchObject({ attentions: 0, rotary: 2 * layers });
    const spatial = (model: OnnxModel) => {
      model.inputs = model.inputs.map((input) =>
        input.name === 'position_ids' ? makeValueInfo(input.name, input.type, [3, 'batch', 'tokens']) : input,
      );
    };
    expect(counts(EQUAL, spatial)).toMatchObject({ rotary: 0 });
  });
});

/** The bias is repeated for each position only in runs whose operators read it. */
const CHOSEN_BIAS = /\/If\//;

describe('the fused form of a network', () => {
  it('shares ids as the primitive form does', () => {
    const file = buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 5));
    const config = readNetworkConfig(undefined);
    expect(rewriteNetwork(file, config).sharesIds).toBe(true);
    expect(rewriteNetwork(file, config, FUSED_FORM).sharesIds).toBe(true);
  });

  /** Inputs of the operator that a run can choose in each layer. */
  const choices = (attributes: FusedAttention['attributes'] = {}, norms = false) => {
    const file = buildFused({ operator: 'GroupQueryAttention', layers: 3, attributes, norms });
    const plan = rewriteNetwork(file, readNetworkConfig({ head_dim: 16 }), FUSED_FORM);
    const bodies = decodeModel(plan.skeleton).nodes.map((node) => graphBodyOf(node, 'then_branch')?.nodes ?? []);
    const kept = bodies.flat().filter(({ operator }) => operator === 'GroupQueryAttention');
    return { plan, kept, inputs: kept.map(({ inputs }) => inputs) };
  };

  it('keeps attention over groups of queries in every layer, with the bias of the run', () => {
    const { plan, inputs } = choices();
    expect(plan.keepsFused).toBe(true);
    expect(inputs).toHaveLength(3);
    for (const [layer, each] of inputs.entries()) {
      expect(each).toHaveLength(11);
      expect(each.slice(3, 5)).toEqual([`past_key_values.${layer}.key`, `past_key_values.${layer}.value`]);
      expect(each[10]).toMatch(CHOSEN_BIAS);
    }
  });

  it.each<[string, NonNullable<FusedAttention['attributes']>]>([
    ['a soft cap', { softcap: { float: 2 } }],
    ['a past of the size of its window', { local_window_size: 3, sliding_window_cache: 1 }],
  ])('takes one with %s apart', (_, attributes) => {
    const { plan, inputs } = choices(attributes);
    expect(plan.keepsFused).toBe(false);
    expect(inputs).toEqual([]);
  });

  it('makes the window a part of the bias, and norms of queries and keys operators of their own', () => {
    const { plan, kept } = choices({ local_window_size: 3 }, true);
    expect(plan.keepsFused).toBe(true);
    expect(kept).toHaveLength(3);
    for (const { inputs, attributes } of kept) {
      expect(attributes.has('local_window_size')).toBe(false);
      expect(inputs).toHaveLength(11);
      expect(inputs[0]).toMatch(/Reshape/);
      expect(inputs[10]).toMatch(CHOSEN_BIAS);
    }
  });

  /** Operators of the choices of every layer, and the operator set. */
  const kept = (fused: FusedAttention) => {
    const plan = rewriteNetwork(buildFused({ ...fused, layers: 3 }), readNetworkConfig({ head_dim: 16 }), FUSED_FORM);
    const model = decodeModel(plan.skeleton);
    const bodies = (nodes: OnnxModel['nodes'], branch: string) =>
      nodes.flatMap((node) => graphBodyOf(node, branch)?.nodes ?? []);
    const chosen = bodies(model.nodes, 'then_branch');
    const attentions = (nodes: OnnxModel['nodes']) => nodes.filter(({ operator }) => operator.endsWith('Attention'));
    return {
      operators: attentions(chosen),
      overWhole: attentions(bodies(chosen, 'then_branch')),
      overShared: attentions(bodies(chosen, 'else_branch')),
      operatorSet: model.operatorSets.get(''),
    };
  };

  it('keeps attention of several heads, whose causal mask becomes a part of the bias', () => {
    const { overWhole, overShared } = kept({ operator: 'MultiHeadAttention' });
    expect([overWhole.length, overShared.length]).toEqual([3, 3]);
    // The KV cache as it is, or cut and repeated.
    expect(overWhole[0]?.inputs.slice(6)).toEqual(['past_key_values.0.key', 'past_key_values.0.value']);
    for (const input of overShared[0]?.inputs.slice(6) ?? []) expect(input).toMatch(/Expand/);
    for (const { inputs, attributes } of [...overWhole, ...overShared]) {
      expect(attributes.has('unidirectional')).toBe(false);
      expect(inputs.slice(3, 6)).toEqual([expect.stringMatching(/bias/), '', expect.stringMatching(CHOSEN_BIAS)]);
    }
  });

  it('keeps packed attention without a past in every layer', () => {
    const { operators } = kept({ operator: 'PackedAttention' });
    expect(operators).toHaveLength(3);
    for (const { inputs } of operators) expect(inputs.slice(3)).toEqual(['', '', expect.stringMatching(CHOSEN_BIAS)]);
    expect(kept({ operator: 'PackedAttention', stackedPast: true }).operators).toEqual([]);
  });

  it("computes ONNX's attention, of which a GPU has no kernel, by that of several heads, in operator set 21", () => {
    const { operators, operatorSet } = kept({ operator: 'OnnxAttention', grouped: true });
    expect(operators.map(({ operator }) => operator)).toEqual(new Array(3).fill('MultiHeadAttention'));
    expect(operatorSet).toBe(21);
  });

  it('leaves the inputs of rotary positions empty where there are none', () => {
    const [first] = choices({ do_rotary: 0 }).inputs;
    expect(first).toHaveLength(11);
    expect(first?.[10]).toMatch(CHOSEN_BIAS);
  });
});
