import { createHash } from 'node:crypto';
import * as ort from 'onnxruntime-web/webgpu';
import { afterEach, describe, expect, it } from 'vitest';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import type { Network } from '../../../workers/engine/network.ts';
import { openRemotely } from '../../../workers/engine/remote/open-remote.ts';
import type { ModelFiles } from '../../../workers/engine/session/session.ts';
import { differenceOf } from '../../../workers/kernels/float-arrays.ts';
import { embeddedFiles } from '../../support/files/embedded-files.ts';
import { openEmbeddedModel } from '../../support/files/embedded-model.ts';
import { place, testRuntime } from '../../support/onnx/place.ts';
import { DATA_MODEL, exportedModel, modelWithData } from '../../support/remote/exported.ts';
import { startProtocolServer } from '../../support/remote/protocol-server.ts';
import { someIds } from '../measured.ts';

const NAME = 'with-data';
const LIMIT = 1e-5;
const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

type Fixture = Awaited<ReturnType<typeof modelWithData>>;

describe('an engine with weights in a data file', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  async function made(change?: (data: Uint8Array) => void): Promise<Fixture> {
    const found = await modelWithData(NAME, change);
    ends.push(found.remove);
    return found;
  }

  /** Serves what is exported of a folder, and opens it with what the page has. */
  async function open({ folder }: Fixture, page: Fixture, isLarge: boolean): Promise<Network> {
    const exported = await exportedModel(NAME, folder);
    ends.push(exported.remove);
    const server = await startProtocolServer(ort, { models: { [NAME]: exported.folder }, binary: true });
    ends.push(() => server.close());
    const { config, embedTokens } = await embeddedFiles(`${place.root}/public/models/lightwell-base/`);
    const dataDigests = [{ file: DATA_MODEL.data, sha256: sumOf(page.data) }];
    const external = [{ path: DATA_MODEL.data, data: page.data }];
    const files: ModelFiles = {
      model: page.outline,
      ...(embedTokens && { embedTokens }),
      ...(isLarge ? { external: [], dataElsewhere: dataDigests } : { external }),
    };
    const network = await openRemotely({
      runtime: await testRuntime(),
      files,
      config: readNetworkConfig(config),
      engine: { url: `${server.url}/`, address: server.url, model: NAME, token: 'x' },
    });
    ends.push(() => network.release());
    return network;
  }

  it.each([
    [false, /differs from this page by/],
    [true, /every file has the expected SHA-256; too large/],
  ])('computes what the page does (data file not held: %s)', async (isLarge, reason) => {
    const same = await made();
    const remote = await open(same, same, isLarge);
    expect(remote.backend.reason).toMatch(reason);
    const { network: local } = await openEmbeddedModel();
    ends.push(() => local.release());
    const run = { batch: 1, ids: someIds(20, local.shape.vocabulary), rows: 20, logits: true };
    const [here, there] = [await local.run(run), await remote.run(run)];
    expect(differenceOf(there.logits, here.logits ?? new Float32Array())).toBeLessThanOrEqual(LIMIT);
  });

  it('is refused with both digests where one byte of the data file differs', async () => {
    const page = await made();
    const there = await made((data) => (data[data.length >> 1] = ~(data[data.length >> 1] ?? 0)));
    expect(sumOf(there.outline)).toBe(sumOf(page.outline)); // the graph alone tells nothing of it
    const message = `expected weights with SHA-256 ${sumOf(page.data)} (${DATA_MODEL.data}), got ${sumOf(there.data)}`;
    for (const isLarge of [true, false]) await expect(open(there, page, isLarge)).rejects.toThrow(message);
  });
});
