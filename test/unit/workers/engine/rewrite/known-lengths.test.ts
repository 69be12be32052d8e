import { describe, expect, it } from 'vitest';
import { kvCacheTensors, readNetworkConfig } from '../../../../../workers/engine/analysis/network-inputs.ts';
import { makeNode } from '../../../../../workers/engine/codec/graph-node.ts';
import { decodeModel, makeValueInfo, type OnnxModel } from '../../../../../workers/engine/codec/model-proto.ts';
import { ElementType, makeTensor, numbersOf } from '../../../../../workers/engine/codec/tensor-proto.ts';
import { createGraphBuilder } from '../../../../../workers/engine/rewrite/graph-builder.ts';
import { foldLengths, foldNumbers } from '../../../../../workers/engine/rewrite/known-lengths.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';
import { randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';

const { int64, float32 } = ElementType;
const RUN = { batch: 'batch', tokens: 'tokens', past: 'past', total: 'total' };
const { heads, headSize, width } = SMALL_SIZES;

/** A decoder with nodes that compute `result` from a tensor, which `reader` reads. */
function decoderWith(tensorIn: (model: OnnxModel) => string, nodes: (tensor: string) => Steps): OnnxModel {
  const model = decodeModel(buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 5)));
  for (const value of [-1, 0, 1, 2, 3]) {
    model.initialisers.set(`${value}`, makeTensor(`${value}`, int64, [], [value]));
    model.initialisers.set(`[${value}]`, makeTensor(`[${value}]`, int64, [1], [value]));
  }
  model.initialisers.set('end', makeTensor('end', int64, [], [2 ** 62 + 2 ** 60]));
  for (const [operator, inputs, output, attributes] of nodes(tensorIn(model)))
    model.nodes.push(makeNode(operator, inputs, [output], attributes));
  model.nodes.push(makeNode('ConstantOfShape', ['result'], ['reader']));
  model.outputs.push(makeValueInfo('reader', float32, [null]));
  return model;
}

type Steps = (readonly [string, string[], string, Record<string, number>?])[];

const cacheOf = (model: OnnxModel) => kvCacheTensors(model, readNetworkConfig(undefined));
const makerOf = ({ nodes }: OnnxModel, tensor = 'result') => nodes.find(({ outputs }) => outputs.includes(tensor));

/** One length of a tensor. */
const lengthAt =
  (axis: number) =>
  (tensor: string): Steps => [
    ['Shape', [tensor], 'lengths'],
    ['Gather', ['lengths', `${axis}`], 'result'],
  ];

/** Query heads: what is `[batch, tokens, heads, headSize]`, with two axes swapped. */
const queries = ({ nodes }: OnnxModel) =>
  nodes.find(({ operator, inputs }) => operator === 'Transpose' && isSplit(nodes, inputs[0]))?.outputs[0] ?? '';

const isSplit = (nodes: OnnxModel['nodes'], tensor = '') =>
  nodes.some(({ operator, outputs }) => operator === 'Reshape' && outputs[0] === tensor);

/** Hidden states after a layer. */
const states = ({ nodes }: OnnxModel) => nodes.findLast(({ operator }) => operator === 'Pow')?.inputs[0] ?? '';

describe('numbers that the file says', () => {
  const folded = (tensorIn: (model: OnnxModel) => string, nodes: (tensor: string) => Steps) => {
    const model = decoderWith(tensorIn, nodes);
    foldNumbers(model, cacheOf(model));
    const constant = model.initialisers.get('result');
    return { model, numbers: constant && numbersOf(constant), dimensions: constant?.dimensions };
  };

  it.each([
    [-1, headSize],
    [3, headSize],
    [1, heads],
  ])('are constants: axis %i of the queries', (axis, length) => {
    const { model, numbers } = folded(queries, lengthAt(axis));
    expect(numbers).toEqual([length]);
    expect(makerOf(model)).toBeUndefined();
  });

  it('are computed: half of a length, beside others', () => {
    const { numbers, dimensions } = folded(states, (tensor) => [
      ['Shape', [tensor], 'lengths'],
      ['Slice', ['lengths', '[2]', '[3]', '[0]'], 'last'],
      ['Squeeze', ['last', '[0]'], 'length'],
      ['Div', ['length', '2'], 'halved'],
      ['Cast', ['halved'], 'half', { to: int64 }],
      ['Unsqueeze', ['half', '[0]'], 'list'],
      ['Concat', ['list', '[-1]', 'last'], 'result', { axis: 0 }],
    ]);
    expect([numbers, dimensions]).toEqual([[width / 2, -1, width], [3]]);
  });

  it.each<[string, (tensor: string) => Steps]>([
    ['a length of the run', lengthAt(0)],
    ['a list with one', (tensor) => [['Shape', [tensor], 'result']]],
    [
      'arithmetic of floats',
      (tensor) => [
        ['Shape', [tensor], 'lengths'],
        ['Gather', ['lengths', '-1'], 'length'],
        ['Cast', ['length'], 'float', { to: float32 }],
        ['Div', ['float', 'float'], 'result'],
      ],
    ],
    ['a number that is not exact', () => [['Unsqueeze', ['end', '[0]'], 'result']]],
    [
      'a division by 0',
      (tensor) => [
        ['Shape', [tensor], 'lengths'],
        ['Gather', ['lengths', '-1'], 'length'],
        ['Div', ['length', '0'], 'result'],
      ],
    ],
  ])('are not: %s', (_, nodes) => {
    const { model, numbers } = folded(states, nodes);
    expect(numbers).toBeUndefined();
    expect(makerOf(model)).toBeDefined();
  });
});

describe('lengths of the run', () => {
  const folded = (tensorIn: (model: OnnxModel) => string, nodes: (tensor: string) => Steps) => {
    const model = decoderWith(tensorIn, nodes);
    foldLengths(createGraphBuilder(model), cacheOf(model), RUN);
    return model;
  };

  it.each([
    [queries, 0, 'batch'],
    [queries, 2, 'tokens'],
    [states, 1, 'tokens'],
    [() => 'present.0.key', 2, 'total'],
    [() => 'past_key_values.0.key', 2, 'past'],
    [() => 'attention_mask', 1, 'total'],
  ])('stand for those of tensors: %s, axis %i', (tensorIn, axis, length) => {
    const maker = makerOf(folded(tensorIn, lengthAt(axis)));
    expect([maker?.operator, maker?.inputs]).toEqual(['Squeeze', [length]]);
  });

  it('are joined to shapes, each of them once', () => {
    const model = folded(states, (tensor) => [
      ['Shape', [tensor], 'result'],
      ['Shape', [tensor], 'other'],
      ['ConstantOfShape', ['other'], 'second'],
    ]);
    const [list = ''] = makerOf(model, 'reader')?.inputs ?? [];
    expect(makerOf(model, 'second')?.inputs).toEqual([list]);
    expect(makerOf(model, list)?.inputs.slice(0, 2)).toEqual(['batch', 'tokens']);
  });

  it('are read from the tensor where they are not known', () => {
    const model = folded(states, (tensor) => [
      ['NonZero', [tensor], 'places'],
      ['Shape', ['places'], 'lengths'],
      ['Gather', ['lengths', '1'], 'result'],
    ]);
    expect(makerOf(model)?.operator).toBe('Gather');
  });
});
