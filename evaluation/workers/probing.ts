import { bestStrength, type ProbeData } from '../measures/classification/probe.ts';
import type { ProbeTask } from './probe.worker.ts';
import { createTaskWorker, type TaskWorker } from './worker-tasks.ts';

/** How well labels can be read off features by a linear classifier. */
export interface Probed {
  /** Share of the test rows that get their own label. */
  readonly accuracy: number;
  /** As chosen on a held-out fifth of the training rows. */
  readonly strength: number;
}

/** Probes in a worker of its own, so that two go on side by side and the page stays responsive. */
export async function probeInWorker(data: ProbeData, onFit: (fits: number) => void): Promise<Probed> {
  const worker: TaskWorker<ProbeTask, number> = createTaskWorker(
    new Worker(new URL('./probe.worker.ts', import.meta.url), { type: 'module' }),
  );
  let fits = 0;
  const ask = (task: ProbeTask) => worker.ask(task).finally(() => onFit(fits++));
  try {
    await ask(data);
    const strength = await bestStrength((strength) => ask({ measure: 'heldOut', strength }));
    return { accuracy: await ask({ measure: 'tested', strength }), strength };
  } finally {
    worker.end();
  }
}
