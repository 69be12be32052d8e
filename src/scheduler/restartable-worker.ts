import type { FromWorker, ToWorker } from '../protocol/messages.ts';
import type { WorkerPort } from './spawn.ts';

/** One worker, started when first needed and again after it was lost. */
export interface RestartableWorker {
  /** @throws what starting the worker throws */
  post(message: ToWorker): void;
  /** Ends the worker; the next `post` starts another. */
  close(): void;
}

/** Keeps one worker running; `lost` is called when it dies by itself. */
export function createRestartableWorker(
  spawn: () => WorkerPort,
  { receive, lost }: { receive: (message: FromWorker) => void; lost: (reason: string) => void },
): RestartableWorker {
  let port: WorkerPort | null = null;
  const open = () => {
    const opened = spawn();
    opened.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
    opened.onlost = lost;
    return opened;
  };
  return {
    post: (message) => (port ??= open()).postMessage(message, []),
    close() {
      port?.terminate();
      port = null;
    },
  };
}
