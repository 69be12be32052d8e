import { createWorkers } from '../../../src/service/workers.ts';
import { expect, it } from 'vitest';
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
      const { id, kind, nice } = message as RunMessage;
      notes.push(`${name} ${kind} ${nice ? 'nice' : ''}`);
      const failure = { code: 'INTERNAL', message: name } as const;
      queueMicrotask(() => port.onmessage?.({ data: { type: 'failed', id, failure } } as MessageEvent));
    },
  };
  return port;
}

function setUp() {
  const notes: string[] = [];
  let started = 0;
  const workers = createWorkers({
    inference: () => notingLane(`inference ${++started}`, notes),
    documents: () => notingLane('documents', notes),
    maxWaiting: () => 64,
    isFound: ({ name }) => name.startsWith('owner/'),
  });
  return { notes, workers };
}

const file = { file: new Uint8Array(0), path: 'documents[0].docx' };

it('sends each job to the worker that serves its kind, with its options', async () => {
  const { notes, workers } = setUp();
  const model = firstModel();
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
  const model = firstModel();
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
  await expect(workers.submit('prepare', { model: firstModel() })).rejects.toMatchObject({ name: 'AbortError' });
});
