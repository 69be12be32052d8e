import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { explainJob, QUIET } from '../../support/fakes/jobs.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { keptPast } from '../../support/onnx/kept-past.ts';
import { runOriginal } from '../../support/onnx/original.ts';
import { place, testRuntime } from '../../support/onnx/place.ts';
import { referenceFeatures } from '../../support/onnx/vision.ts';
import { encodePng, type Colour } from '../../support/files/png.ts';
import { PROCESSOR, VISION_SIZES, visionWeights, VLM_SIZES, vlmWeights } from '../../support/onnx/vision-sizes.ts';
import { factorsWith, measured, upTo } from '../measured.ts';
import { logProbability, referencePassOf, wordEmbeddings, type ReferencePerturbation } from '../reference-decoder.ts';
import { createEngine, type LoadedModel } from '../../../workers/engine/engine.ts';
import { loadWith } from '../../../workers/engine/loading/load-model.ts';
import { tokensOf, type NetworkRun } from '../../../workers/engine/network.ts';
import { concatenated } from '../../../workers/kernels/float-arrays.ts';
import { embed } from '../../../workers/operations/operations.ts';
import { explain } from '../../../workers/operations/explain/explain.ts';

const SAME = 1e-5;
const REFERENCE = 1e-4;
const TILES = 144;
const { side } = VISION_SIZES;
const { vocabulary, width } = VLM_SIZES;

const colour = (x: number, y: number): Colour => [(x * 5) % 256, (y * 7 + x) % 256, (x * y) % 256];
const file = Uint8Array.from(encodePng(side, side, colour));
const table = measured('Pictures among the words');

/** The picture's rows, from the formula. */
const features = referenceFeatures(
  VISION_SIZES,
  visionWeights,
  Float32Array.from({ length: 3 * side * side }, (_, i) => {
    const [channel, y, x] = [Math.floor(i / side ** 2), Math.floor(i / side) % side, i % side];
    const value = (colour(x, y)[channel] ?? 0) / 255;
    return (value - (PROCESSOR.image_mean[channel] ?? 0)) / (PROCESSOR.image_std[channel] ?? 1);
  }),
);

const before = [5, 900, 77];
const behind = [300, 41, 4000, 8];
const ids = Int32Array.from([...before, ...new Array<number>(TILES).fill(0), ...behind]);
const total = ids.length;
const rowsOf = (tokens: readonly number[]) => wordEmbeddings(VLM_SIZES, vlmWeights, tokens);
const embedded = [...rowsOf(before), ...features, ...rowsOf(behind)];
/** Positions whose logits are compared with the reference: the last tiles and what follows them. */
const LAST = 10;
const reference = (perturbation: ReferencePerturbation) =>
  referencePassOf(VLM_SIZES, vlmWeights, embedded, { perturbation, rows: LAST }).logits;
const flat = (blocks: readonly Float64Array[]) => blocks.flatMap((block) => [...block]);

const model = {
  name: 'vision',
  version: 'test',
  description: '',
  folder: `${inject('hub')}/test/vision/resolve/main/`,
  dtype: 'fp32' as const,
  contextTokens: VLM_SIZES.contextTokens,
  capabilities: ['images' as const],
};
const context = QUIET;
const idsItem = (tokens: readonly number[]) => ({ type: 'token_ids' as const, ids: tokens, controls: [] });
const image = { type: 'image' as const, file, format: 'PNG' as const, crop: null, controls: [] };

describe('a vision-language model, loaded from a hub', () => {
  let loaded: LoadedModel;
  beforeAll(async () => {
    const runtime = await testRuntime();
    const engine = createEngine((wanted, onProgress) => loadWith(runtime, wanted, onProgress));
    loaded = await engine.withModel(
      { model, backend: place.backend },
      () => undefined,
      async (lent) => lent,
    );
    console.log(loaded.network.backend.reason);
  });
  afterAll(async () => {
    await loaded?.network.release(); // and with it what reads pictures
  });

  const rows = Float32Array.from(flat(features));
  const embeddingOverrides = [{ position: before.length, rows }];
  const logitsOf = async (more: Partial<NetworkRun> = {}): Promise<Float32Array> => {
    const run = { batch: 1, ids, embeddingOverrides, logits: true, ...more };
    const { logits } = await loaded.network.run({ rows: tokensOf(run), ...run });
    return logits ?? new Float32Array(0);
  };

  it('encodes a picture as the formula does', async () => {
    const images = await loaded.images?.();
    const picture = await images?.decode(encodePng(side, side, colour), 'PNG');
    if (!images || !picture) throw new Error('the model reads no pictures');
    expect(images).toMatchObject({ tokens: TILES, grid: { side: 12, tokensPerTile: 1 } });
    const found = await images.embed(picture, { x: 0, y: 0, size: side });
    picture.close();
    table.within('encoded picture', found, flat(features), SAME);
  });

  it('computes what the unmodified decoder does with the same embeddings', async () => {
    const file = buildDecoder(VLM_SIZES, vlmWeights, 'inputs_embeds');
    const original = await runOriginal(file, [...ids], 'logits', { embeddings: Float32Array.from(flat(embedded)) });
    table.within('no perturbation', await logitsOf(), original, SAME);
    const neutral = { mode: 'multiplicative', factors: factorsWith(total, {}) } as const;
    table.within('neutral factors', await logitsOf({ perturbation: neutral }), original, SAME);
  });

  it.each<'additive' | 'multiplicative'>(['additive', 'multiplicative'])(
    'perturbs tiles and words as the reference does, %s',
    async (mode) => {
      const perturbation = { mode, factors: factorsWith(total, { 1: 0.5, 40: 0.1, 41: 0, 146: 3, 148: 0.2 }) };
      table.within(
        `${mode} on tiles`,
        await logitsOf({ perturbation, rows: LAST }),
        flat(reference(perturbation)),
        REFERENCE,
      );
    },
  );

  // WebAssembly shows it: the operators are those of the tests above.
  it.skipIf(place.samples)(
    'shares a past that ends inside the picture, and lets a batch keepKvCache its own',
    async () => {
      const each = [{ 40: 0.1 }, { 41: 0 }, { 60: 2 }].map((changed) => factorsWith(total, changed));
      const whole = [];
      for (const factors of each)
        whole.push(
          (await logitsOf({ perturbation: { mode: 'additive', factors } })).subarray((total - 3) * vocabulary),
        );
      const kvCache = await keptPast(loaded.network, { ids, embeddingOverrides });
      const to = (end: number) => ({
        mode: 'additive' as const,
        factors: concatenated(each.map((row) => row.subarray(0, end))),
      });
      const shared = { batch: 3, sameIds: true, embeddingOverrides };
      const cached = { kvCache, tokens: 40 };
      const rest = await logitsOf({
        ...shared,
        ids: ids.slice(40),
        cached,
        perturbation: to(total),
        rows: 3,
      });
      table.within('behind a past that ends in the picture', rest, concatenated(whole), SAME);
      const between = {
        ...shared,
        ids: ids.slice(40, total - 3),
        cached,
        perturbation: to(total - 3),
      };
      const own = await keptPast(loaded.network, between);
      const end = {
        ...shared,
        ids: ids.slice(total - 3),
        cached: { kvCache: own, tokens: total - 3 },
        perturbation: to(total),
      };
      table.within('pasts of a batch', await logitsOf(end), concatenated(whole), SAME);
      kvCache.release();
      own.release();
    },
  );

  it('pools pictures with words, and reads word embeddings', async () => {
    const items = [idsItem(before), image, idsItem(behind)];
    const prompt = { path: 'prompt', items };
    const job = { model, prompt, layers: [0, -1], pooling: ['mean' as const], normalize: false, tokens: true };
    const {
      layers,
      num_tokens_prompt_total: tokenCount,
      tokens,
    } = await embed({ ...job, control_log_additive: true }, loaded, context);
    expect([tokenCount, tokens?.length]).toEqual([total, total]);
    const mean = Float64Array.from(
      { length: width },
      (_, at) => embedded.reduce((sum, row) => sum + (row[at] ?? 0), 0) / total,
    );
    table.within('layer 0', layers[0]?.vectors[0], mean, SAME);
    const words = await loaded.network.embeddings(Int32Array.from(behind));
    table.within('word embeddings', words, flat(rowsOf(behind)), 0);
  });

  // WebAssembly shows it, as above.
  it.skipIf(place.samples)('explains by rectangles as one reference pass for each', async () => {
    const items = [idsItem(before), image, { type: 'text' as const, text: 'a table', controls: [] }];
    const job = explainJob({
      model,
      prompt: { path: 'prompt', items },
      target: ' for two',
      prompt_granularity: { type: 'sentence' },
      target_granularity: 'complete',
    });
    const { sections, targetTokens, influence } = await explain(job, loaded, context);
    const scores = sections.flatMap(({ rect }, row) => {
      const own = influence.subarray(row * targetTokens.length, (row + 1) * targetTokens.length);
      return rect ? [{ rect, score: own.reduce((sum, value) => sum + value, 0) }] : [];
    });
    expect(scores.map(({ rect }) => [rect.top, rect.left])).toEqual(
      [0, 1 / 3, 2 / 3].flatMap((top) => [0, 1 / 3, 2 / 3].map((left) => [top, left])),
    );
    const text = loaded.tokenizer.tokenize('a table').ids;
    const target = loaded.tokenizer.tokenize(' for two').ids;
    const fed = [...rowsOf(before), ...features, ...rowsOf([...text, ...target.slice(0, -1)])];
    const entropy = (factors: ArrayLike<number>) => {
      const asked = { perturbation: { mode: 'additive', factors }, rows: target.length } as const;
      const { logits } = referencePassOf(VLM_SIZES, vlmWeights, fed, asked);
      return target.reduce((sum, id, t) => sum - logProbability(logits[t] ?? new Float64Array(0), id), 0);
    };
    const plain = entropy(factorsWith(fed.length, {}));
    const expected = scores.map((_, section) => {
      const tiles = upTo(TILES).filter(
        (tile) => Math.floor(tile / 48) === Math.floor(section / 3) && Math.floor((tile % 12) / 4) === section % 3,
      );
      return (
        entropy(factorsWith(fed.length, Object.fromEntries([...tiles].map((tile) => [before.length + tile, 0.1])))) -
        plain
      );
    });
    table.within(
      'scores of rectangles',
      scores.map(({ score }) => score),
      expected,
      REFERENCE,
    );
    expect(Math.max(...expected.map(Math.abs)), 'scores of nothing would prove nothing').toBeGreaterThan(0.01);
  });
});
