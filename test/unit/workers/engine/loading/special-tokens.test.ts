import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { loadFiles } from '../../../../../workers/engine/loading/model-files.ts';
import { heldModel } from '../../../../support/fakes/jobs.ts';

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
  return (await loadFiles(heldModel(held), () => undefined)).generation?.marks;
}

it('names special tokens that special_tokens_map.json alone has', async () => {
  const map = { bos_token: '<s>', eos_token: { content: '</s>', lstrip: false } };
  expect(await marksOf({ bos_token: null }, map)).toMatchObject({ bos_token: '<s>', eos_token: '</s>', pad_token: '' });
});

it('prefers those of tokenizer_config.json', async () => {
  expect(await marksOf({ bos_token: '<bos>' }, { bos_token: '<s>' })).toMatchObject({ bos_token: '<bos>' });
});
