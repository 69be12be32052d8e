import { describe, expect, it } from 'vitest';
import { EmbedResponse } from '../../src/contract/embed.ts';
import { ExplainResponse } from '../../src/contract/explain.ts';
import { ErrorBody } from '../../src/contract/prompt.ts';
import { pngOf } from '../support/fakes/fake-images.ts';
import { createFakeModel } from '../support/fakes/fake-model.ts';
import { createPage, post } from '../support/fakes/page.ts';
import { startsWith } from '../support/malformed.ts';

/** The recorded request's picture; the model sees its middle, x = 285 … 915. */
const picture = { type: 'image', data: pngOf(1200, 630) };
const square = { type: 'image', data: pngOf(120, 120) };

const fetchWithImages = async (path: string, body: object): Promise<unknown> => {
  const { router } = createPage({ model: createFakeModel({ readsImages: true }) });
  return (await router.fetch(post(path, { model: 'lightwell-base', ...body }))).json();
};
const embed = async (body: object) => EmbedResponse.parse(await fetchWithImages('/embed', body));
const meanOf = async (item: object) => (await embed({ prompt: [item] })).embeddings['layer_2']?.mean;
const explain = async (body: object) =>
  ExplainResponse.parse(await fetchWithImages('/explain', { target: ' pizza', ...body }));
const imageScores = async (body: object) => {
  const [item] = (await explain(body)).explanations[0]?.items ?? [];
  if (item?.type !== 'image') throw new Error(`expected an image item, got ${item?.type}`);
  return item.scores;
};

describe('images in POST /embed', () => {
  it('counts 144 tokens for each image, between those of the other items', async () => {
    const prompt = [{ type: 'token_ids', data: [300, 301] }, picture, { type: 'text', data: 'Rome' }];
    const alone = await embed({ prompt: 'Rome' });
    const { num_tokens_prompt_total: count, tokens } = await embed({ prompt, tokens: true });
    expect(count).toBe(2 + 144 + alone.num_tokens_prompt_total);
    expect(tokens).toHaveLength(count);
    expect(tokens?.slice(2, 146)).toEqual(Array(144).fill('<image>'));
    expect(tokens?.slice(146).join('')).toBe('Rome');
  });

  it('takes what the official client sends: empty controls, and no crop', async () => {
    expect(await meanOf({ ...picture, controls: [] })).toEqual(await meanOf(picture));
    expect(await meanOf({ ...picture, x: null, y: null, size: null })).toEqual(await meanOf(picture));
  });

  it('crops to the square in the middle, or to the one that is named', async () => {
    expect(await meanOf({ ...picture, x: 285, y: 0, size: 630 })).toEqual(await meanOf(picture));
    expect(await meanOf({ ...picture, x: 284, y: 0, size: 630 })).not.toEqual(await meanOf(picture));
    expect(await meanOf({ ...picture, x: 570, y: 0, size: 630 })).not.toEqual(await meanOf(picture));
  });

  it('controls rectangles of the whole picture, factor 0 included', async () => {
    const control = (rect: object, factor = 0) => ({ ...picture, controls: [{ rect, factor }] });
    const beside = { left: 0, top: 0, width: 0.2, height: 1 };
    const inside = { left: 0.25, top: 0.5, width: 0.25, height: 0.5 };
    expect(await meanOf(control(beside))).toEqual(await meanOf(picture));
    expect(await meanOf(control(inside, 1))).toEqual(await meanOf(picture));
    expect(await meanOf(control(inside))).not.toEqual(await meanOf(picture));
  });

  it('adjusts a factor to the overlapped share of a tile, or not', async () => {
    const [left, width] = [1 / 12, 1 / 24];
    const control = (rect: object, factor: number, overlap?: string) =>
      meanOf({ ...square, controls: [{ rect: { top: 0, height: 1, ...rect }, factor, token_overlap: overlap }] });
    expect(await control({ left, width }, 2)).toEqual(await control({ left, width: 1 / 12 }, 1.5));
    expect(await control({ left, width }, 2, 'complete')).toEqual(await control({ left, width: 1 / 12 }, 2));
  });
});

describe('images in POST /explain', () => {
  it.each([
    ['token', 12],
    ['word', 6],
    ['sentence', 3],
    ['paragraph', 1],
    ['custom', 1],
  ])('cuts an image into tiles by granularity: %s, %i to a side', async (type, side) => {
    const scores = await imageScores({ prompt: [picture], prompt_granularity: { type, delimiter: '###' } });
    expect(scores.map(({ rect }) => rect)).toEqual(
      Array.from({ length: side ** 2 }, (_, i) => ({
        left: (i % side) / side,
        top: Math.floor(i / side) / side,
        width: 1 / side,
        height: 1 / side,
      })),
    );
  });

  it('covers the whole picture when it is cropped; what lies beside the crop scores 0', async () => {
    const body = { prompt: [{ ...picture, x: 0, y: 0, size: 400 }], prompt_granularity: { type: 'sentence' } };
    const scores = (await imageScores(body)).map(({ score }) => score);
    expect(scores).toHaveLength(9);
    expect(scores.map((score) => score !== 0)).toEqual([true, false, false, true, false, false, false, false, false]);
  });

  it('chooses as recorded: an image, a text and four ids by sentences', async () => {
    const text = { type: 'text', data: 'I am a programmer and French. My favourite food is' };
    const { explanations } = await explain({ prompt: [picture, text, { type: 'token_ids', data: [1, 2, 3, 4] }] });
    const items = explanations[0]?.items ?? [];
    expect(items.map(({ type, scores }) => [type, scores.length])).toEqual([
      ['image', 9],
      ['text', 2],
      ['token_ids', 4],
      ['target', 0],
    ]);
  });

  it('explains a rectangle by the same suppression as a control on it', async () => {
    const prompt = (controls: object[]) => [
      { ...square, controls },
      { type: 'token_ids', data: [9] },
    ];
    const granularity = { type: 'sentence' };
    const [{ rect, score } = { rect: {}, score: 0 }] = await imageScores({
      prompt: prompt([]),
      prompt_granularity: granularity,
    });
    expect(Math.abs(score)).toBeGreaterThan(1e-4);
    // What a control has taken out already cannot be suppressed any further.
    const controlled = await imageScores({
      prompt: prompt([{ rect, factor: 0 }]),
      prompt_granularity: granularity,
      control_factor: 0,
    });
    expect(controlled[0]?.score).toBeCloseTo(0, 6);
  });

  it('spreads to tiles that the image encoder makes alike', async () => {
    const body = { prompt: [square, square], prompt_granularity: { type: 'token' } };
    const alone = await imageScores(body);
    const spread = await imageScores({ ...body, contextual_control_threshold: 0.9999 });
    const ratio = (spread[5]?.score ?? 0) / (alone[5]?.score ?? 1);
    expect(ratio).toBeGreaterThan(1.2); // the same tile stands in the second picture too
  });
});

const data = pngOf(120, 80);
const rect = { left: 0, top: 0, width: 1, height: 1 };
/** What is wrong, the change to a good item, where the fault lies in it, and the code where it is not INVALID_REQUEST. */
type Broken = readonly [name: string, change: object, at: string, code?: string];

const BROKEN: readonly Broken[] = [
  ['no data', { data: undefined }, 'data', 'PAYLOAD_ERROR'],
  ['text that is no base64', { data: 'a picture of a cat' }, 'data'],
  ['base64 that breaks off', { data: `${data.slice(0, 21)}` }, 'data'],
  ['a data URL', { data: `data:image/png;base64,${data}` }, 'data'],
  ['nothing', { data: '' }, 'data'],
  ['another format', { data: btoa(`GIF89a${'x'.repeat(90)}`) }, 'data'],
  ['a file without a size', { data: data.slice(0, 20) }, 'data'],
  ['a broken file', { data: data.slice(0, 40) }, 'data'],
  ['no pixels', { data: pngOf(0, 5) }, 'data'],
  ['more pixels than memory', { data: pngOf(60_000, 60_000) }, 'data'],
  ['x alone', { x: 1 }, ''],
  ['a crop without size', { x: 0, y: 0 }, ''],
  ['a crop without pixels', { x: 0, y: 0, size: 0 }, 'size', 'PAYLOAD_ERROR'],
  ['half a pixel', { x: 0.5, y: 0, size: 1 }, 'x', 'PAYLOAD_ERROR'],
  ['a negative corner', { x: 0, y: -1, size: 1 }, 'y', 'PAYLOAD_ERROR'],
  ['a crop beyond the right edge', { x: 60, y: 0, size: 61 }, 'x'],
  ['a crop beyond the lower edge', { x: 0, y: 0, size: 81 }, 'y'],
  [
    'a rectangle without height',
    { controls: [{ rect: { ...rect, height: undefined }, factor: 1 }] },
    'controls[0].rect.height',
    'PAYLOAD_ERROR',
  ],
  [
    'a rectangle in pixels',
    { controls: [{ rect: { ...rect, width: 60 }, factor: 1 }] },
    'controls[0].rect.width',
    'PAYLOAD_ERROR',
  ],
  ['a rectangle beyond the picture', { controls: [{ rect: { ...rect, left: 0.5 }, factor: 1 }] }, 'controls[0].rect'],
  [
    'a text control on an image',
    { controls: [{ start: 0, length: 1, factor: 1 }] },
    'controls[0].rect',
    'PAYLOAD_ERROR',
  ],
];

describe('images that cannot be read', () => {
  it.each(BROKEN.map((broken) => ({ name: broken[0], broken })))(
    'refuses $name, and says where',
    async ({ broken }) => {
      const [, change, at, code = 'INVALID_REQUEST'] = broken;
      const prompt = [
        { type: 'text', data: 'See' },
        { type: 'image', data, ...change },
      ];
      const answer = ErrorBody.parse(await fetchWithImages('/embed', { prompt }));
      expect(answer).toMatchObject({ code });
      expect(answer.error).toMatch(startsWith(`prompt[1]${at && '.'}${at}`));
      expect(answer.error).toMatch(/: expected .*, got ./);
    },
  );

  it('refuses more than the context holds before anything is decoded', async () => {
    const prompt = Array.from({ length: 8 }, () => square);
    expect(await fetchWithImages('/embed', { prompt })).toMatchObject({
      code: 'PROMPT_TOO_LONG',
      error: 'prompt: expected at most 1024 tokens, got at least 1152',
    });
  });

  it.each(['/embed', '/explain'])('is a missing capability of a model that reads none: %s', async (path) => {
    const body = { model: 'lightwell-base', prompt: [picture], target: ' pizza' };
    const response = await createPage().router.fetch(post(path, body));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'MISSING_CAPABILITY',
      error: expect.stringMatching(/^prompt\[0\]: /),
    });
  });
});
