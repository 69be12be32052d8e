import { expect, it } from 'vitest';
import { watchHealth } from '../../../../server/headless/headless-server.ts';
import type { ModelStatus } from '../../../../src/service/service.ts';

const loading: ModelStatus = { model: 'm', kind: 'loading', progress: null };
const ready: ModelStatus = { model: 'm', kind: 'ready', preparation: { backend: 'wasm', threads: 1, reason: '' } };
const failed: ModelStatus = { model: 'm', kind: 'failed', failure: { code: 'MODEL_UNAVAILABLE', message: 'no file' } };

it('is ok while the newest status of every worker is that its default model is ready', async () => {
  const statuses = new Map<number, ModelStatus>([
    [0, ready],
    [1, ready],
  ]);
  const health = watchHealth([{ ready: Promise.resolve() }, { ready: Promise.reject(new Error('no file')) }], statuses);
  expect(health().status).toBe('starting'); // the models of the folder are not known
  await new Promise(setImmediate);
  expect(health().status).toBe('ok');
  statuses.set(1, loading);
  expect(health().status).toBe('starting');
  statuses.set(1, failed);
  expect(health()).toMatchObject({ status: 'failed', reason: 'no file' });
  statuses.set(1, ready);
  expect(health().status).toBe('ok');
});
