import { expect, type Page } from '@playwright/test';
import type { EmbedResponse } from '../../../src/contract/embed.ts';
import type { ExplainResponse } from '../../../src/contract/explain.ts';
import type { Service, ServiceOptions } from '../../../src/service/service.ts';
import { pngOf } from '../../support/fakes/fake-images.ts';
import { normalisedPixels, resampled } from '../../../workers/kernels/image-pixels.ts';
import { referenceFeatures } from '../../support/onnx/vision.ts';
import { visionFolder } from '../../support/files/vision-folder.ts';
import { PROCESSOR, VISION_SIZES, visionWeights } from '../../support/onnx/vision-sizes.ts';
import { call, MODEL } from '../calls.ts';
import { test } from '../fixture.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

// Playwright cannot put other files in place of those that a service worker brings.
test.use({ serviceWorkers: 'block' });

/**
 * A bare page of the site with the library over a vision-language model: the folder's content decides what a model reads.
 * The application would refuse these files, because they are not those of its embedded model.
 */
async function openWithVision(page: Page, backend: 'wasm' | 'webgpu'): Promise<void> {
  const files = visionFolder();
  await page.route('**/vision/**', (route) => {
    const [, name = ''] = route.request().url().split('/vision/');
    const body = files.get(name);
    return body ? route.fulfill({ body: Buffer.from(body) }) : route.fulfill({ status: 404 });
  });
  await page.goto('/service-worker.js'); // of the site, and starts no application
  await page.evaluate(
    async ([name, kind]) => {
      const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): unknown } })
        .trustedTypes;
      factory?.createPolicy('default', { createScriptURL: (url: string) => url }); // the application's own is not here
      const address = '/lightwell.js';
      const { createService } = (await import(address)) as {
        createService: (options: ServiceOptions) => Service;
      };
      const folder = new URL('/vision/', location.href).href;
      const model = { name, version: 'vision', description: '', folder, dtype: 'fp32', contextTokens: 1024 } as const;
      const service = createService({
        models: [{ ...model, capabilities: ['embed', 'explain', 'images'] }],
        backend: kind,
      });
      Reflect.set(globalThis, 'lightwell', service);
      await service.ready;
    },
    [MODEL, backend] as const,
  );
}

/** Base64 of a picture drawn in the page: four quarters of one colour each, or nothing at all. */
function drawn(page: Page, type: string, colours: readonly string[], size: number): Promise<string> {
  return page.evaluate(
    async ([format, quarters, side]) => {
      const canvas = new OffscreenCanvas(side, side);
      const context = canvas.getContext('2d');
      quarters.forEach((colour, i) => {
        if (!context) return;
        context.fillStyle = colour;
        context.fillRect(((i % 2) * side) / 2, (Math.floor(i / 2) * side) / 2, side / 2, side / 2);
      });
      const blob = await canvas.convertToBlob({ type: format, quality: 1 });
      if (blob.type !== format) throw new Error(`expected ${format}, got ${blob.type}`);
      return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
    },
    [type, colours, size] as const,
  );
}

const COLOURS = ['rgb(255, 0, 0)', 'rgb(0, 128, 0)', 'rgb(30, 40, 200)', 'rgb(250, 240, 10)'];

/** The JPEG with a note of the camera: to be turned a quarter to the right. @source Exif 2.32, 4.6.4, Orientation = 6 */
function asTurned(jpeg: string): string {
  const note = [
    ...Buffer.from('Exif\0\0II*\0'),
    8,
    0,
    0,
    0,
    1,
    0,
    0x12,
    0x01,
    3,
    0,
    1,
    0,
    0,
    0,
    6,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  const bytes = [...Buffer.from(jpeg, 'base64')];
  return Buffer.from([...bytes.slice(0, 2), 0xff, 0xe1, 0, note.length + 2, ...note, ...bytes.slice(2)]).toString(
    'base64',
  );
}

/**
 * Position-weighted mean of the input embeddings of the picture in this size, from the formula: it tells which tile is
 * where.
 */
function expectedMean(size: number): number[] {
  const quarters = COLOURS.map((colour) => colour.match(/\d+/g)?.map(Number) ?? []);
  const rgba = Uint8ClampedArray.from({ length: 4 * size * size }, (_, i) => {
    const [y, x, channel] = [Math.floor(i / 4 / size), Math.floor(i / 4) % size, i % 4];
    return quarters[(y < size / 2 ? 0 : 2) + (x < size / 2 ? 0 : 1)]?.[channel] ?? 255;
  });
  const { side, width } = VISION_SIZES;
  const { rescale_factor: scale, image_mean: mean, image_std: deviation } = PROCESSOR;
  const pixels = normalisedPixels(resampled(rgba, { size, side, filter: 'bicubic' }), { scale, mean, deviation });
  const rows = referenceFeatures(VISION_SIZES, visionWeights, pixels);
  const total = (rows.length * (rows.length + 1)) / 2;
  return Array.from(
    { length: width },
    (_, at) => rows.reduce((sum, row, i) => sum + (i + 1) * (row[at] ?? 0), 0) / total,
  );
}

const differenceOf = (found: readonly number[] = [], expected: readonly number[]) =>
  Math.max(...expected.map((value, i) => Math.abs(value - (found[i] ?? NaN))));

async function expectDecoded(page: Page): Promise<void> {
  const embedMean = async (data: string) => {
    const body = {
      model: MODEL,
      prompt: [{ type: 'image', data }],
      layers: [0],
      pooling: ['weighted_mean'],
      tokens: true,
    };
    const answer = await call<EmbedResponse>(page, '/embed', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect([answer.body.num_tokens_prompt_total, answer.body.tokens?.length]).toEqual([144, 144]);
    return answer.body.embeddings['layer_0']?.weighted_mean;
  };
  for (const type of TYPES) {
    const allowed = type === 'image/png' ? 1e-5 : 0.02; // the others lose a little
    for (const size of [24, 48, 192]) {
      const found = await embedMean(await drawn(page, type, COLOURS, size));
      expect(differenceOf(found, expectedMean(size)), `${type}, ${size}`).toBeLessThan(allowed);
    }
    const data = await drawn(page, type, COLOURS, 60);
    const prompt = [
      { type: 'text', data: 'User:' },
      { type: 'image', data },
      { type: 'text', data: ' A table' },
    ];
    const body = { model: MODEL, prompt, target: ' for two', prompt_granularity: { type: 'sentence' } };
    const { status, body: answer } = await call<ExplainResponse>(page, '/explain', body);
    expect(status, JSON.stringify(answer)).toBe(200);
    const item = answer.explanations[0]?.items[1];
    const scores = item?.type === 'image' ? item.scores : [];
    expect(scores.map(({ rect }) => rect.left)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2].map((column) => column / 3));
    expect(scores.every(({ score }) => Number.isFinite(score) && score !== 0)).toBe(true);
  }
  const [first = '', second = '', third = '', fourth = ''] = COLOURS;
  const turned = await embedMean(await drawn(page, 'image/jpeg', [third, first, fourth, second], 48));
  const noted = await embedMean(asTurned(await drawn(page, 'image/jpeg', COLOURS, 48)));
  expect(differenceOf(noted, turned ?? []), 'turned as the camera noted').toBeLessThan(0.02);
  expect(differenceOf(noted, expectedMean(48)), 'and not as stored').toBeGreaterThan(0.05);
  const white = await embedMean(await drawn(page, 'image/png', ['white', 'white', 'white', 'white'], 50));
  expect(await embedMean(await drawn(page, 'image/png', [], 50)), 'transparent stands on white').toEqual(white);
}

async function expectRefused(page: Page): Promise<void> {
  const refusal = async (data: string) => {
    const { status, body } = await call(page, '/embed', { model: MODEL, prompt: [{ type: 'image', data }] });
    expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
    return body.error;
  };
  const whole = await drawn(page, 'image/jpeg', COLOURS, 64);
  expect(await refusal(pngOf(60_000, 60_000))).toMatch(/^prompt\[0\]\.data: expected a picture of at most \d+ pixels/);
  expect(await refusal(pngOf(300, 300))).toMatch(/^prompt\[0\]\.data: expected a PNG file that can be decoded/);
  expect(await refusal(whole.slice(0, 400))).toMatch(/^prompt\[0\]\.data: expected /);
}

test('pictures in prompts are decoded, embedded and explained, or refused', async ({ page, backend }) => {
  await openWithVision(page, backend);
  await test.step('PNG, JPEG and WebP are decoded in the worker', () => expectDecoded(page));
  await test.step('what cannot be decoded is refused', () => expectRefused(page));
});
