import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { FailureError } from '../../../src/contract/failure.ts';
import type { Progress } from '../../../src/contract/progress.ts';
import { concatenated } from '../../../workers/kernels/float-arrays.ts';
import { loadWith } from '../../../workers/engine/loading/load-model.ts';
import type { Network } from '../../../workers/engine/network.ts';
import { embeddedFiles } from '../../support/files/embedded-files.ts';
import { keptPast } from '../../support/onnx/kept-past.ts';
import { openHere, runOriginal } from '../../support/onnx/original.ts';
import { fileBytesIfPresent, place, testRuntime } from '../../support/onnx/place.ts';
import { factorsWith, measured, someIds } from '../measured.ts';

const TOKENS = place.backend === 'webgpu' ? 12 : 44;
const LIMIT = 1e-5;
/** On a GPU norms are fused, which rounds otherwise than the primitives of the file. */
const FUSED_LIMIT = place.backend === 'webgpu' ? 3e-5 : LIMIT;
const folder = `${place.root}public/models/lightwell-base/`;
const isMissing = (await fileBytesIfPresent(`${folder}config.json`)) === undefined;

const table = measured('The embedded model');
if (isMissing) console.log('Skipped, embedded model: public/models/lightwell-base/ is not there');

/** The embedded model under the hub's URLs. */
const modelAt = (owner: string, name = 'lightwell-base') => ({
  name: 'lightwell-base',
  version: 'test',
  description: '',
  folder: `${inject('hub')}/${owner}/${name}/resolve/main/`,
  dtype: 'fp32' as const,
  contextTokens: 256,
  capabilities: [],
});
const load = async (
  model: ReturnType<typeof modelAt>,
  onProgress: (progress: Progress) => void = () => {},
  signal?: AbortSignal,
) => loadWith(await testRuntime(), { model, backend: place.backend }, onProgress, signal);

// The model is made by training/, and printed as missing above.
describe.skipIf(isMissing)('the embedded model, loaded from a hub', () => {
  let network: Network;
  const progress: Progress[] = [];
  beforeAll(async () => {
    // The self-test that loading includes takes 20 s on software WebGPU; smaller networks pass it there, and the page does with this one.
    const { model, embedTokens, config } = await embeddedFiles(folder);
    if (place.backend === 'webgpu') network = await openHere(model, config, [], embedTokens?.model);
    else ({ network } = await load(modelAt('lightwell'), (step) => progress.push(step)));
    console.log(network.backend.reason, network.shape);
  });
  afterAll(() => network?.release());

  // Not loaded there, see above.
  it.skipIf(place.backend === 'webgpu')('reports bytes, then that the network is opened and tested', async () => {
    const downloads = progress.filter(({ phase }) => phase === 'download');
    const { model } = await embeddedFiles(folder);
    expect(downloads.at(-1)?.done).toBeGreaterThan(model.length);
    expect(downloads.at(-1)?.done).toBe(downloads.at(-1)?.total);
    expect(progress.slice(-3)).toEqual([0, 1, 2].map((done) => ({ phase: 'compile', done, total: 2 })));
  });

  // Not loaded there, see above.
  it.skipIf(place.backend === 'webgpu')('says where it runs and why', () => {
    expect(network.backend.kind).toBe(place.backend);
    expect(network.backend.reason).toMatch(/asked for.*ms.*self-test within/);
  });

  it('computes what its file does, in batches and behind a shared past too', async () => {
    const ids = someIds(TOKENS, network.shape.vocabulary);
    const rows = TOKENS;
    const { model, embedTokens } = await embeddedFiles(folder);
    const embeddings =
      embedTokens && (await runOriginal(embedTokens.model, [...ids], 'inputs_embeds', { on: { kind: 'wasm' } }));
    const original = await runOriginal(model, [...ids], 'logits', embeddings && { embeddings });
    const { logits: plain } = await network.run({ batch: 1, ids, rows, logits: true });
    table.within('neutral against original', plain, original, FUSED_LIMIT);

    const each = [{ 3: 0.1 }, { 7: 0 }].map((changed) => factorsWith(TOKENS, changed));
    const singles: Float32Array[] = [];
    for (const factors of each)
      singles.push(
        (await network.run({ batch: 1, ids, rows, logits: true, perturbation: { mode: 'additive', factors } }))
          .logits ?? new Float32Array(0),
      );
    const perturbation = { mode: 'additive', factors: concatenated(each) } as const;
    const twice = (values: Int32Array) => Int32Array.from([...values, ...values]);
    const { logits: batch } = await network.run({ batch: 2, ids: twice(ids), rows, logits: true, perturbation });
    table.within('batch against singles', batch, concatenated(singles), LIMIT);

    const kvCache = await keptPast(network, { ids });
    const cached = { kvCache, tokens: 3 };
    const rest = ids.slice(3);
    const behind = { batch: 2, cached, rows: TOKENS - 3, logits: true, perturbation } as const;
    const { logits: shared } = await network.run({ ...behind, ids: twice(rest) });
    // One row of ids for both: the first layer's keys stay one row, which a GPU's plan of memory did not allow for.
    const { logits: once } = await network.run({ ...behind, ids: rest, sameIds: true });
    kvCache.release();
    const whole = concatenated(singles.map((single) => single.subarray(3 * network.shape.vocabulary)));
    table.within('shared past against whole', shared, whole, LIMIT);
    table.within('shared past and ids against whole', once, whole, LIMIT);
  });
});

describe('a folder that cannot be loaded', () => {
  it('names the URL and the status of a missing file', async () => {
    const failure = await load(modelAt('lightwell', 'no-such-model')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FailureError);
    expect(String(failure)).toMatch(/no-such-model\/resolve\/main\/.* answered 404/);
  });

  // Needs a file to be aborted in.
  it.skipIf(isMissing)('stops when it is aborted', async () => {
    const controller = new AbortController();
    const stop = ({ phase, done }: Progress) => phase === 'download' && done > 0 && controller.abort();
    await expect(load(modelAt('slow'), stop, controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
