import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  memoryOfPreset,
  PRESET_TASKS,
  MODEL_PRESETS,
} from '../../../../../src/pages/models/own/own-models-section.tsx';

const HUB = new URL('../../../../../../shared/data/hub/', import.meta.url);
const GUIDE = readFileSync(new URL('../../../../../docs/models.md', import.meta.url), 'utf8');
const GRAPHS = { fp32: 'model', fp16: 'model_fp16', q8: 'model_quantized', q4: 'model_q4', q4f16: 'model_q4f16' };

describe('models to start with', () => {
  it('are each named once, and each task has one', () => {
    expect(new Set(MODEL_PRESETS.map(({ id }) => id)).size).toBe(MODEL_PRESETS.length);
    for (const { id } of MODEL_PRESETS) expect(id).toMatch(/^[\w.-]+\/[\w.-]+$/);
    for (const task of PRESET_TASKS) expect(MODEL_PRESETS.some((preset) => preset.task === task)).toBe(true);
  });

  it('are of families whose graphs are rewritten', () => {
    for (const { id, family } of MODEL_PRESETS)
      expect(GUIDE, id).toMatch(new RegExp(`^\\| \`${family}\` +\\| steered`, 'm'));
  });

  // The folders are not everywhere.
  it.skipIf(!existsSync(HUB))('have the sizes that the hub’s own pointers say', () => {
    for (const { id, bytes } of MODEL_PRESETS)
      for (const [dtype, size] of Object.entries(bytes)) {
        const graph = GRAPHS[dtype as keyof typeof GRAPHS];
        const paths = [graph, graph.replace('model', 'decoder_model_merged')].map(
          (name) => new URL(`${id}/onnx/${name}.onnx`, HUB),
        );
        const pointer = paths.find((path) => existsSync(path));
        expect(pointer && readFileSync(pointer, 'utf8'), `${id}, ${dtype}`).toContain(`size ${size}`);
      }
  });

  it('need the memory of their weights in 32-bit floats; where no size is known, none is said', () => {
    const known = MODEL_PRESETS.find(({ id }) => id === 'Xenova/all-MiniLM-L6-v2');
    expect(known && memoryOfPreset(known)).toBeGreaterThan(known?.bytes.q8 ?? Infinity);
    const unknown = MODEL_PRESETS.find(({ bytes }) => Object.keys(bytes).length === 0);
    expect(unknown && memoryOfPreset(unknown)).toBeNull();
  });
});
