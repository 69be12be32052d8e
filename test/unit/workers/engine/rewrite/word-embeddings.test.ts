import { describe, expect, it } from 'vitest';
import { randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';
import { ElementType } from '../../../../../workers/engine/codec/tensor-proto.ts';
import {
  decodeModel,
  encodeSkeleton,
  makeValueInfo,
  type OnnxModel,
} from '../../../../../workers/engine/codec/model-proto.ts';
import { readNetworkConfig } from '../../../../../workers/engine/analysis/network-inputs.ts';
import { namedEmbeddings } from '../../../../../workers/engine/rewrite/exported-forms.ts';
import { rewriteNetwork } from '../../../../../workers/engine/rewrite/plan-network.ts';
import { TENSORS } from '../../../../../workers/engine/tensor-names.ts';

const file = buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 5), 'inputs_embeds');
const NO_CONFIG = readNetworkConfig(undefined);

/** The file with the input `inputs_embeds` replaced or joined by another. */
function edited(edit: (model: OnnxModel) => void): Uint8Array {
  const model = decodeModel(file);
  edit(model);
  return encodeSkeleton(model, 'file');
}

const embeddings = (type: number, dimensions: (string | number)[]) => (model: OnnxModel) =>
  void (model.inputs = model.inputs.map((input) =>
    input.name === 'inputs_embeds' ? makeValueInfo('inputs_embeds', type, dimensions) : input,
  ));

describe('a network that is fed embeddings', () => {
  it('has layers, states and a head like any other', () => {
    const plan = rewriteNetwork(file, NO_CONFIG);
    expect(plan).toMatchObject({ layers: 4, hasHead: true, sharesIds: true, precision: 'float32' });
    expect(plan.inputs.map(({ name, role }) => [name, role])).toContainEqual([TENSORS.embeddings, 'embeddings']);
  });

  it('takes float32, whatever it computes in', () => {
    const model = decodeModel(edited(embeddings(ElementType.float16, ['batch', 'tokens', 32])));
    namedEmbeddings(model);
    expect(model.inputs[0]).toMatchObject({ name: TENSORS.embeddings, type: ElementType.float32 });
    expect(model.nodes[0]).toMatchObject({
      operator: 'Cast',
      inputs: [TENSORS.embeddings],
      outputs: ['inputs_embeds'],
    });
    expect(model.nodes[0]?.attributes.get('to')).toBeDefined();
  });

  it.each<readonly [string, (model: OnnxModel) => void, RegExp]>([
    [
      'ids beside embeddings',
      (model) => void model.inputs.push(makeValueInfo('input_ids', ElementType.int64, ['batch', 'tokens'])),
      /token ids and embeddings at once/,
    ],
    [
      'neither',
      (model) => void (model.inputs = model.inputs.filter(({ name }) => name !== 'inputs_embeds')),
      /no input "input_ids" and no "inputs_embeds"/,
    ],
    ['whole numbers', embeddings(ElementType.int64, ['batch', 'tokens', 32]), /element type 7, expected floats/],
    ['rows without sequences', embeddings(ElementType.float32, ['rows', 32]), /has 2 axes/],
  ])('refuses %s', (_, edit, reason) => {
    expect(() => rewriteNetwork(edited(edit), NO_CONFIG)).toThrow(reason);
  });
});
