import { createProbe, type Probe, type ProbeData } from '../measures/classification/probe.ts';
import { answerTasks } from './worker-tasks.ts';

/** First the rows, then fits. */
export type ProbeTask = ProbeData | { readonly measure: keyof Probe; readonly strength: number };

let probe: Probe | undefined;

/** Share of rows that get their own label; 0 for the rows alone. */
answerTasks(async (task: ProbeTask): Promise<number> => {
  if ('train' in task) {
    probe = createProbe(task);
    return 0;
  }
  if (!probe) throw new RangeError('expected the rows first');
  return probe[task.measure](task.strength);
});
