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
  const workers = createWorkers({
    inference: () => notingLane('inference', notes),
    documents: () => notingLane('documents', notes),
    maxWaiting: () => 64,
  });
  return { notes, workers };
}

const file = { file: new Uint8Array(0), path: 'documents[0].docx' };

it('sends each job to the worker that serves its kind, with its options', async () => {
  const { notes, workers } = setUp();
  const model = firstModel();
  expect(await workers.submit('prepare', { model }, { nice: true })).toMatchObject({
    failure: { message: 'inference' },
  });
  expect(await workers.submit('extractText', file, { nice: true })).toMatchObject({
    failure: { message: 'documents' },
  });
  expect(notes).toEqual(['inference prepare nice', 'documents extractText nice']);
});

it('starts no worker before its first job, and ends those that run', async () => {
  const { notes, workers } = setUp();
  await workers.submit('extractText', file);
  workers.dispose();
  expect(notes).toEqual(['documents extractText ', 'documents ended']);
  await expect(workers.submit('prepare', { model: firstModel() })).rejects.toMatchObject({ name: 'AbortError' });
});
