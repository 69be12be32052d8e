import { describe, expect, it } from 'vitest';
import { kvCacheTensors, readNetworkConfig } from '../../../../../workers/engine/analysis/network-inputs.ts';
import { makeNode } from '../../../../../workers/engine/codec/graph-node.ts';
import { decodeModel, makeValueInfo, type OnnxModel } from '../../../../../workers/engine/codec/model-proto.ts';
import { ElementType, makeTensor } from '../../../../../workers/engine/codec/tensor-proto.ts';
import { groupHeads } from '../../../../../workers/engine/rewrite/group-heads.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';
import { type DecoderSizes, randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';

const CONFIG = readNetworkConfig(undefined);
const fileOf = (sizes: DecoderSizes) => buildDecoder(sizes, randomWeights(sizes, 5));

function grouped(edit: (model: OnnxModel) => void): OnnxModel {
  const model = decodeModel(fileOf(SMALL_SIZES));
  edit(model);
  groupHeads(model, kvCacheTensors(model, CONFIG));
  return model;
}

const nodesOf = ({ nodes }: OnnxModel, operator: string) => nodes.filter((node) => node.operator === operator);
const countOf = (model: OnnxModel, operator: string) => nodesOf(model, operator).length;
const makerOf = ({ nodes }: OnnxModel, tensor = '') => nodes.find(({ outputs }) => outputs.includes(tensor));

describe('query heads that share a key head', () => {
  it('read keys and values that are not repeated', () => {
    const model = grouped(() => undefined);
    const original = decodeModel(fileOf(SMALL_SIZES));
    expect(countOf(original, 'Expand')).toBe(2 * SMALL_SIZES.layers);
    expect(countOf(model, 'Expand')).toBe(0);
    expect(countOf(model, 'MatMul')).toBe(countOf(original, 'MatMul'));
  });

  it('read keys that are scaled by a number, where lengths of −1 are replaced', () => {
    const model = grouped((model) => {
      model.initialisers.set('one', makeTensor('one', ElementType.int64, [1], [1]));
      for (const { inputs, outputs } of nodesOf(model, 'Expand')) {
        const [isOpen, lengths] = [`${outputs[0]}/open`, `${outputs[0]}/lengths`];
        model.nodes.push(makeNode('Less', [inputs[1] ?? '', 'one'], [isOpen]));
        model.nodes.push(makeNode('Where', [isOpen, 'one', inputs[1] ?? ''], [lengths]));
        inputs[1] = lengths;
      }
      model.initialisers.set('root', makeTensor('root', ElementType.float32, [], [0.5]));
      for (const turned of nodesOf(model, 'Transpose').filter(({ outputs }) => isRead(model, outputs[0], 1))) {
        const [output = ''] = turned.outputs;
        turned.outputs[0] = `${output}/turned`;
        model.nodes.push(makeNode('Mul', [`${output}/turned`, 'root'], [output]));
      }
    });
    expect(countOf(model, 'Expand')).toBe(0);
    const scaled = nodesOf(model, 'Mul').filter(({ inputs }) => inputs[1] === 'root');
    expect(scaled).toHaveLength(SMALL_SIZES.layers);
    const turned = makerOf(model, scaled[0]?.inputs[0]);
    expect([turned?.operator, turned?.inputs[0]]).toEqual(['Transpose', 'present.0.key']);
  });

  it('have the lengths of what is not repeated, but for the number of heads', () => {
    const withLength = (axis: number) => (model: OnnxModel) => {
      const [repeated = ''] = makerOf(model, nodesOf(model, 'Expand')[0]?.outputs[0])?.outputs ?? [];
      const joined = model.nodes.find(({ operator, inputs }) => operator === 'Reshape' && inputs[0] === repeated);
      model.initialisers.set('axis', makeTensor('axis', ElementType.int64, [], [axis]));
      model.nodes.push(makeNode('Shape', joined?.outputs ?? [], ['lengths']));
      model.nodes.push(makeNode('Gather', ['lengths', 'axis'], ['length']));
      model.outputs.push(makeValueInfo('length', ElementType.int64, []));
    };
    expect(makerOf(grouped(withLength(-2)), 'lengths')?.inputs).toEqual(['present.0.key']);
    expect(countOf(grouped(withLength(-2)), 'Expand')).toBe(0);
    expect(countOf(grouped(withLength(1)), 'Expand')).toBe(1);
  });

  it('stay as they are where the file does not say how many share a key head', () => {
    const model = grouped((model) => {
      const group = SMALL_SIZES.heads / SMALL_SIZES.keyHeads;
      model.nodes.push(makeNode('Neg', ['minus'], ['computed']));
      model.initialisers.set('minus', makeTensor('minus', ElementType.int64, [1], [-group]));
      for (const { inputs } of nodesOf(model, 'Concat')) if (inputs.length === 5) inputs[2] = 'computed';
    });
    expect(countOf(model, 'Expand')).toBe(2 * SMALL_SIZES.layers);
  });

  it('stay as they are where small constants are stored outside the file', () => {
    const model = grouped((model) => {
      const [expand] = nodesOf(model, 'Expand');
      const shape = makerOf(model, expand?.inputs[1]);
      for (const name of shape?.inputs ?? []) {
        const constant = model.initialisers.get(name);
        if (constant)
          model.initialisers.set(name, { ...constant, external: { location: 'weights.bin', offset: 0, byteCount: 8 } });
      }
    });
    expect(countOf(model, 'Expand')).toBe(2 * SMALL_SIZES.layers);
  });
});

/** Whether a product reads a tensor at that place. */
function isRead({ nodes }: OnnxModel, tensor = '', at: number): boolean {
  return nodes.some(({ operator, inputs }) => operator === 'MatMul' && inputs[at] === tensor);
}
