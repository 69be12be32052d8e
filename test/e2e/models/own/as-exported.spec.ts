import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { wordTokenizer } from '../../../support/files/word-tokenizer.ts';
import { encoderOfTable } from '../../../support/onnx/encoders/table-encoder.ts';
import { writeFolders, type WrittenFolders } from '../../../support/files/written-folders.ts';
import type { CompleteResponse } from '../../../../src/contract/likelihood/complete.ts';
import { call } from '../../calls.ts';
import { test } from '../../fixture.ts';
import { drop, openModels, tiers } from './visit.ts';

const GRAPHS = join(process.env['LIGHTWELL_DATA'] ?? join(import.meta.dirname, '../../../../shared/data'), 'graphs');
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(GRAPHS, name, 'model.onnx')));
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test.skip(!existsSync(GRAPHS), 'no folder ../shared/data (or LIGHTWELL_DATA) with graphs of exporters');

/** Folders of networks that cannot be rewritten, as exporters wrote them, with small tokenizers. */
const FOLDERS = () => ({
  'made/lfm2': {
    'config.json': json({
      ...{ model_type: 'lfm2', num_hidden_layers: 3, hidden_size: 64, num_attention_heads: 4, num_key_value_heads: 2 },
      ...{ layer_types: ['conv', 'full_attention', 'conv'], max_position_embeddings: 128, eos_token_id: 1 },
    }),
    'tokenizer.json': json(wordTokenizer(160, false)),
    'tokenizer_config.json': json({ chat_template: '{% for m in messages %}{{ m.content }} {% endfor %}' }),
    'onnx/model.onnx': bytesOf('gb-lfm2-cpu-fp32'),
  },
  'made/t5': {
    'config.json': json({
      ...{ model_type: 't5', is_encoder_decoder: true, d_model: 64, d_kv: 16, num_heads: 4, num_layers: 3 },
      ...{ num_decoder_layers: 3, decoder_start_token_id: 0, eos_token_id: 1, n_positions: 128 },
    }),
    'tokenizer.json': json(wordTokenizer(128, true)),
    'tokenizer_config.json': json({}),
    'onnx/encoder_model.onnx': encoderOfTable(128, 64).file,
    'onnx/decoder_model_merged.onnx': bytesOf('opt-t5-decoder_model_merged'),
  },
});

let written: WrittenFolders;
test.beforeEach(() => {
  written = writeFolders(Object.entries(FOLDERS()).map(([name, files]) => [name, new Map(Object.entries(files))]));
});
test.afterEach(() => written.remove());

test('networks that cannot be rewritten write as they were exported, and nothing else', async ({ page }) => {
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await openModels(page);
  await drop(page, join(written.path, 'made'));
  await expect.poll(() => tiers(page)).toEqual(['made/lfm2: as_exported', 'made/t5: as_exported']);
  const list = page.getByRole('navigation', { name: 'Models' });
  await expect(list.getByRole('link', { name: 'made/lfm2' })).toContainText('convolution or recurrent state');

  for (const [model, prompt] of [
    ['made/lfm2', 'w5 w9 w12 w40'],
    ['made/t5', 'w5 w9 w12 w40'],
  ] as const) {
    const body = { model, prompt, maximum_tokens: 6 };
    const completed = await call<CompleteResponse>(page, '/complete', body);
    expect(completed, model).toMatchObject({ status: 200, body: { model_version: model } });
    expect(completed.body.completions[0]?.completion, model).toMatch(/w\d+/);
    const again = await call<CompleteResponse>(page, '/complete', body);
    expect(again.body.completions, model).toEqual(completed.body.completions);
    const explained = await call(page, '/explain', { model, prompt, target: ' w7' });
    expect(explained, model).toMatchObject({ status: 400, body: { code: 'MISSING_CAPABILITY' } });
    expect(explained.body.error).toContain('runs as it was exported: ');
    const controlled = [{ type: 'text', data: prompt, controls: [{ start: 0, length: 2, factor: 0.1 }] }];
    const steered = await call(page, '/complete', { ...body, prompt: controlled });
    expect(steered, model).toMatchObject({ status: 400, body: { code: 'MISSING_CAPABILITY' } });
    expect(steered.body.error).toContain('attention controls');
  }
  const chat = { model: 'made/lfm2', messages: [{ role: 'user', content: 'w8 w9' }], maximum_tokens: 4 };
  expect((await call(page, '/chat/completions', chat)).status).toBe(200);
  expect(faults).toEqual([]);
});
