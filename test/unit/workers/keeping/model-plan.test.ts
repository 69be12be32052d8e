import { describe, expect, it } from 'vitest';
import { entryName, textOfEntry } from '../../../../src/protocol/keeping/kept-model.ts';
import { planModel } from '../../../../workers/keeping/hub/model-plan.ts';

const ADDRESS = { hub: 'https://hub', id: 'o/m', revision: 'main', subfolder: '', dtype: null, token: null } as const;

const repository = (sizes: Readonly<Record<string, number>>) => ({
  commit: 'c0ffee',
  licence: 'mit',
  files: Object.entries(sizes).map(([path, bytes]) => ({ path, bytes, sha256: null, gitHash: null })),
});

const SMALL = { 'config.json': 1, 'tokenizer.json': 1, '1_Pooling/config.json': 1, 'README.md': 1, LICENSE: 1 };

describe('planModel', () => {
  it('fetches one weight type with its data, and the small files; nothing of other frameworks', () => {
    const found = planModel(
      ADDRESS,
      repository({
        ...SMALL,
        ...{
          'onnx/model.onnx': 10,
          'onnx/model.onnx_data': 100,
          'onnx/model_q4.onnx': 5,
          'onnx/model_q4.onnx_data': 5,
        },
        ...{ 'model.safetensors': 100, 'pytorch_model.bin': 100, 'tf_model.h5': 1 },
      }),
    );
    expect(found.plan.files.map(({ path }) => path)).toEqual([
      ...Object.keys(SMALL),
      ...['onnx/model.onnx', 'onnx/model.onnx_data'],
    ]);
    expect(found).toMatchObject({ dtype: 'fp32', bytes: 115, plan: { name: 'o/m', from: { licence: 'mit' } } });
    expect(found.choices.map(({ dtype }) => dtype)).toEqual(['fp32', 'q4']);
    expect(found.plan.files[0]?.url).toBe('https://hub/o/m/resolve/c0ffee/config.json');
  });

  it('chooses smaller weights where the exact ones are large, and names what was chosen instead', () => {
    const large = repository({ ...SMALL, 'onnx/model.onnx': 3e9, 'onnx/model_q4.onnx': 5e8 });
    expect(planModel(ADDRESS, large)).toMatchObject({ dtype: 'q4', plan: { name: 'o/m' } });
    expect(planModel({ ...ADDRESS, dtype: 'fp32' }, large).plan.name).toBe('o/m (fp32)');
    expect(planModel({ ...ADDRESS, revision: 'v1' }, large).plan.name).toBe('o/m@v1');
  });

  it('fetches the graph that reads beside the one that writes, and no other of a network with both', () => {
    const pair = repository({
      ...SMALL,
      ...{ 'onnx/encoder_model.onnx': 10, 'onnx/decoder_model_merged.onnx': 20, 'onnx/decoder_model.onnx': 20 },
      ...{ 'onnx/decoder_with_past_model.onnx': 20, 'onnx/encoder_model_quantized.onnx': 3 },
    });
    const { plan } = planModel(ADDRESS, pair);
    expect(plan.files.map(({ path }) => path).filter((path) => path.startsWith('onnx/'))).toEqual([
      ...['onnx/encoder_model.onnx', 'onnx/decoder_model_merged.onnx'],
    ]);
  });

  it('takes a folder of a repository for a model', () => {
    const inside = repository({ 'a/config.json': 1, 'a/onnx/model.onnx': 1, 'config.json': 1 });
    const { plan } = planModel({ ...ADDRESS, subfolder: 'a' }, inside);
    expect(plan).toMatchObject({ name: 'o/m/a', files: [{ path: 'config.json' }, { path: 'onnx/model.onnx' }] });
    expect(plan.files[1]?.url).toBe('https://hub/o/m/resolve/c0ffee/a/onnx/model.onnx');
  });

  it('says which weight types are there', () =>
    expect(() => planModel({ ...ADDRESS, dtype: 'q8' }, repository({ 'onnx/model.onnx': 1 }))).toThrow(
      'o/m: expected onnx/model_quantized.onnx, got fp32',
    ));
});

it.each(['o/m', '..', '.hidden', 'a b (q4)', 'ä/…'])('the entry of %s is no path, and stands for it', (text) => {
  expect(entryName(text)).not.toMatch(/[/\\]|^\./);
  expect(textOfEntry(entryName(text))).toBe(text);
});
