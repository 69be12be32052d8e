import { describe, expect, it } from 'vitest';
import { kvCacheTensors, readNetworkConfig } from '../../../../../workers/engine/analysis/network-inputs.ts';
import {
  decodeModel,
  encodeSkeleton,
  makeValueInfo,
  type OnnxModel,
} from '../../../../../workers/engine/codec/model-proto.ts';
import { makeNode } from '../../../../../workers/engine/codec/graph-node.ts';
import { ElementType, makeTensor } from '../../../../../workers/engine/codec/tensor-proto.ts';
import { simplify } from '../../../../../workers/engine/rewrite/exported-forms.ts';
import { FUSED_FORM } from '../../../../../workers/engine/rewrite/fused-form.ts';
import { rewriteNetwork } from '../../../../../workers/engine/rewrite/plan-network.ts';
import { stepGraph } from '../../../../../workers/engine/session/plain-steps.ts';
import { trace } from '../../../../support/onnx/changed/traced.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';
import { randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';

const CONFIG = readNetworkConfig(undefined);
const SIZES = { ...SMALL_SIZES, keyHeads: SMALL_SIZES.heads };
const { layers } = SIZES;

function decoder(edit: (model: OnnxModel) => void = () => undefined, sizes = SIZES): OnnxModel {
  const model = decodeModel(buildDecoder(sizes, randomWeights(sizes, 5)));
  edit(model);
  return model;
}

const simplified = (model: OnnxModel, fused?: typeof FUSED_FORM) => {
  simplify(model, CONFIG, fused);
  return model;
};

const countOf = ({ nodes }: OnnxModel, ...operators: string[]) =>
  nodes.filter(({ operator }) => operators.includes(operator)).length;

describe('a traced network', () => {
  it('is recognised on a processor', () => {
    expect(countOf(decoder(trace), 'Neg')).toBe(2 * layers);
    const model = simplified(decoder(trace));
    expect(countOf(model, 'RotaryEmbedding')).toBe(2 * layers);
    expect(countOf(model, 'Neg')).toBe(0);
  });

  it('is recognised on a GPU as one with constants is', () => {
    const [plain, other] = [decoder(), decoder(trace)].map((model) => simplified(model, FUSED_FORM));
    const counts = (model = decoder()) =>
      ['RotaryEmbedding', 'SkipSimplifiedLayerNormalization', 'QuickGelu'].map((operator) => countOf(model, operator));
    expect(counts(other)).toEqual(counts(plain));
    expect(counts(other)).toEqual([2 * layers, 2 * layers - 1, layers]);
  });

  it('reads no more lengths than one with constants', () => {
    const file = encodeSkeleton(decoder(trace), 'none');
    const { skeleton, sharesIds } = rewriteNetwork(file, CONFIG);
    const untraced = rewriteNetwork(encodeSkeleton(decoder(), 'none'), CONFIG);
    const count = (bytes: Uint8Array) => countOf(decodeModel(bytes), 'Shape', 'Gather');
    expect(count(skeleton)).toBe(count(untraced.skeleton));
    expect(sharesIds).toBe(true);
  });
});

describe('operators that change nothing', () => {
  const withCast =
    (to: number, isResult = false) =>
    (model: OnnxModel) => {
      const first = model.nodes.find(({ operator }) => operator === 'Pow');
      const [x = ''] = first?.inputs ?? [];
      model.nodes.push(makeNode('Cast', [x], ['cast'], { to }));
      model.nodes.push(makeNode('Exp', ['cast'], ['result']));
      model.outputs.push(makeValueInfo(isResult ? 'cast' : 'result', to, [null]));
    };

  it('are dropped', () => {
    const casts = countOf(simplified(decoder()), 'Cast');
    expect(countOf(simplified(decoder(withCast(ElementType.float32))), 'Cast')).toBe(casts);
  });

  it('are dropped: zeros for attention that is not a number', () => {
    const guarded = decoder((model) => {
      model.initialisers.set('zero', makeTensor('zero', ElementType.float32, [1], [0]));
      for (const { outputs } of model.nodes.filter(({ operator }) => operator === 'Softmax')) {
        const [weights = ''] = outputs;
        outputs[0] = `${weights}/own`;
        model.nodes.push(makeNode('IsNaN', [outputs[0]], [`${weights}/nan`]));
        model.nodes.push(makeNode('Where', [`${weights}/nan`, 'zero', outputs[0]], [weights]));
      }
    });
    const plain = countOf(simplified(decoder()), 'Where');
    expect(countOf(simplified(guarded), 'Where')).toBe(plain);
  });

  it.each([
    ['of another type', withCast(ElementType.float16)],
    ['that are results', withCast(ElementType.float32, true)],
  ])('stay: casts %s', (_, edit) => {
    const casts = countOf(simplified(decoder()), 'Cast');
    expect(countOf(simplified(decoder(edit)), 'Cast')).toBe(casts + 1);
  });
});

describe('the graph of a step', () => {
  it('has the inputs and outputs of the file, in fewer operators', () => {
    const file = encodeSkeleton(decoder(undefined, SMALL_SIZES), 'none');
    const original = decodeModel(file);
    const model = decodeModel(stepGraph(file, kvCacheTensors(original, CONFIG)));
    const names = ({ inputs, outputs }: OnnxModel) => [...inputs, ...outputs].map(({ name }) => name);
    expect(names(model)).toEqual(names(original));
    expect(model.nodes.length).toBeLessThan(original.nodes.length);
  });
});
