import { describe, expect, it } from 'vitest';
import { memoryOf, neededBytes } from '../../../src/models/model.ts';

describe('memory of a model', () => {
  it('is that of its weights as they are computed', () => {
    const weights = { kind: 'q4', fileBytes: 100, computedBytes: 800 };
    expect(neededBytes({ weights, files: { 'onnx/model_q4.onnx': { bytes: 100 } } })).toBe(memoryOf(800));
  });

  it('is that of its graphs and their data where the weights are not known', () => {
    const files = {
      'config.json': { bytes: 5 },
      'onnx/model.onnx': { bytes: 400 },
      'onnx/model.onnx_data': { bytes: 4_000 },
    };
    expect(neededBytes({ files })).toBe(memoryOf(4_400));
  });

  it('is not known where files are not', () => {
    expect(neededBytes({})).toBeUndefined();
    expect(neededBytes({ files: { 'config.json': { bytes: 5 } } })).toBeUndefined();
  });

  it('is that of the files that the page holds, where it holds them', () => {
    const held = { 'onnx/model.onnx': new Blob([new Uint8Array(1_000)]) };
    expect(neededBytes({ held, files: {} })).toBe(memoryOf(1_000));
    expect(memoryOf(1_000)).toBeGreaterThan(1_000);
  });
});
