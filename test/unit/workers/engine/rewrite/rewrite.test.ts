import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../../../src/contract/failure.ts';
import { ElementType } from '../../../../../workers/engine/codec/tensor-proto.ts';
import { makeNode, MICROSOFT } from '../../../../../workers/engine/codec/graph-node.ts';
import {
  decodeModel,
  encodeSkeleton,
  graphBodyOf,
  makeValueInfo,
  type OnnxModel,
} from '../../../../../workers/engine/codec/model-proto.ts';
import { rewriteNetwork } from '../../../../../workers/engine/rewrite/plan-network.ts';
import { ancestors, sortNodes } from '../../../../../workers/engine/analysis/graph-traversal.ts';
import { readNetworkConfig } from '../../../../../workers/engine/analysis/network-inputs.ts';
import { randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';
import { computeAngles } from '../../../../support/onnx/changed/computed-angles.ts';
import { tieTable } from '../../../../support/onnx/changed/tied-table.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';

const NO_CONFIG = readNetworkConfig(undefined);
const file = buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 5));

/** The file with something about its graph changed. */
function edited(edit: (model: OnnxModel) => void): Uint8Array {
  const model = decodeModel(file);
  edit(model);
  return encodeSkeleton(model, 'file');
}

/** Makes the last residual sum and the final norm one operator, as optimised files have it. */
function fuseFinalNorm(model: OnnxModel): void {
  const maker = (tensor = '') => model.nodes.find(({ outputs }) => outputs.includes(tensor));
  const normed = maker('logits')?.inputs[0] ?? '';
  const [weight = '', scaled] = maker(normed)?.inputs ?? [];
  const state = maker(scaled)?.inputs[0] ?? '';
  const inputs = [...(maker(state)?.inputs ?? []), weight];
  const fused = makeNode('SkipSimplifiedLayerNormalization', inputs, [normed], { epsilon: { float: 1e-5 } }, MICROSOFT);
  const left = model.nodes.filter((node) => !node.outputs.includes(normed) && !node.outputs.includes(state));
  model.nodes = [...left.filter((node) => !node.inputs.includes(state)), fused];
  model.nodes = [
    ...ancestors(
      model.nodes,
      model.outputs.map(({ name }) => name),
    ),
  ];
}

describe('rewriteNetwork', () => {
  it('finds layers, keys and values, head and embeddings', () => {
    const plan = rewriteNetwork(file, NO_CONFIG);
    expect(plan).toMatchObject({ layers: 4, hasHead: true, hasWordEmbeddings: true, precision: 'float32' });
    expect(plan.kvCache).toHaveLength(8);
    expect(plan.kvCache[0]).toMatchObject({
      input: 'past_key_values.0.key',
      output: 'present.0.key',
      heads: 2,
      headSize: 8,
    });
  });

  it('names no length of keys and values that a batch of shared ids makes more of', () => {
    const plan = rewriteNetwork(file, NO_CONFIG);
    expect(plan.sharesIds).toBe(true);
    const { outputs } = decodeModel(plan.skeleton);
    const named = plan.kvCache.map(({ output }) => {
      const { dimensions } = outputs.find(({ name }) => name === output) ?? {};
      return dimensions?.some((length) => typeof length === 'string');
    });
    // The first layer's come before anything that is perturbed.
    expect(named).toEqual(plan.kvCache.map(({ output }) => output.startsWith('present.0.')));
  });

  it('has an input for steering only where it is to be steered', () => {
    const inputsOf = (wantsSteering: boolean) => {
      const { skeleton, takesSteering } = rewriteNetwork(file, { ...NO_CONFIG, wantsSteering });
      return { takesSteering, inputs: decodeModel(skeleton).inputs.map(({ name }) => name) };
    };
    expect(inputsOf(true).takesSteering).toBe(true);
    expect(inputsOf(true).inputs).toEqual(expect.arrayContaining(['lightwell/steering']));
    expect(inputsOf(false).takesSteering).toBe(false);
    expect(inputsOf(false).inputs).not.toContain('lightwell/steering');
  });

  it('multiplies by a tied table as it is stored, where ONNX Runtime would hold the transposed one too', () => {
    const model = decodeModel(rewriteNetwork(edited(tieTable), NO_CONFIG).skeleton);
    const bodies = model.nodes.flatMap((node) => graphBodyOf(node, 'then_branch')?.nodes ?? []);
    const readers = model.nodes.concat(bodies).filter(({ inputs }) => inputs.includes('embedding'));
    expect(readers.map(({ operator }) => operator).toSorted()).toEqual(['Gather', 'Gemm']);
  });

  it('adds its inputs and outputs, and copies no weights', () => {
    const { skeleton } = rewriteNetwork(file, NO_CONFIG);
    const model = decodeModel(skeleton);
    expect(
      model.inputs
        .map(({ name }) => name)
        .filter((name) => name.startsWith('lightwell/'))
        .toSorted(),
    ).toEqual([
      'lightwell/bias',
      'lightwell/factor',
      'lightwell/given_states',
      'lightwell/hides',
      'lightwell/maxima_skip',
      'lightwell/multiplicative',
      'lightwell/needs_attention',
      'lightwell/needs_likeliest',
      'lightwell/needs_logits',
      'lightwell/needs_probabilities',
      'lightwell/needs_states',
      'lightwell/past_tokens',
      'lightwell/pool_weights',
      'lightwell/reads_given',
      'lightwell/rows',
      'lightwell/sequences',
      'lightwell/targets',
    ]);
    expect(model.outputs.map(({ name }) => name)).not.toContain('logits');
    expect(skeleton.length).toBeLessThan(0.6 * file.length);
  });

  it('gives states to the head where a tensor stands in front of the final norm', () => {
    expect(rewriteNetwork(file, NO_CONFIG).readsGivenStates).toBe(true);
    const fused = edited(fuseFinalNorm);
    const plan = rewriteNetwork(fused, NO_CONFIG);
    expect(plan).toMatchObject({ readsGivenStates: false, hasHead: true, layers: 4 });
    expect(decodeModel(plan.skeleton).inputs.map(({ name }) => name)).not.toContain('lightwell/given_states');
  });

  it('names what computes angles, for the processor', () => {
    const { onProcessor, skeleton } = rewriteNetwork(
      edited((model) => computeAngles(model, SMALL_SIZES)),
      NO_CONFIG,
    );
    const { nodes } = decodeModel(skeleton);
    const nameOf = (output: string) => nodes.find(({ outputs }) => outputs.includes(output))?.name;
    for (const output of ['places', 'positions', 'angles']) expect(onProcessor).toContain(nameOf(output));
    for (const operator of ['Cos', 'Sin'])
      expect(onProcessor).toContain(nodes.find((node) => node.operator === operator)?.name);
    expect(onProcessor).toContain('lightwell/angle/lightwell/tail/angles'); // of the positions that predict
    expect(new Set(onProcessor).size).toBe(onProcessor.length);
    expect(rewriteNetwork(file, NO_CONFIG).onProcessor.filter((name) => !name.endsWith('/kept'))).toEqual([]);
  });

  it('keeps on the processor what only branches read: lengths, targets and conditions', () => {
    const { onProcessor, skeleton } = rewriteNetwork(file, NO_CONFIG);
    const { nodes } = decodeModel(skeleton);
    for (const name of ['rows', 'targets', 'reads_given', 'maxima_skip']) {
      expect(onProcessor).toContain(`lightwell/${name}/kept`);
      expect(nodes.some(({ captures }) => captures.includes(`lightwell/${name}`))).toBe(false);
    }
  });

  it('takes nodes in any order', () => {
    const plan = rewriteNetwork(
      edited((model) => void model.nodes.reverse()),
      NO_CONFIG,
    );
    expect(plan.layers).toBe(4);
  });

  it('lets sequences run alone where activations are rounded together', () => {
    const quantised = edited(
      (model) => void model.nodes.push(makeNode('DynamicQuantizeLinear', ['logits'], ['a', 'b', 'c'])),
    );
    expect(rewriteNetwork(quantised, NO_CONFIG)).toMatchObject({
      runsAlone: true,
      precision: 'int8',
      sharesIds: false,
      readsGivenStates: false,
      layers: 4,
    });
    expect(
      rewriteNetwork(
        edited(() => undefined),
        NO_CONFIG,
      ),
    ).toMatchObject({ runsAlone: false, precision: 'float32' });
  });

  it.each<readonly [string, RegExp, (model: OnnxModel) => void]>([
    ['an old operator set', /operator set 9 is too old/, (model) => void model.operatorSets.set('', 9)],
    [
      'an input it does not know',
      /has an input that is not known \(input "bridge"\)/,
      (model) => void model.inputs.push(makeValueInfo('bridge', ElementType.float32, [1])),
    ],
    [
      'pictures',
      /takes pictures or sound/,
      (model) => void model.inputs.push(makeValueInfo('pixel_values', ElementType.float32, [1])),
    ],
    ['no ids', /no input "input_ids"/, (model) => void (model.inputs = model.inputs.slice(1))],
    [
      'a past without a present',
      /"past_key_values.0.key" has no output "present.0.key"/,
      (model) => void (model.outputs = model.outputs.slice(0, 1)),
    ],
    [
      'a convolution over positions',
      /operator Conv .* mixes positions outside attention/,
      (model) => replace(model, 'Sigmoid', 'Conv'),
    ],
    ['no attention', /no attention was found/, (model) => replace(model, 'Softmax', 'Relu')],
    ['one attention without a softmax', /8 products .* only 6 belong/, (model) => replace(model, 'Softmax', 'Relu', 1)],
  ])('refuses a network with %s', (_, reason, edit) => {
    expect(() => rewriteNetwork(edited(edit), NO_CONFIG)).toThrow(FailureError);
    expect(() => rewriteNetwork(edited(edit), NO_CONFIG)).toThrow(reason);
  });

  it('refuses a graph that does not fit its config.json', () => {
    expect(() => rewriteNetwork(file, readNetworkConfig({ num_hidden_layers: 5 }))).toThrow(
      /5 layers, the graph has 4/,
    );
  });
});

/** Other operators in the place of the first `count` of one kind. */
function replace(model: OnnxModel, operator: string, by: string, count = Infinity): void {
  let left = count;
  model.nodes = model.nodes.map((node) =>
    node.operator === operator && left-- > 0 ? { ...node, operator: by } : node,
  );
}

describe('sortNodes', () => {
  const modelOf = (...nodes: OnnxModel['nodes']): OnnxModel => ({ ...decodeModel(file), nodes });

  it('puts makers before readers and keeps the rest in order', () => {
    const model = modelOf(
      makeNode('C', ['b'], ['c']),
      makeNode('X', [], ['x']),
      makeNode('B', ['a'], ['b']),
      makeNode('A', [], ['a']),
    );
    sortNodes(model);
    expect(model.nodes.map(({ operator }) => operator)).toEqual(['A', 'B', 'C', 'X']);
  });

  it('counts what a branch reads from outside', () => {
    const branch = { ...makeNode('If', ['condition'], ['c']), captures: ['a'] };
    const model = modelOf(branch, makeNode('A', [], ['a']));
    sortNodes(model);
    expect(model.nodes.map(({ operator }) => operator)).toEqual(['A', 'If']);
  });

  it('refuses a cycle', () => {
    expect(() => sortNodes(modelOf(makeNode('A', ['b'], ['a']), makeNode('B', ['a'], ['b'])))).toThrow(/cycle/);
  });
});
