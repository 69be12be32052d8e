import type { FromWorker, JobAnswer, JobId, ToWorker } from '../protocol/messages.ts';
import { awaitEnd, pageLocks, type Locks } from './life-lock.ts';
import type { WorkerPort } from './spawn.ts';
import { createWatchdog } from './watchdog.ts';

/** One worker, started when first needed and again after it was lost. */
export interface RestartableWorker {
  /** @throws what starting the worker throws */
  post(message: ToWorker): void;
  /** Ends the worker; the next `post` starts another. */
  close(): void;
}

/** See `createRestartableWorker`. */
export interface WorkerOptions {
  readonly spawn: () => WorkerPort;
  readonly receive: (message: JobAnswer) => void;
  /** The worker has ended by itself, or is stuck. Not called after `close`. */
  readonly lost: (reason: string) => void;
  /** The least silence after which a worker that owes an answer counts as stuck. */
  readonly silenceMs: number;
  /** undefined where the browser has none. */
  readonly locks?: Locks | undefined;
}

/**
 * Keeps one worker running and learns of its end in three ways: the browser reports an error in it; the Web Lock that it
 * holds for its life is freed; or it says nothing while it owes an answer.
 */
export function createRestartableWorker(options: WorkerOptions): RestartableWorker {
  const { spawn, receive, lost, silenceMs, locks = pageLocks() } = options;
  const owed = new Set<JobId>();
  const watchdog = createWatchdog({
    silenceMs,
    onSilent: () => lost(`it said nothing for longer than expected, at least ${silenceMs / 1000} s`),
  });
  let port: WorkerPort | null = null;
  let stopWaiting: () => void = () => undefined;

  function take(message: FromWorker): void {
    if (message.type === 'alive') {
      if (owed.size > 0) watchdog.heard();
      if (locks) stopWaiting = awaitEnd(locks, message.lock, () => lost('it ended by itself'));
    } else if (message.type === 'beat') {
      if (owed.size > 0) watchdog.expects(message.expectedMs);
    } else {
      if (message.type !== 'progress') owed.delete(message.id);
      if (owed.size > 0) watchdog.heard();
      else watchdog.rest();
      receive(message);
    }
  }

  function open(): WorkerPort {
    const opened = spawn();
    opened.onmessage = ({ data }: MessageEvent<FromWorker>) => void (opened === port && take(data));
    opened.onlost = (reason) => void (opened === port && lost(reason));
    return opened;
  }

  return {
    post(message) {
      (port ??= open()).postMessage(message, []);
      if (message.type !== 'run') return;
      owed.add(message.id);
      watchdog.heard();
    },
    close() {
      stopWaiting();
      watchdog.rest();
      owed.clear();
      port?.terminate();
      port = null;
    },
  };
}
