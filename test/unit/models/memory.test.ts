import { describe, expect, it } from 'vitest';
import { memoryOf, neededBytes, weightBytes } from '../../../src/models/model.ts';

const FILES = {
  'config.json': 1_000,
  'onnx/model.onnx': 400,
  'onnx/model.onnx_data': 4_000,
  'onnx/model.onnx_data_1': 40_000,
  'onnx/model_fp16.onnx': 200,
  'onnx/model_q4.onnx': 100,
  'onnx/model_q4f16.onnx': 80,
  'onnx/model_quantized.onnx': 150,
  'onnx/model_int8.onnx': 151,
  'onnx/embed_tokens_q4.onnx': 10,
};

describe('memory of a model', () => {
  it.each([
    ['fp32', 44_400],
    ['fp16', 200],
    ['q4', 110],
    ['q4f16', 80],
    ['q8', 150],
  ] as const)('%s counts its graphs and their data alone', (dtype, bytes) => {
    expect(weightBytes(FILES, dtype)).toBe(bytes);
  });

  it('is not known where files are not', () => {
    expect(neededBytes({ dtype: 'fp32' })).toBeUndefined();
    expect(neededBytes({ dtype: 'fp32', files: { 'config.json': { bytes: 5 } } })).toBeUndefined();
  });

  it('is that of the files that the page holds, where it holds them', () => {
    const held = { 'onnx/model.onnx': new Blob([new Uint8Array(1_000)]) };
    expect(neededBytes({ dtype: 'fp32', held, files: {} })).toBe(memoryOf(1_000));
    expect(memoryOf(1_000)).toBeGreaterThan(1_000);
  });
});
