import * as ort from 'onnxruntime-web/webgpu';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RemoteEngine } from '../../../src/protocol/model-job.ts';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-config.ts';
import type { Network, NetworkRun } from '../../../workers/engine/network.ts';
import { openRemotely } from '../../../workers/engine/remote/open-remote.ts';
import { embeddedFiles } from '../../support/files/embedded-files.ts';
import { openEmbeddedModel } from '../../support/files/embedded-model.ts';
import { place, testRuntime } from '../../support/onnx/place.ts';
import { exportedModel } from '../../support/remote/exported.ts';
import {
  startProtocolServer,
  type ProtocolServer,
  type ProtocolServerOptions,
} from '../../support/remote/protocol-server.ts';
import { differenceOf } from '../../../workers/kernels/float-arrays.ts';
import { factorsWith, someIds } from '../measured.ts';

const LIMIT = 1e-5;

describe('an engine elsewhere', () => {
  let exported: Awaited<ReturnType<typeof exportedModel>>;
  let local: Network;
  let server: ProtocolServer | undefined;
  beforeAll(async () => {
    exported = await exportedModel();
    ({ network: local } = await openEmbeddedModel());
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  afterAll(async () => {
    await local?.release();
    await exported?.remove();
  });

  /** Opens the model on a server; the address of the local server is left out of the way. */
  async function open(options: Partial<ProtocolServerOptions> = {}, engine: Partial<RemoteEngine> = {}) {
    server = await startProtocolServer(ort, { models: { [exported.name]: exported.folder }, ...options });
    const { config, ...files } = await embeddedFiles(`${place.root}/public/models/${exported.name}/`);
    return openRemotely({
      runtime: await testRuntime(),
      files,
      config: readNetworkConfig(config),
      engine: { url: `${server.url}/`, address: server.url, model: exported.name, token: 'x', ...engine },
      digest: exported.digest,
    });
  }

  it.each([true, false])('computes what the page does (binary: %s)', async (binary) => {
    const remote = await open({ binary });
    expect(remote.backend.reason).toMatch(binary ? /raw tensors/ : /JSON/);
    expect(remote.shape).toEqual(local.shape);
    const ids = someIds(44, local.shape.vocabulary);
    const runs: NetworkRun[] = [
      { batch: 1, ids, rows: 44, logits: true },
      {
        batch: 1,
        ids,
        rows: 5,
        targets: ids.slice(-5),
        perturbation: { mode: 'additive', factors: factorsWith(44, { 7: 0.1 }) },
      },
      {
        batch: 1,
        ids,
        rows: 3,
        logits: true,
        perturbation: { mode: 'multiplicative', factors: factorsWith(44, { 3: 0.5 }) },
      },
      { batch: 1, ids, pooling: { weights: new Float32Array(44).fill(1 / 44), pools: 1, perSequence: false } },
      { batch: 1, ids, maxima: { skip: 1 } },
    ];
    for (const run of runs) {
      const [here, there] = [await local.run(run), await remote.run(run)];
      for (const name of ['logits', 'logProbabilities', 'pooled', 'maximum', 'absoluteMaximum'] as const)
        if (here[name]) expect(differenceOf(there[name], here[name])).toBeLessThanOrEqual(LIMIT);
    }
    await remote.release();
  });
});
