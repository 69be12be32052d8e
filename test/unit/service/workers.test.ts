import { createWorkers } from '../../../src/service/workers.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/contract/settings.ts';
import { createCatalogue } from '../../../src/models/catalogue.ts';
import type { Model } from '../../../src/models/model.ts';
import type { RunMessage } from '../../../src/protocol/messages.ts';
import type { WorkerPort } from '../../../src/scheduler/spawn.ts';
import { firstModel } from '../../support/fakes/jobs.ts';

/** A worker that notes what it is asked, and fails it. */
function notingLane(name: string, notes: string[]): WorkerPort {
  const port: WorkerPort = {
    onmessage: null,
    onlost: null,
    terminate: () => void notes.push(`${name} ended`),
    postMessage(message) {
      const run = message as RunMessage;
      const { id, kind, nice } = run;
      notes.push(`${name} ${kind} ${nice ? 'nice' : ''}`);
      const failure = { code: 'INTERNAL', message: name } as const;
      if (run.kind === 'inspect' && run.input.name === 'owner/unanswered') return;
      queueMicrotask(() => port.onmessage?.({ data: { type: 'failed', id, failure } } as MessageEvent));
    },
  };
  return port;
}

const OWN = firstModel();
const FOUND: Model = { ...OWN, name: 'owner/small', files: { 'onnx/model.onnx': { bytes: 5e6 } } };
const LARGE: Model = { ...OWN, name: 'owner/large', files: { 'onnx/model.onnx': { bytes: 1e9 } } };

/** @param chosen  by the settings, for explanations */
function setUp(chosen: string | null = null) {
  const notes: string[] = [];
  let started = 0;
  const catalogue = createCatalogue([OWN]);
  for (const model of [FOUND, LARGE]) catalogue.add(model);
  const workers = createWorkers({
    inference: () => notingLane(`inference ${++started}`, notes),
    documents: () => notingLane('documents', notes),
    catalogue,
    settings: () => ({ ...DEFAULT_SETTINGS, defaultModels: { ...DEFAULT_SETTINGS.defaultModels, explain: chosen } }),
  });
  return { notes, workers };
}

const file = { file: new Uint8Array(0), path: 'documents[0].docx' };

it('sends each job to the worker that serves its kind, with its options', async () => {
  const { notes, workers } = setUp();
  const model = OWN;
  expect(await workers.submit('prepare', { model }, { nice: true })).toMatchObject({
    failure: { message: 'inference 1' },
  });
  expect(await workers.submit('extractText', file, { nice: true })).toMatchObject({
    failure: { message: 'documents' },
  });
  expect(notes).toEqual(['inference 1 prepare nice', 'documents extractText nice']);
});

it('has a worker of its own for models that were found', async () => {
  const { notes, workers } = setUp();
  const model = OWN;
  await workers.submit('prepare', { model });
  await workers.submit('inspect', { name: 'owner/m', folder: 'm/', files: {} });
  await workers.submit('prepare', { model: { ...model, name: 'owner/m' } });
  await workers.submit('unload', { folder: 'm/' });
  await workers.submit('prepare', { model });
  const kinds = ['1 prepare', '2 inspect', '2 prepare', '2 unload', '1 prepare'];
  expect(notes).toEqual(kinds.map((each) => `inference ${each} `));
});

it('starts no worker before its first job, and ends those that run', async () => {
  const { notes, workers } = setUp();
  await workers.submit('extractText', file);
  workers.dispose();
  expect(notes).toEqual(['documents extractText ', 'documents ended']);
  await expect(workers.submit('prepare', { model: OWN })).rejects.toMatchObject({ name: 'AbortError' });
});

afterEach(() => vi.useRealTimers());

it('ends the worker of a large model soon after another one was used in its place, and that of small models never', async () => {
  vi.useFakeTimers();
  const { notes, workers } = setUp();
  for (const model of [FOUND, OWN, LARGE, OWN]) await workers.submit('prepare', { model });
  await vi.advanceTimersByTimeAsync(9_000);
  await workers.submit('prepare', { model: LARGE }); // two models in turn
  await workers.submit('prepare', { model: OWN });
  await vi.advanceTimersByTimeAsync(9_000);
  expect(notes.join()).not.toContain('ended');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(notes.at(-1)).toBe('inference 1 ended');
  await workers.submit('prepare', { model: LARGE });
  expect(notes.at(-1)).toBe('inference 3 prepare ');
  await vi.advanceTimersByTimeAsync(1e6);
  expect(notes.filter((note) => note.endsWith('ended'))).toEqual(['inference 1 ended', 'inference 3 ended']);
});

it('ends it no later where the other model is used all the time', async () => {
  vi.useFakeTimers();
  for (const [chosen, seconds] of [
    [null, 10],
    [LARGE.name, 300],
  ] as const) {
    const { notes, workers } = setUp(chosen);
    await workers.submit('prepare', { model: LARGE });
    const useOther = async (times: number) => {
      for (let time = 0; time < times; time++) {
        await workers.submit('prepare', { model: OWN });
        await vi.advanceTimersByTimeAsync(1_000);
      }
    };
    await useOther(seconds - 1);
    expect(notes).not.toContain('inference 1 ended');
    await useOther(2);
    expect(notes).toContain('inference 1 ended');
    workers.dispose();
  }
});

it('lets a large model that a setting chooses wait for five minutes', async () => {
  vi.useFakeTimers();
  const { notes, workers } = setUp(LARGE.name);
  for (const model of [LARGE, OWN]) await workers.submit('prepare', { model });
  await vi.advanceTimersByTimeAsync(299_000);
  expect(notes.join()).not.toContain('ended');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(notes.at(-1)).toBe('inference 1 ended');
});

it('ends no worker that has a job', async () => {
  vi.useFakeTimers();
  const { notes, workers } = setUp();
  await workers.submit('prepare', { model: LARGE });
  const unanswered = workers.submit('inspect', { name: 'owner/unanswered', folder: 'm/', files: {} });
  await workers.submit('prepare', { model: OWN });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(notes.join()).not.toContain('ended');
  workers.dispose();
  await expect(unanswered).rejects.toMatchObject({ name: 'AbortError' });
});
