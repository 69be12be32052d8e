import type { FromWorker, ToWorker } from '../protocol/messages.ts';
import type { Lane } from './spawn.ts';

/** One worker, started when first needed and again after it was lost. */
export interface LaneKeeper {
  /** @throws whatever starting the worker throws */
  post(message: ToWorker): void;
  /** Ends the worker; the next `post` starts another. */
  close(): void;
}

/** Keeps one lane; `lost` hears of a worker that died by itself. */
export function createLaneKeeper(
  spawn: () => Lane,
  { receive, lost }: { receive: (message: FromWorker) => void; lost: (reason: string) => void },
): LaneKeeper {
  let lane: Lane | null = null;
  const open = () => {
    const opened = spawn();
    opened.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
    opened.onlost = lost;
    return opened;
  };
  return {
    post: (message) => (lane ??= open()).postMessage(message, []),
    close() {
      lane?.terminate();
      lane = null;
    },
  };
}
