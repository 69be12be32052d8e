import { describe, expect, it } from 'vitest';
import { kvCacheTensors, readNetworkConfig } from '../../../../../workers/engine/analysis/network-inputs.ts';
import { decodeModel } from '../../../../../workers/engine/codec/model-proto.ts';
import { stepGraph } from '../../../../../workers/engine/session/plain-steps.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';
import { type DecoderSizes, randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';

function graphOf(sizes: DecoderSizes) {
  const file = buildDecoder(sizes, randomWeights(sizes, 5));
  const original = decodeModel(file);
  const lean = stepGraph(file, kvCacheTensors(original, readNetworkConfig(undefined)));
  return { original, lean: lean && decodeModel(lean) };
}

const countOf = ({ nodes }: Pick<ReturnType<typeof decodeModel>, 'nodes'>, operator: string) =>
  nodes.filter((node) => node.operator === operator).length;

describe('the graph of a step', () => {
  it('repeats no keys and values', () => {
    const { original, lean } = graphOf(SMALL_SIZES);
    expect(countOf(original, 'Expand')).toBe(2 * SMALL_SIZES.layers);
    expect(lean && countOf(lean, 'Expand')).toBe(0);
    expect(lean && countOf(lean, 'MatMul')).toBe(countOf(original, 'MatMul'));
  });

  it('has the inputs and outputs of the file', () => {
    const { original, lean } = graphOf(SMALL_SIZES);
    expect(lean?.inputs.map(({ name }) => name)).toEqual(original.inputs.map(({ name }) => name));
    expect(lean?.outputs.map(({ name }) => name)).toEqual(original.outputs.map(({ name }) => name));
  });

  it('is not made where each query head has a key head of its own', () => {
    expect(graphOf({ ...SMALL_SIZES, keyHeads: SMALL_SIZES.heads }).lean).toBeUndefined();
  });
});
