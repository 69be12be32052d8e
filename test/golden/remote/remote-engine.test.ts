import * as ort from 'onnxruntime-web/webgpu';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED, plannedWays } from '../../../bench/engine/plan.ts';
import type { RemoteEngine } from '../../../src/protocol/model-job.ts';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import type { KvCache, Network, NetworkRun } from '../../../workers/engine/network.ts';
import type { LoadedModel } from '../../../workers/engine/engine.ts';
import { openRemotely, recomputingPrefixes } from '../../../workers/engine/remote/open-remote.ts';
import type { TaskContext } from '../../../workers/serving/serve.ts';
import { createOperations } from '../../../workers/operations/operations.ts';
import { explain } from '../../../workers/operations/explain/explain.ts';
import { explainJob, QUIET, textPrompt } from '../../support/fakes/jobs.ts';
import { embeddedFiles } from '../../support/files/embedded-files.ts';
import { openEmbeddedModel } from '../../support/files/embedded-model.ts';
import { place, testRuntime } from '../../support/onnx/place.ts';
import { exportedModel } from '../../support/remote/exported.ts';
import {
  type ProtocolServer,
  type ProtocolServerOptions,
  startProtocolServer,
} from '../../support/remote/protocol-server.ts';
import { differenceOf } from '../../../workers/kernels/float-arrays.ts';
import { factorsWith, someIds } from '../measured.ts';

const LIMIT = 1e-5;

/** In front of the raw tensors of a request, at most. */
const JSON_BYTES = 4096;

describe('an engine elsewhere', () => {
  let exported: Awaited<ReturnType<typeof exportedModel>>;
  let local: Network;
  let openedModel: Promise<LoadedModel>;
  let server: ProtocolServer | undefined;
  beforeAll(async () => {
    exported = await exportedModel();
    openedModel = openEmbeddedModel();
    ({ network: local } = await openedModel);
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
  async function open(
    options: Partial<ProtocolServerOptions> = {},
    engine: Partial<RemoteEngine> = {},
    change: (model: Uint8Array) => Uint8Array = (model) => model,
  ) {
    server = await startProtocolServer(ort, { models: { [exported.name]: exported.folder }, ...options });
    const { config, ...files } = await embeddedFiles(`${place.root}/public/models/${exported.name}/`);
    return openRemotely({
      runtime: await testRuntime(),
      files: { ...files, model: change(files.model) },
      config: readNetworkConfig(config),
      engine: { url: `${server.url}/`, address: server.url, model: exported.name, token: 'x', ...engine },
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
      { batch: 1, ids, pooling: { weights: new Float32Array(44).fill(1 / 44), pools: 1 } },
      { batch: 1, ids, maxima: { skip: 1 } },
    ];
    for (const run of runs) {
      const [here, there] = [await local.run(run), await remote.run(run)];
      for (const name of ['logits', 'logProbabilities', 'pooled', 'maximum', 'absoluteMaximum'] as const)
        if (here[name]) expect(differenceOf(there[name], here[name])).toBeLessThanOrEqual(LIMIT);
    }
    await remote.release();
  });

  const prompt = 'Please write a short story about a red apple, and one about a green tree behind the house.';
  const job = explainJob({ prompt: textPrompt(prompt), target: ' red', target_granularity: 'complete' });

  /** Explains on the engine; how many requests that took, and how many bytes went there. */
  async function explained(remote: Network, context: Partial<TaskContext> = {}) {
    const before = server?.log.length ?? 0;
    const model = { ...(await openedModel), network: remote };
    const { explain: explained } = createOperations({
      withModel: (_, __, task) => task(model),
      unload: async () => undefined,
    });
    const result = await explained(job, { ...QUIET, ...context });
    await expect.poll(() => server?.running()).toBe(0);
    const sent = server?.log.slice(before) ?? [];
    return { ...result, requests: sent.length, bytes: sent.reduce((sum, { bytes }) => sum + bytes, 0), sent };
  }

  it('explains as the page does, several requests at once, and sends what was planned', async () => {
    const expected = await explain(job, await openedModel, QUIET);
    const sections = expected.sections.length;
    const planned = plannedWays({ ...EMBEDDED, sections, targetTokens: expected.targetTokens.length });
    for (const binary of [true, false]) {
      const remote = await open({ binary, delayMs: 5 });
      const four = { ...remote, inFlight: () => EMBEDDED.inFlight };
      const ways: readonly (readonly [number, Network])[] = [
        [0, { ...remote, inFlight: () => Infinity }],
        [1, four],
        [2, recomputingPrefixes(four, { bytesPerToken: 1, shippedBytes: 0 })],
      ];
      for (const [index, network] of binary ? ways : ways.slice(1)) {
        const found = await explained(network);
        expect(differenceOf(floats(found.influence), floats(expected.influence))).toBeLessThanOrEqual(LIMIT);
        const { way = '', requests = 0, 'MB in all': megabytes = 0 } = planned[index] ?? {};
        const each = Math.round(found.bytes / sections);
        console.log(
          `${binary ? 'raw' : 'JSON'}, ${way}: ${found.requests} requests for ${sections} sections, ${each} bytes each`,
        );
        expect(found.requests).toBe(requests);
        if (!binary) continue;
        expect(found.bytes).toBeGreaterThanOrEqual(1e6 * megabytes);
        expect(found.bytes).toBeLessThanOrEqual(1e6 * megabytes + requests * JSON_BYTES);
      }
      expect(server?.most()).toBeGreaterThan(1);
      await server?.close();
    }
  });

  it('tries a request once more when a replica dies under it, and no more often', async () => {
    const fails: (number | 'hang up')[] = [];
    const remote = await open({ binary: true, fail: () => fails.shift() });
    const expected = await explained(remote);
    for (const failure of [502, 503, 504, 'hang up'] as const) {
      fails.push(failure);
      const found = await explained(remote);
      expect(found.influence).toEqual(expected.influence);
      const broken = found.sent.filter(({ status, answered }) => status !== 200 || answered === 0);
      expect(broken.length).toBe(1);
    }
    fails.push(...Array.from({ length: 40 }, () => 503));
    await expect(explained(remote)).rejects.toMatchObject({ failure: { code: 'ENGINE_UNAVAILABLE' } });
  });

  it('breaks off what is under way when the job is cancelled', async () => {
    const remote = await open({ binary: true, delayMs: 200 });
    const cancellation = new AbortController();
    const running = explained(remote, { signal: cancellation.signal });
    await expect.poll(() => server?.log.some(({ path }) => path.endsWith('/infer'))).toBe(true);
    await expect.poll(() => server?.running()).toBeGreaterThan(0);
    cancellation.abort();
    await expect(running).rejects.toThrow();
    await expect.poll(() => server?.left()).toBeGreaterThan(0);
  });

  it.each<[string, Partial<ProtocolServerOptions>, Partial<RemoteEngine>, RegExp]>([
    ['another model', {}, { model: 'other' }, /did not answer for its model "other" \(404\)/],
    ['numbers that contradict each other', { spoil: noisy() }, {}, /computes wrong numbers .*off by/],
    [
      'numbers that agree with each other alone',
      { spoil: doubled },
      {},
      /other numbers than this page: they differ by/,
    ],
    ['no engine at all', {}, { url: 'http://127.0.0.1:9/' }, /did not answer/],
  ])('refuses %s', async (_, options, engine, message) => {
    await expect(open(options, engine)).rejects.toThrow(message);
  });

  it('refuses other weights, also when they come while it runs', async () => {
    const wrong = open({}, {}, (model) => model.map((byte, at) => (at === model.length >> 1 ? byte ^ 1 : byte)));
    const message = /expected weights with SHA-256 ([0-9a-f]{64}) \(graph\), got (?!\1)[0-9a-f]{64};/;
    await expect(wrong).rejects.toThrow(message);
    await server?.close();
    let isExchanged = false;
    const remote = await open({
      binary: true,
      spoil: (name, values) => void (isExchanged && name === 'lightwell/digest' && values.fill(7)),
    });
    await explained(remote);
    isExchanged = true;
    await expect(explained(remote)).rejects.toThrow(/got (07){32}/);
  });

  it('computes a long prefix again instead of sending its cache', async () => {
    const remote = await open({ binary: true });
    const ids = someIds(40, local.shape.vocabulary);
    const original: NetworkRun = { batch: 1, ids, sameIds: true, keepKvCache: true, rows: 2, logits: true };
    const rows = joinedRows([factorsWith(40, { 25: 0.1 }), factorsWith(40, { 30: 0 })]);
    const behind = (kvCache: KvCache): NetworkRun => ({
      batch: 2,
      ids: ids.subarray(20),
      sameIds: true,
      cached: { kvCache, tokens: 20 },
      perturbation: { mode: 'additive', factors: rows },
      rows: 3,
      logits: true,
    });
    const shipped = await remote.run(original);
    const expected = await remote.run(behind(shipped.kvCache as KvCache));
    const again = recomputingPrefixes(remote, { bytesPerToken: 1, shippedBytes: 0 });
    const before = server?.log.length ?? 0;
    const unmade = await again.run(original);
    expect(unmade.logits).toEqual(shipped.logits);
    const found = await again.run(behind(unmade.kvCache as KvCache));
    expect(differenceOf(found.logits, expected.logits ?? new Float32Array())).toBeLessThanOrEqual(LIMIT);
    expect((server?.log.length ?? 0) - before).toBe(2);
    // A prefix that is controlled in another way needs the cache as it was.
    const other = {
      ...behind(unmade.kvCache as KvCache),
      perturbation: { mode: 'additive', factors: factorsOfAll(0.5) },
    } as NetworkRun;
    const otherShipped = { ...other, cached: { kvCache: shipped.kvCache as KvCache, tokens: 20 } };
    const [one, two] = [await again.run(other), await remote.run(otherShipped)];
    expect(differenceOf(one.logits, two.logits ?? new Float32Array())).toBeLessThanOrEqual(LIMIT);
  });
});

function noisy() {
  let calls = 0;
  return (name: string, values: Float32Array | Uint8Array) => {
    calls += 1;
    if (name === 'lightwell/logits') values.forEach((value, i) => (values[i] = value + (calls % 7)));
  };
}

function doubled(name: string, values: Float32Array | Uint8Array): void {
  if (name === 'lightwell/logits') values.forEach((value, i) => (values[i] = 2 * value));
}

function floats(values: ArrayLike<number>): Float32Array {
  return Float32Array.from(values);
}

function joinedRows(rows: readonly Float32Array[]): Float32Array {
  return Float32Array.from(rows.flatMap((row) => [...row]));
}

function factorsOfAll(factor: number): Float32Array {
  return new Float32Array(80).fill(factor);
}
