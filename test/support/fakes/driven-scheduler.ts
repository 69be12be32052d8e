import { vi } from 'vitest';
import type { Jobs } from '../../../src/protocol/jobs.ts';
import type { FromWorker, RunMessage, TaskId, ToWorker } from '../../../src/protocol/messages.ts';
import { createScheduler, type SchedulerOptions } from '../../../src/scheduler/scheduler.ts';
import type { WorkerPort } from '../../../src/scheduler/spawn.ts';

/** What its workers answer. */
export const report: Jobs['embed']['output'] = { layers: [], tokens: null, num_tokens_prompt_total: 1 };

/** A scheduler whose workers are driven by hand. */
export function createDrivenScheduler(options: Omit<SchedulerOptions, 'spawn'> = {}) {
  const workers: (WorkerPort & { sent: ToWorker[]; ended: boolean })[] = [];
  const spawn = vi.fn(() => {
    const worker = {
      sent: [] as ToWorker[],
      ended: false,
      onmessage: null as WorkerPort['onmessage'],
      onlost: null as WorkerPort['onlost'],
      postMessage: (message: unknown) => void worker.sent.push(message as ToWorker),
      terminate: () => void (worker.ended = true),
    };
    workers.push(worker);
    return worker;
  });
  const scheduler = createScheduler({ spawn, ...options });
  const say = (message: FromWorker) => workers.at(-1)?.onmessage?.(new MessageEvent('message', { data: message }));
  return {
    ...scheduler,
    spawn,
    workers,
    started: () => (workers.at(-1)?.sent ?? []).filter((m): m is RunMessage => m.type === 'run').map(({ id }) => id),
    sent: () => workers.at(-1)?.sent ?? [],
    finish: (id: TaskId) => say({ type: 'done', id, kind: 'embed', output: report }),
    say,
  };
}
