import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { wordTokenizer } from '../../support/files/word-tokenizer.ts';
import { encoderOfTable } from '../../support/onnx/encoders/table-encoder.ts';
import { plain as test } from '../fixture.ts';

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

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lightwell-e2e-exported-'));
  for (const [name, files] of Object.entries(FOLDERS()))
    for (const [path, bytes] of Object.entries(files)) {
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
});
test.afterEach(() => rmSync(folder, { recursive: true }));

const call = (page: Page, path: string, body?: object) =>
  page.evaluate(
    async ([to, text]) => {
      const headers = { Authorization: `Bearer ${lightwell.token}`, 'Content-Type': 'application/json' };
      const init = text === undefined ? {} : { method: 'POST', body: text };
      const response = await lightwell.fetch(to, { ...init, headers });
      return { status: response.status, answer: await response.json() };
    },
    [path, body && JSON.stringify(body)] as const,
  );

test('networks that cannot be rewritten write as they were exported, and nothing else', async ({ page, context }) => {
  const foreign: string[] = [];
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  context.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !new URL(request.url()).origin.includes('localhost'))
      foreign.push(request.url());
  });
  await page.goto('/?backend=wasm#/models');
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
  const session = await context.newCDPSession(page);
  const data = { items: [], files: [join(folder, 'made')], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
  const listed = async () => {
    const { answer } = await call(page, '/model-settings');
    return answer
      .slice(3)
      .map(({ name, tier }: { name: string; tier: string }) => `${name}: ${tier}`)
      .toSorted();
  };
  await expect.poll(listed).toEqual(['made/lfm2: as_exported', 'made/t5: as_exported']);
  const list = page.getByRole('navigation', { name: 'Models' });
  await expect(list.getByRole('link', { name: 'made/lfm2' })).toContainText('convolution or recurrent state');

  const scripts: string[] = [];
  context.on('request', (request) => scripts.push(request.url()));
  for (const [model, prompt] of [
    ['made/lfm2', 'w5 w9 w12 w40'],
    ['made/t5', 'w5 w9 w12 w40'],
  ] as const) {
    const body = { model, prompt, maximum_tokens: 6 };
    const written = await call(page, '/complete', body);
    expect(written, model).toMatchObject({ status: 200, answer: { model_version: model } });
    expect(written.answer.completions[0].completion, model).toMatch(/w\d+/);
    const again = await call(page, '/complete', body);
    expect(again.answer.completions, model).toEqual(written.answer.completions);
    const explained = await call(page, '/explain', { model, prompt, target: ' w7' });
    expect(explained, model).toMatchObject({ status: 400, answer: { code: 'MISSING_CAPABILITY' } });
    expect(explained.answer.error).toContain('runs as it was exported: ');
    const controlled = [{ type: 'text', data: prompt, controls: [{ start: 0, length: 2, factor: 0.1 }] }];
    const steered = await call(page, '/complete', { ...body, prompt: controlled });
    expect(steered, model).toMatchObject({ status: 400, answer: { code: 'MISSING_CAPABILITY' } });
    expect(steered.answer.error).toContain('attention controls');
  }
  const chat = { model: 'made/lfm2', messages: [{ role: 'user', content: 'w8 w9' }], maximum_tokens: 4 };
  expect((await call(page, '/chat/completions', chat)).status).toBe(200);
  expect(foreign).toEqual([]);
  expect(faults).toEqual([]);
});
