import { totalmem } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type FromWorker, type Port, transferablesOf } from '../../src/protocol/messages.ts';
import { createEngine, memoryBudget } from '../../workers/engine/engine.ts';
import { loadWith } from '../../workers/engine/loading/load-model.ts';
import { extractText } from '../../workers/operations/extract-text.ts';
import { createOperations } from '../../workers/operations/operations.ts';
import { serveJobs } from '../../workers/serving/serve.ts';
import { fetchFrom, type ThreadData } from './spawn-thread.ts';
import { openRuntime } from './node-runtime.ts';

// The entry of a worker thread of Node: the page's inference and documents workers in one, on the platform of Node.
if (parentPort === null) throw new Error('thread.mjs: expected to run in a worker thread, got a process of its own');
const parent = parentPort;
const { files, ...runtimeOptions } = workerData as ThreadData; // as `spawnThread` has sent it
globalThis.fetch = fetchFrom(files);

const port: Port = {
  onmessage: null,
  postMessage: (message, transfer) => parent.postMessage(message, transfer as readonly ArrayBuffer[]),
};
const runtime = openRuntime(runtimeOptions);
const engine = createEngine(async (wanted, onProgress) => loadWith(await runtime, wanted, onProgress), {
  memoryBudget: memoryBudget(totalmem() / 2 ** 30),
  replaceWorker: () => port.postMessage({ type: 'replace' } satisfies FromWorker, []),
});
serveJobs(port, { ...createOperations(engine), extractText }, { transferablesOf });
parent.on('message', (data: unknown) => port.onmessage?.(new MessageEvent('message', { data })));
