import { countTrigrams, type TokenSequence, type Trigram } from '../measures/text/trigram.ts';
import { answerTasks } from './worker-tasks.ts';

/** First what the counts are made of, then, for each domain, what tunes the model and what is measured. */
export type TrigramTask =
  | { readonly seen: Uint16Array<ArrayBuffer>; readonly vocabulary: number }
  | { readonly tune: readonly TokenSequence[]; readonly measure: readonly TokenSequence[] };

let counted: ReturnType<typeof countTrigrams> | undefined;

/** Log-probabilities, summed over what is measured; 0 for counts alone. */
answerTasks(async (task: TrigramTask): Promise<number> => {
  if ('seen' in task) {
    counted = countTrigrams(task.seen, task.vocabulary);
    return 0;
  }
  if (!counted) throw new RangeError('expected what was seen first');
  const trigram: Trigram = counted.tune(task.tune);
  return task.measure.reduce((sum, sequence) => sum + trigram.logProbability(sequence), 0);
});
