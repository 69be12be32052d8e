import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryFiles } from '../../../../server/export/repository.ts';
import { decodeModel } from '../../../../workers/engine/codec/model-proto.ts';
import { readKserveManifest } from '../../../support/remote/described/kserve-manifest.ts';
import { readTritonConfig } from '../../../support/remote/described/triton-config.ts';
import { exportedModel } from '../../../support/remote/exported.ts';

const SOURCE = { file: 'graph', name: 'lightwell-original.onnx', from: '', sha256: 'ab'.repeat(32) };

const textsOf = (name: string) => {
  const files = repositoryFiles({ name, inputs: [], outputs: [], sources: [SOURCE] });
  return { manifest: files['kserve/inference-service.yaml'] ?? '', readme: files['README.md'] ?? '' };
};

describe.each(['lightwell-base', 'lightwell-embed', 'lightwell-reader'])('what is written of %s', (name) => {
  let exported: Awaited<ReturnType<typeof exportedModel>>;
  beforeAll(async () => {
    exported = await exportedModel(name);
  });
  afterAll(() => exported.remove());
  const text = async (path: string) => (await readFile(join(exported.out, path))).toString();

  it('is a ModelConfig that has every tensor of the graph', async () => {
    const config = readTritonConfig(await text(`models/${name}/config.pbtxt`));
    expect(config).toMatchObject({ name, backend: 'onnxruntime', max_batch_size: 0 });
    const { inputs, outputs } = decodeModel(await readFile(join(exported.folder, '1/model.onnx')));
    const shown = ({ name: own, dimensions }: (typeof inputs)[number]) => ({
      name: own,
      dims: dimensions?.map((length) => (typeof length === 'number' ? length : -1)),
    });
    expect(config.input?.map(({ name: own, dims }) => ({ name: own, dims }))).toEqual(inputs.map(shown));
    expect(config.output?.map(({ name: own, dims }) => ({ name: own, dims }))).toEqual(outputs.map(shown));
    // Without a batch dimension of its own Triton takes shapes as they stand, and wants a rank of 1 at least.
    for (const { dims } of [...(config.input ?? []), ...(config.output ?? [])]) expect(dims.length).toBeGreaterThan(0);
    const parameters = [{ key: 'lightwell.sha256/lightwell-original.onnx', value: { string_value: exported.digest } }];
    expect(config.parameters).toEqual(parameters);
  });

  it('is a runtime and a service of KServe that fit each other', async () => {
    const yaml = await text('kserve/inference-service.yaml');
    const [runtime, service] = readKserveManifest(yaml, '1.2');
    expect(readKserveManifest(yaml, '1.1')).toEqual([runtime, service]);
    const { model } = service.spec.predictor;
    expect(model.runtime).toBe(runtime.metadata.name);
    expect(runtime.spec.protocolVersions).toContain(model.protocolVersion);
    expect(runtime.spec.supportedModelFormats?.map((each) => each.name)).toContain(model.modelFormat.name);
    const [container] = runtime.spec.containers;
    expect(container?.name).toBe('kserve-container'); // KServe finds its container by this name
    expect(container?.args).toContain(`--http-port=${container?.ports?.[0]?.containerPort}`);
    expect(service.metadata.name).toBe(name);
  });
});

describe('a reader of descriptions', () => {
  it.each([
    ['naem: "m"', /unknown field "naem"/],
    ['name: "a" name: "b"', /name: a second value/],
    ['name: model', /name: expected string, got model/],
    ['max_batch_size: "0"', /max_batch_size: expected int32, got "0"/],
    ['max_batch_size: 2147483648', /expected int32/],
    ['input [ { data_type: TYPE_FLOAT } ]', /data_type: expected one of TYPE_INVALID/],
    ['input [ { dims: [ -1, x ] } ]', /dims: expected int64, got x/],
    ['input [ { name: "a" }', /expected ","|expected "\]"/],
    ['input { name: "a" ', /unknown field ""/],
    ['name: "a', /expected a token/],
  ])('refuses %j', (text, message) => {
    expect(() => readTritonConfig(text)).toThrow(message);
  });

  it.each([
    ['an unknown key', (text: string) => text.replace('minReplicas', 'minimumReplicas'), /minimumReplicas/],
    ['a number for a text', (text: string) => text.replace('version: "2"', 'version: 2'), /version/],
    ['a key twice', (text: string) => text.replace('kind: ServingRuntime', 'kind: ServingRuntime\nkind: x'), /unique/],
    ['a quantity that is none', (text: string) => text.replace('4Gi', '4 GB'), /memory/],
    ['no container', (text: string) => text.replace('  containers:', '  boxes:'), /containers/],
    [
      'an address that is not fetched',
      (text: string) => text.replace('pvc://lightwell', 'ftp://lightwell'),
      /storageUri/,
    ],
    ['a tab', (text: string) => text.replace('  name:', '\tname:'), /[Tt]ab/],
  ])('refuses %s', (_, change, message) => {
    const { manifest } = textsOf('m');
    expect(change(manifest)).not.toBe(manifest);
    expect(() => readKserveManifest(change(manifest), '1.2')).toThrow(message);
  });
});

describe('the descriptions', () => {
  it.each([
    ['My_Model.v2', 'my-model-v2'],
    ['7b-chat', 'model-7b-chat'],
    ['x'.repeat(46) + '-y', 'x'.repeat(46)],
    ['ends.', 'ends'],
  ])('name %s as Kubernetes allows, and the README the same', (name, expected) => {
    const { manifest, readme } = textsOf(name);
    const [, service] = readKserveManifest(manifest, '1.2');
    expect(service.metadata.name).toBe(expected);
    expect(readme).toContain(`service/${expected}-predictor 8000:80`);
  });

  it('refuse a tensor that cannot be stated', () => {
    const input = { name: 'x', type: 8, dimensions: [1], bytes: new Uint8Array() };
    expect(() => repositoryFiles({ name: 'm', inputs: [input], outputs: [], sources: [SOURCE] })).toThrow(
      /"x" has no type or rank/,
    );
  });
});
