import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportEngine } from '../../../../server/export/export-engine.ts';
import { kserveManifest, tritonConfig } from '../../../../server/export/repository.ts';
import { decodeModel } from '../../../../workers/engine/codec/model-proto.ts';
import { exportedModel } from '../../../support/remote/exported.ts';

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

  it('describes every tensor to Triton, as its text format has it', async () => {
    const config = (await read('models/lightwell-reader/config.pbtxt')).toString();
    const { inputs, outputs } = decodeModel(await read('models/lightwell-reader/1/model.onnx'));
    const tensors = [
      ...config.matchAll(/\{ name: "([^"]+)" data_type: (TYPE_[A-Z0-9]+) dims: \[ (-?\d+(?:, -?\d+)*) \] \}/g),
    ];
    expect(tensors.map(([, name]) => name)).toEqual([...inputs, ...outputs].map(({ name }) => name));
    const rest = config.replaceAll(/\{ name: "[^"]+" data_type: TYPE_[A-Z0-9]+ dims: \[ [-\d, ]+ \] \},?/g, '');
    expect(rest.replaceAll(/\s+/g, ' ').trim()).toMatch(
      /^name: "lightwell-reader" backend: "onnxruntime" max_batch_size: 0 input \[ \] output \[ \] parameters \{ key: "lightwell\.sha256" value \{ string_value: "[0-9a-f]{64}" \} \}$/,
    );
  });

  it('refuses a folder that is no model, and one that has files already', async () => {
    await expect(exportEngine({ model: tmpdir(), out: join(exported.out, 'new') })).rejects.toThrow(/config\.json/);
    await expect(exportEngine({ model: 'public/models/lightwell-base', out: exported.out })).rejects.toThrow(
      /empty folder/,
    );
  });

  it('refuses a graph whose data lie outside its folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'model-'));
    await writeFile(join(folder, 'config.json'), '{}');
    await expect(exportEngine({ model: folder, out: join(folder, 'out') })).rejects.toThrow(/expected model\.onnx/);
    await rm(folder, { recursive: true });
  });
});

describe('the descriptions', () => {
  it('name a model as Kubernetes allows', () => {
    expect(kserveManifest({ name: 'My_Model.v2' })).toMatch(/^ {2}name: my-model-v2$/m);
  });

  it('refuse a tensor that cannot be stated', () => {
    const input = { name: 'x', type: 8, dimensions: [1], bytes: new Uint8Array() };
    expect(() => tritonConfig({ name: 'm', inputs: [input], outputs: [], digest: '' })).toThrow(
      /"x" has no type or rank/,
    );
  });
});
