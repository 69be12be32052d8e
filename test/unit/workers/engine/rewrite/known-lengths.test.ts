import { describe, expect, it } from 'vitest';
import { kvCacheTensors, readNetworkConfig } from '../../../../../workers/engine/analysis/network-inputs.ts';
import { makeNode } from '../../../../../workers/engine/codec/graph-node.ts';
import { decodeModel, type OnnxModel } from '../../../../../workers/engine/codec/model-proto.ts';
import { ElementType, makeTensor, numbersOf } from '../../../../../workers/engine/codec/tensor-proto.ts';
import { createGraphBuilder } from '../../../../../workers/engine/rewrite/graph-builder.ts';
import { foldLengths } from '../../../../../workers/engine/rewrite/known-lengths.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';
import { randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';

const RUN = { batch: 'batch', tokens: 'tokens', past: 'past', total: 'total' };
const { heads, headSize } = SMALL_SIZES;

/** A decoder that reads one length of a tensor, with the known ones put in. */
function folded(tensorIn: (model: OnnxModel) => string, axis: number): OnnxModel {
  const model = decodeModel(buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 5)));
  model.initialisers.set('axis', makeTensor('axis', ElementType.int64, [], [axis]));
  model.nodes.push(
    makeNode('Shape', [tensorIn(model)], ['lengths']),
    makeNode('Gather', ['lengths', 'axis'], ['length']),
  );
  foldLengths(createGraphBuilder(model), kvCacheTensors(model, readNetworkConfig(undefined)), RUN);
  return model;
}

const makerOf = ({ nodes }: OnnxModel) => nodes.find(({ outputs }) => outputs.includes('length'));

/** Query heads: what is `[batch, tokens, heads, headSize]`, with two axes swapped. */
const queries = ({ nodes }: OnnxModel) =>
  nodes.find(({ operator, inputs }) => operator === 'Transpose' && isSplit(nodes, inputs[0]))?.outputs[0] ?? '';

const isSplit = (nodes: OnnxModel['nodes'], tensor = '') =>
  nodes.some(({ operator, outputs }) => operator === 'Reshape' && outputs[0] === tensor);

describe('lengths that the file says', () => {
  it.each([
    [-1, headSize],
    [3, headSize],
    [1, heads],
  ])('are constants: axis %i of the queries', (axis, length) => {
    const model = folded(queries, axis);
    const constant = model.initialisers.get('length');
    expect(constant && numbersOf(constant)).toEqual([length]);
    expect(makerOf(model)).toBeUndefined();
  });

  it('are those of the run for the keys', () => {
    const maker = makerOf(folded(() => 'present.0.key', 2));
    expect([maker?.operator, maker?.inputs]).toEqual(['Squeeze', ['total']]);
  });

  it.each([
    [queries, 2],
    [queries, 0],
    [() => 'present.0.key', 0],
  ])('are read from the tensor where they are not known', (tensorIn, axis) => {
    expect(makerOf(folded(tensorIn, axis))?.operator).toBe('Gather');
  });
});
