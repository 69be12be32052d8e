import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../../../src/contract/failure.ts';
import { decodeModel, encodeSkeleton } from '../../../../../workers/engine/codec/model-proto.ts';
import { numbersOf } from '../../../../../workers/engine/codec/tensor-proto.ts';
import { randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';

const weights = randomWeights(SMALL_SIZES, 5);
const file = buildDecoder(SMALL_SIZES, weights);

describe('an ONNX file', () => {
  it('is decoded with its inputs, outputs and constants', () => {
    const model = decodeModel(file);
    expect(model.operatorSets).toEqual(new Map([['', 17]]));
    expect(model.inputs.slice(0, 3).map(({ name }) => name)).toEqual(['input_ids', 'attention_mask', 'position_ids']);
    expect(model.inputs[3]).toMatchObject({ type: 1, dimensions: ['batch_size', 2, 'past_sequence_length', 8] });
    const embedding = model.initialisers.get('embedding');
    expect(embedding?.dimensions).toEqual([SMALL_SIZES.vocabulary, SMALL_SIZES.width]);
    expect(embedding && numbersOf(embedding)).toEqual([...weights.embedding]);
  });

  it('is the same after decoding and encoding', () => {
    const once = decodeModel(file);
    const twice = decodeModel(encodeSkeleton({ ...once, initialisers: new Map() }, 'file'));
    expect(twice.nodes).toEqual(once.nodes);
    expect(twice.inputs).toEqual(once.inputs);
    expect(twice.outputs).toEqual(once.outputs);
  });

  it('becomes a skeleton that refers to the weights in the file', () => {
    const skeleton = encodeSkeleton(decodeModel(file), 'original.onnx');
    expect(skeleton.length).toBeLessThan(file.length / 4);
    const tensor = decodeModel(skeleton).initialisers.get('embedding');
    const { location, offset = 0, byteCount = 0 } = tensor?.external ?? {};
    expect(location).toBe('original.onnx');
    expect([...new Float32Array(file.slice(offset, offset + byteCount).buffer)]).toEqual([...weights.embedding]);
  });

  it('keeps references to data files where they are', () => {
    const outer = decodeModel(encodeSkeleton(decodeModel(file), 'model.onnx_data'));
    const again = decodeModel(encodeSkeleton(outer, 'skeleton'));
    expect(again.initialisers.get('embedding')?.external?.location).toBe('model.onnx_data');
  });

  it.each([
    ['a page of HTML', new TextEncoder().encode('<!doctype html><title>Not found</title>')],
    ['an empty file', new Uint8Array(0)],
    ['the first half of a file', file.subarray(0, file.length / 2)],
  ])('is not %s', (_, bytes) => {
    expect(() => decodeModel(bytes)).toThrow(FailureError);
    expect(() => decodeModel(bytes)).toThrow(/not an ONNX file/);
  });
});
