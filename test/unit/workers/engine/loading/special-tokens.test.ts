import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Model } from '../../../../../src/models/model.ts';
import { loadFiles } from '../../../../../workers/engine/loading/model-files.ts';

const FOLDER = new URL('../../../../../public/models/lightwell-embed/', import.meta.url);

/** The texts of special tokens that a folder with these two files gives to its template. */
async function marksOf(tokenizerConfig: object, map: object) {
  const copied = ['config.json', 'tokenizer.json', 'onnx/model.onnx'];
  const json = (value: object) => new Blob([JSON.stringify(value)]);
  const held: Record<string, Blob> = {
    'tokenizer_config.json': json(tokenizerConfig),
    'special_tokens_map.json': json(map),
  };
  for (const path of copied) held[path] = new Blob([await readFile(new URL(path, FOLDER))]);
  const model: Model = {
    name: 'm',
    version: 'm',
    description: '',
    folder: 'held:',
    dtype: 'fp32',
    contextTokens: 64,
    capabilities: ['explain'],
    held,
    files: Object.fromEntries(Object.entries(held).map(([path, { size }]) => [path, { bytes: size }])),
  };
  return (await loadFiles(model, () => undefined)).generation?.marks;
}

it('names special tokens that special_tokens_map.json alone has', async () => {
  const map = { bos_token: '<s>', eos_token: { content: '</s>', lstrip: false } };
  expect(await marksOf({ bos_token: null }, map)).toMatchObject({ bos_token: '<s>', eos_token: '</s>', pad_token: '' });
});

it('prefers those of tokenizer_config.json', async () => {
  expect(await marksOf({ bos_token: '<bos>' }, { bos_token: '<s>' })).toMatchObject({ bos_token: '<bos>' });
});
