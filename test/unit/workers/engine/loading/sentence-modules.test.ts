import { describe, expect, it } from 'vitest';
import { readSentenceModules } from '../../../../../workers/engine/loading/sentence-modules.ts';
import { safetensors } from '../../../../support/files/safetensors.ts';

const module = (type: string, path = '') => ({ path, type: `sentence_transformers.models.${type}` });
const BASE = [module('Transformer'), module('Pooling', '1_Pooling')];
const MEAN = { pooling_mode_cls_token: false, pooling_mode_mean_tokens: true };
const DENSE = { in_features: 2, out_features: 2, bias: true, activation_function: 'torch.nn.modules.activation.Tanh' };
const LINEAR = safetensors({
  'linear.weight': { shape: [2, 2], values: [1, 0, 0, 1] },
  'linear.bias': { shape: [2], values: [0.5, 0] },
});

const read = (json: Readonly<Record<string, unknown>>, bytes = LINEAR) =>
  readSentenceModules({ json: async (path) => json[path], bytes: async () => bytes });

describe('readSentenceModules', () => {
  it('knows nothing of a folder without modules.json', async () => {
    expect(await read({})).toBeUndefined();
  });

  it('reads pooling and normalisation', async () => {
    const folder = { 'modules.json': [...BASE, module('Normalize', '2_Normalize')], '1_Pooling/config.json': MEAN };
    expect(await read(folder)).toEqual({
      poolings: [{ modes: ['mean'], countsPrompt: true, output: 'sentence_embedding' }],
      steps: ['normalize'],
    });
  });

  it.each([
    [{ pooling_mode_cls_token: true }, ['cls']],
    [{ pooling_mode_lasttoken: true, include_prompt: false }, ['last_token']],
    [{ pooling_mode_mean_tokens: true, pooling_mode_max_tokens: true }, ['max', 'mean']],
    [{ pooling_mode: 'lasttoken' }, ['last_token']],
    [{ pooling_mode: ['cls', 'mean'] }, ['cls', 'mean']],
  ])('reads the modes of %j', async (config, modes) => {
    const found = await read({ 'modules.json': BASE, '1_Pooling/config.json': config });
    expect(found?.poolings).toMatchObject([{ modes, countsPrompt: !('include_prompt' in config) }]);
  });

  it('reads two poolings, one of them for queries', async () => {
    const found = await read({
      'modules.json': [...BASE, module('Pooling', '2_Pooling')],
      '1_Pooling/config.json': { pooling_mode_cls_token: true, output_key: 'sentence_embedding' },
      '2_Pooling/config.json': { ...MEAN, output_key: 'query_embedding' },
    });
    expect(found?.poolings.map(({ output, modes }) => [output, ...modes])).toEqual([
      ['sentence_embedding', 'cls'],
      ['query_embedding', 'mean'],
    ]);
  });

  it('reads a dense layer with its weights', async () => {
    const found = await read({
      'modules.json': [...BASE, module('Dense', '2_Dense')],
      '1_Pooling/config.json': MEAN,
      '2_Dense/config.json': DENSE,
    });
    const [dense] = found?.steps ?? [];
    if (dense === undefined || dense === 'normalize') throw new Error('no dense layer');
    expect([...dense.weights]).toEqual([1, 0, 0, 1]);
    expect([...dense.bias]).toEqual([0.5, 0]);
    expect(dense.activation(1)).toBe(Math.tanh(1));
  });

  it.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['modules that are no list', { 'modules.json': {} }, /^modules.json: expected a list of modules, got \{\}/],
    ['no pooling', { 'modules.json': [module('Transformer')] }, /^modules.json: expected a module Pooling/],
    ['a module without a type', { 'modules.json': [{}] }, /^modules.json\[0\].type: expected a text, got nothing/],
    [
      'a module of another kind',
      { 'modules.json': [...BASE, module('WordWeights')], '1_Pooling/config.json': MEAN },
      /^modules.json\[2\].type: expected .*, got "WordWeights"/,
    ],
    [
      'a module outside the folder',
      { 'modules.json': [module('Transformer'), module('Pooling', '../other')] },
      /^modules.json\[1\].path: expected a folder beside it, got "..\/other"/,
    ],
    ['a pooling that is missing', { 'modules.json': BASE }, /^1_Pooling\/config.json: modules.json names it/],
    [
      'a pooling without a mode',
      { 'modules.json': BASE, '1_Pooling/config.json': { word_embedding_dimension: 4 } },
      /^1_Pooling\/config.json: pooling_mode_\*: expected one that is true/,
    ],
    [
      'a mode that is not known',
      { 'modules.json': BASE, '1_Pooling/config.json': { pooling_mode: 'median' } },
      /^1_Pooling\/config.json: pooling_mode: expected .*, got "median"/,
    ],
    [
      'an activation that is not known',
      {
        'modules.json': [...BASE, module('Dense', '2_Dense')],
        '1_Pooling/config.json': MEAN,
        '2_Dense/config.json': { activation_function: 'torch.nn.Softplus' },
      },
      /^2_Dense\/config.json: activation_function: expected .*, got "torch.nn.Softplus"/,
    ],
  ])('refuses %s, naming file and field', async (_, folder, reason) => {
    await expect(read(folder)).rejects.toMatchObject({
      failure: { code: 'MODEL_UNAVAILABLE', message: expect.stringMatching(reason) },
    });
  });
});
