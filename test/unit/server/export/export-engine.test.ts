import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exportEngine } from '../../../../server/export/export-engine.ts';
import { decodeModel, encodeSkeleton } from '../../../../workers/engine/codec/model-proto.ts';
import { digestsIn } from '../../../../workers/engine/rewrite/served-graph.ts';
import { DATA_MODEL, exportedModel, modelWithData } from '../../../support/remote/exported.ts';

describe('exportEngine', () => {
  let exported: Awaited<ReturnType<typeof exportedModel>>;
  beforeAll(async () => {
    exported = await exportedModel('lightwell-reader');
  });
  afterAll(() => exported.remove());
  const read = (path: string) => readFile(join(exported.out, path));

  it('writes graph, original, descriptions, an app and a README, and the SHA-256 of each', async () => {
    const sums = (await read('SHA256SUMS')).toString().trim().split('\n');
    expect(sums.map((line) => line.slice(66))).toEqual(exported.files.filter((path) => path !== 'SHA256SUMS'));
    for (const line of sums)
      expect(
        createHash('sha256')
          .update(await read(line.slice(66)))
          .digest('hex'),
      ).toBe(line.slice(0, 64));
  });

  it('gives every input a rank of at least one, and the digest as an output', async () => {
    const { inputs, outputs } = decodeModel(await read('models/lightwell-reader/1/model.onnx'));
    expect(inputs.every(({ dimensions }) => dimensions !== null && dimensions.length > 0)).toBe(true);
    expect(outputs.at(-1)?.name).toBe('lightwell/digest');
    const original = await read('models/lightwell-reader/1/lightwell-original.onnx');
    expect(createHash('sha256').update(original).digest('hex')).toBe(exported.digest);
  });

  it('writes an app of under 60 lines', async () => {
    expect((await read('ray/serve_app.py')).toString().trimEnd().split('\n').length).toBeLessThan(60);
  });

  it('refuses a folder that is no model, and one that has files already', async () => {
    await expect(exportEngine({ model: tmpdir(), out: join(exported.out, 'new') })).rejects.toThrow(/config\.json/);
    await expect(exportEngine({ model: 'public/models/lightwell-base', out: exported.out })).rejects.toThrow(
      /empty folder/,
    );
  });

  it('refuses a folder without a graph', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'model-'));
    await writeFile(join(folder, 'config.json'), '{}');
    await expect(exportEngine({ model: folder, out: join(folder, 'out') })).rejects.toThrow(/expected model\.onnx/);
    await rm(folder, { recursive: true });
  });
});

describe('exportEngine of a model with a data file', () => {
  const dataSum = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
  const made: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const remove of made.splice(0)) await remove();
  });
  async function model(change?: (data: Uint8Array) => void) {
    const found = await modelWithData('with-data', change);
    made.push(found.remove);
    return found;
  }

  it('copies it, names it, and vouches for graph and data', async () => {
    const { folder, outline, data } = await model();
    const exported = await exportedModel('with-data', folder);
    made.push(exported.remove);
    const version = join(exported.folder, '1');
    expect(await readdir(version)).toEqual([DATA_MODEL.data, 'lightwell-original.onnx', 'model.onnx']);
    expect(dataSum(await readFile(join(version, DATA_MODEL.data)))).toBe(dataSum(data));
    const { outputs, initialisers } = decodeModel(await readFile(join(version, 'model.onnx')));
    expect(outputs.find(({ name }) => name === 'lightwell/digest')?.dimensions).toEqual([2, 32]);
    const constant = initialisers.get('lightwell/digest/constant');
    const shown = digestsIn(constant?.bytes.slice(constant.raw?.start, constant.raw?.end) ?? new Uint8Array());
    expect(shown).toEqual([dataSum(outline), dataSum(data)]);
    const readme = (await readFile(join(exported.out, 'README.md'))).toString();
    const config = (await readFile(join(exported.folder, 'config.pbtxt'))).toString();
    for (const text of [readme, config]) for (const sum of shown) expect(text).toContain(sum);
  });

  it('vouches for other data with another digest', async () => {
    const [one, other] = [
      await model(),
      await model((data) => (data[data.length >> 1] = ~(data[data.length >> 1] ?? 0))),
    ];
    expect(dataSum(other.data)).not.toBe(dataSum(one.data));
    expect(dataSum(other.outline)).toBe(dataSum(one.outline));
  });

  it.each([
    [
      'missing',
      (path: string) => rm(path),
      /decoder_model_merged\.onnx_data: expected a data file that .+ names, got none/,
    ],
    [
      'cut short',
      (path: string) => truncate(path, 5000),
      /is cut short: tensor ".+" ends at byte \d+, the file has 5000 bytes/,
    ],
  ])('refuses one that is %s', async (_, spoil, message) => {
    const { root, folder } = await model();
    await spoil(join(folder, 'onnx', DATA_MODEL.data));
    await expect(exportEngine({ model: folder, out: join(root, 'out') })).rejects.toThrow(message);
  });

  it.each([
    ['../secrets', /expected data in the same folder, got "\.\.\/secrets"/],
    ['model.onnx', /expected a name that the export does not use/],
  ])('refuses one at %s', async (location, message) => {
    const { root, folder, data } = await model();
    await writeFile(join(folder, 'onnx', DATA_MODEL.graph), encodeSkeleton(decodeModel(data), location));
    await expect(exportEngine({ model: folder, out: join(root, 'out') })).rejects.toThrow(message);
  });
});
