import type { WorkerPort } from '../../../src/scheduler/spawn.ts';
import { serveJobs, type ServeOptions, type TaskFunctions } from '../../../workers/serving/serve.ts';

/** A worker port over a `MessageChannel` whose other end serves in this process. */
export function servedPort(functions: TaskFunctions, options?: ServeOptions): WorkerPort {
  const { port1, port2 } = new MessageChannel();
  serveJobs(port2, functions, options);
  const port: WorkerPort = {
    onmessage: null,
    onlost: null,
    postMessage: (message, transfer) => port1.postMessage(message, transfer),
    terminate: () => port1.close(),
  };
  port1.onmessage = (event) => port.onmessage?.(event);
  return port;
}
