import { describe, expect, it, vi } from 'vitest';
import { failure, success, type Result } from '../../../src/contract/failure.ts';
import { DEFAULT_SETTINGS } from '../../../src/contract/settings.ts';
import { createCatalogue, embeddedModels } from '../../../src/models/catalogue.ts';
import type { Submit } from '../../../src/scheduler/scheduler.ts';
import { createDefaultModel } from '../../../src/service/default-model-loader.ts';
import type { ModelStatus } from '../../../src/service/service.ts';

const preparation = { backend: 'wasm', threads: 1, reason: 'test' } as const;

/** A loader over answers that the test gives; the kinds of status that it told. */
async function setUp(first: Result<unknown>) {
  const catalogue = createCatalogue(embeddedModels('http://localhost/models/'));
  const answers = { prepare: first };
  const submit = (async () => answers.prepare) as Submit;
  const told: ModelStatus['kind'][] = [];
  const model = createDefaultModel({
    submit,
    catalogue,
    deviceOf: () => ({}),
    settings: { get: () => DEFAULT_SETTINGS, subscribe: () => () => undefined },
    onModel: ({ kind }) => void told.push(kind),
  });
  await model.ready.catch(() => undefined);
  const embedded = () => model.noteSuccess(catalogue.preferred);
  return { model, answers, told, embedded };
}

const lost = failure('MODEL_UNAVAILABLE', 'no connection');

describe('createDefaultModel', () => {
  it('tells that the model is loading, then ready', async () => {
    expect((await setUp(success(preparation))).told).toEqual(['loading', 'ready']);
  });

  it('fails, and loads again when asked to', async () => {
    const { model, answers, told } = await setUp(lost);
    answers.prepare = success(preparation);
    model.retry();
    await vi.waitFor(() => expect(told).toEqual(['loading', 'failed', 'loading', 'ready']));
    model.retry();
    expect(told).toHaveLength(4);
  });

  it('loads again when a request shows that it can: the failure is past', async () => {
    const { answers, told, embedded } = await setUp(lost);
    answers.prepare = success(preparation);
    embedded();
    await vi.waitFor(() => expect(told).toEqual(['loading', 'failed', 'loading', 'ready']));
  });

  it('loads again after the worker was lost, but not while it loads or has failed', async () => {
    const { model, told } = await setUp(success(preparation));
    model.lost(() => false); // the worker of other models
    model.lost(() => true);
    model.lost(() => true);
    await vi.waitFor(() => expect(told).toEqual(['loading', 'ready', 'loading', 'ready']));
    const failed = await setUp(lost);
    failed.model.lost(() => true);
    expect(failed.told).toEqual(['loading', 'failed']);
  });
});
