import { namedObject, z } from './wire/zod.ts';
import { CompletionPart } from './complete.ts';
import { PartialExplanation } from './explain.ts';
import { QaFound } from './qa.ts';

/** How far a request has come. `partial` (before normalisation), `found` and `written` hold only what is new. */
export const Progress = namedObject('Progress', {
  phase: z.enum(['queue', 'download', 'compile', 'run']),
  done: z.number(),
  total: z.number(),
  partial: z.array(PartialExplanation).optional(),
  found: z.array(QaFound).optional(),
  written: z.array(CompletionPart).optional(),
});
export type Progress = z.infer<typeof Progress>;
